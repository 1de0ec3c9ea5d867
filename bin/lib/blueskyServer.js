import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { ensureInstalled } from './install.js'
import { at, packagedNode, Problem } from './places.js'
import { environment, run } from './run.js'

const FOLDER = 'server/testing/pds'
const SQLITE = 'node_modules/better-sqlite3'

/** Installs the real Bluesky server for tests into its own folder, and builds its SQLite for the packaged Node. */
export async function ensureBlueskyServer() {
  await ensureInstalled(FOLDER, 'Installing the Bluesky server for tests (the first time only)', { quiet: true })
  const node = await run(packagedNode(), ['--version'], { capture: true })
  const stamp = at(FOLDER, SQLITE, 'build', '.built-for')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === node.output) return
  // node-gyp prefers the variable to its own argument, and a person's npm configuration may have set another one
  const env = environment({ npm_config_nodedir: dirname(dirname(packagedNode())) })
  const { code, output } = await run(packagedNode(), [nodeGyp(), 'rebuild', '--release'], {
    capture: true,
    cwd: at(FOLDER, SQLITE),
    env,
  })
  if (code !== 0)
    throw new Problem(
      `${output.slice(-3000)}\nSQLite couldn't be built for the Bluesky server. It needs python3, make and g++.`,
    )
  writeFileSync(stamp, node.output)
}

/** The node-gyp that npm brings along. */
function nodeGyp() {
  const candidates = [
    process.env.npm_execpath,
    ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'npm')),
  ]
  for (const candidate of candidates) {
    if (!candidate || !existsSync(candidate)) continue
    const script = join(dirname(dirname(realpathSync(candidate))), 'node_modules', 'node-gyp', 'bin', 'node-gyp.js')
    if (existsSync(script)) return script
  }
  throw new Problem("npm doesn't include node-gyp, which builds SQLite for the Bluesky server.")
}
