import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { at, packagedNode, Problem } from './places.js'
import { progress } from './progress.js'
import { run } from './run.js'

const stampFile = (folder) => at(folder, 'node_modules', '.rookery-install')

/** What an installation is for: another lockfile or another kind of machine needs another one. */
function wanted(folder) {
  const lock = readFileSync(at(folder, 'package-lock.json'))
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`
}

/**
 * Installs the packages if they're missing or the lockfile changed, and shows progress.
 * @param {string} [folder] a folder with its own lockfile; the project itself by default
 * @param {string} [words] the text to show
 * @param {{ quiet?: boolean }} [options] quiet: shows nothing
 */
export async function ensureInstalled(
  folder = '.',
  words = 'Installing packages (the first time only)',
  { quiet = false } = {},
) {
  const want = wanted(folder)
  const stamp = stampFile(folder)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === want && isUsable(folder)) return
  if (!isComplete(folder)) await install(folder, quiet ? null : words)
  writeFileSync(stamp, want)
}

const isUsable = (folder) => folder !== '.' || existsSync(packagedNode())

/** Whether someone manually installed exactly what the lockfile says: npm keeps a list of what it installed. */
function isComplete(folder) {
  const list = at(folder, 'node_modules', '.package-lock.json')
  if (!existsSync(list) || !isUsable(folder)) return false
  const wantedPackages = readPackages(at(folder, 'package-lock.json'))
  const installed = readPackages(list)
  return Object.entries(wantedPackages).every(([path, entry]) => {
    const there = installed[path]
    if (!there) return path === '' || entry.optional === true
    return there.version === entry.version && there.integrity === entry.integrity
  })
}

const readPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages ?? {}

async function install(folder, words) {
  assertWritable(at(folder))
  const shown = words === null ? silent : progress(words)
  // no install scripts: none of our packages needs one, and packages shouldn't run code here by default
  const args = [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...SHORT_WAITS,
  ]
  const { command, before } = npm()
  const { code, output } = await run(command, [...before, ...args], { capture: true, cwd: at(folder) })
  if (code === 0) return shown.done()
  shown.failed()
  throw new Problem(
    `${output.trim()}\nThe packages couldn't be installed. Check that this machine can reach the npm registry, then try again.`,
  )
}

/** As many tries as npm's own, but a machine without a network finds out within half a minute instead of several. */
const SHORT_WAITS = [
  '--fetch-retries=3',
  '--fetch-retry-factor=3',
  '--fetch-retry-mintimeout=500',
  '--fetch-retry-maxtimeout=5000',
]

function assertWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    throw new Problem(
      `The packages can't be installed because ${folder} can't be written to. Make it writable for the first start, or run npm ci there as its owner. Later starts only write to DATA_DIR.`,
    )
  }
}

const silent = { done() {}, failed() {} }

/** npm as it was started, or the one on the PATH. */
function npm() {
  const script = process.env.npm_execpath
  if (script && /npm-cli\.[cm]?js$/.test(script)) return { command: process.execPath, before: [script] }
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', before: [] }
}
