import { onAbandoned } from './abandoned.js'

// Loaded before a program that one of our commands started or became: when the command disappears for any reason, the
// program stops as it does on any other request to stop.
const stop = () => process.kill(process.pid, 'SIGTERM')
if (process.channel) {
  // the pipe between them ends with the command
  process.once('disconnect', stop)
  process.channel.unref()
} else onAbandoned(stop)
