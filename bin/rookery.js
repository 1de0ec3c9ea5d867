import { readdirSync, readFileSync } from 'node:fs'
import { ensureInstalled } from './lib/install.js'
import { at, exists, main, Problem } from './lib/places.js'
import { runNode } from './lib/run.js'

// npm run rookery -- <command> …: a command is a file server/<room>/commands/<command>.ts, its first comment its help.
await main(async () => {
  const [name, ...args] = process.argv.slice(2)
  const commands = findCommands()
  if (name === 'help' || isHelp(name)) {
    process.stdout.write(`${help(commands)}\n`)
    return
  }
  if (!name || !commands.has(name)) throw new Problem(`${name ? `Unknown command "${name}".\n` : ''}${help(commands)}`)
  // before anything is installed, reached or written
  if (args.some(isHelp)) {
    process.stdout.write(`${helpOf(commands.get(name))}\n`)
    return
  }
  await ensureInstalled()
  const { code } = await runNode([commands.get(name), ...args])
  process.exitCode = code
})

function findCommands() {
  const rooms = readdirSync(at('server'), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && exists('server', entry.name, 'commands'),
  )
  const files = rooms.flatMap((room) =>
    readdirSync(at('server', room.name, 'commands'))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => [file.slice(0, -3), at('server', room.name, 'commands', file)]),
  )
  return new Map(files.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function isHelp(word) {
  return word === '--help' || word === '-h'
}

/** The first comment of a command's file: what it does, and after the last colon how it is called. */
function commentOf(file) {
  return /^\/\/ (.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
}

function help(commands) {
  const lines = [...commands].map(([name, file]) => `  ${name.padEnd(20)} ${commentOf(file)}`)
  return ['Usage: npm run rookery -- <command>', ...lines].join('\n')
}

function helpOf(file) {
  const comment = commentOf(file)
  const colon = comment.lastIndexOf(': ')
  return `Usage: npm run rookery -- ${comment.slice(colon + 2)}\nWhat it does: ${comment.slice(0, colon)}.`
}
