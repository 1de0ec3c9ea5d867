import { onAbandoned } from './abandoned.js'

// Loaded before a program that a command of ours started or became: when the command is gone, however it went, the
// program stops as it does on any other request to stop.
const stop = () => process.kill(process.pid, 'SIGTERM')
if (process.channel) {
  // the pipe between them ends with the command
  process.once('disconnect', stop)
  process.channel.unref()
} else onAbandoned(stop)
