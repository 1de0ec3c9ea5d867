import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { ensureInstalled } from './install.js'
import { at, packagedNode, Problem } from './places.js'
import { environment, run } from './run.js'

const FOLDER = 'server/testing/pds'
const SQLITE = 'node_modules/better-sqlite3'

/** Installs the real Bluesky server for tests into its own folder, and builds its SQLite for the packaged Node. */
export async function ensureBlueskyServer() {
  await ensureInstalled(FOLDER, 'Installing the Bluesky server for tests (the first time only)', { quiet: true })
  if (existsSync(at(FOLDER, SQLITE, 'build', 'Release', 'better_sqlite3.node')) && (await loads())) return
  const headers = dirname(dirname(packagedNode()))
  const args = [nodeGyp(), 'rebuild', '--release', '--jobs=2', `--nodedir=${headers}`]
  const { code, output } = await run(packagedNode(), args, { capture: true, cwd: at(FOLDER, SQLITE), env: environment() })
  if (code !== 0)
    throw new Problem(`${output.slice(-3000)}\nSQLite could not be built for the Bluesky server: it needs python3, make and g++.`)
}

/** Whether what was built is for the packaged Node of today. */
async function loads() {
  const { code } = await run(packagedNode(), ['-e', "new (require('better-sqlite3'))(':memory:')"], { capture: true, cwd: at(FOLDER) })
  return code === 0
}

/** The node-gyp that npm brings along. */
function nodeGyp() {
  const candidates = [process.env.npm_execpath, ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'npm'))]
  for (const candidate of candidates) {
    if (!candidate || !existsSync(candidate)) continue
    const script = join(dirname(dirname(realpathSync(candidate))), 'node_modules', 'node-gyp', 'bin', 'node-gyp.js')
    if (existsSync(script)) return script
  }
  throw new Problem('npm brings no node-gyp along, which builds SQLite for the Bluesky server.')
}
