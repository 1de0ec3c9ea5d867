import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { at, Problem } from './places.js'
import { progress } from './progress.js'
import { runNode } from './run.js'
import { hashOf } from './web.js'

const INPUTS = ['server', 'charts', 'contract', 'package-lock.json', 'bin/lib/bundleServer.js']

const stamp = () => at('dist', 'server.built-from')

/** The server as one program, which starts in half the time of its files and takes less memory. */
export const builtServer = () => at('dist', 'server', 'main.js')

/** Builds the server into dist/server if any of its inputs changed. */
export async function ensureServerBuilt() {
  const now = hashOf(INPUTS)
  if (existsSync(builtServer()) && existsSync(stamp()) && readFileSync(stamp(), 'utf8') === now) return
  const shown = progress('Building the server')
  rmSync(at('dist', 'server'), { recursive: true, force: true })
  const { code, output } = await runNode([at('bin', 'lib', 'bundleServer.js')], { capture: true })
  if (code !== 0) {
    shown.failed()
    throw new Problem(`${output.trim()}\nThe server couldn't be built.`)
  }
  writeFileSync(stamp(), now)
  shown.done()
}
