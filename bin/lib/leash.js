// Loaded before a program that a command of ours started: the pipe between them ends when the command is gone,
// however it went, and then the program stops as it does on any other request to stop.
if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}
