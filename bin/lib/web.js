import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { at, Problem, root } from './places.js'
import { precompress } from './precompress.js'
import { progress } from './progress.js'
import { runNode } from './run.js'
import { completeServiceWorker } from './serviceWorker.js'

const INPUTS = [
  'web',
  'charts',
  'contract',
  'vite.config.ts',
  'vite.chunks.ts',
  'package-lock.json',
  'bin/lib/precompress.js',
  'bin/lib/serviceWorker.js',
]

const stamp = () => at('dist', 'web.built-from')

/** Builds the web app into dist/web, with compressed copies, if any of its inputs changed. */
export async function ensureWebBuilt() {
  const now = hashOf(INPUTS)
  if (existsSync(at('dist', 'web', 'index.html')) && existsSync(stamp()) && readFileSync(stamp(), 'utf8') === now)
    return
  const shown = progress('Building the web app')
  const { code, output } = await runNode([at('node_modules', 'vite', 'bin', 'vite.js'), 'build'], {
    capture: true,
    env: { NODE_ENV: 'production' },
  })
  if (code !== 0) {
    shown.failed()
    throw new Problem(`${output.trim()}\nThe web app couldn't be built.`)
  }
  await completeServiceWorker(at('dist', 'web'))
  await precompress(at('dist', 'web'))
  mkdirSync(at('dist'), { recursive: true })
  writeFileSync(stamp(), now)
  shown.done()
}

/** A hash of the files' contents and their paths below `folder`, so that a moved or copied clone isn't built again. */
export function hashOf(paths, folder = root) {
  const hash = createHash('sha256')
  for (const path of paths) {
    for (const file of filesBelow(join(folder, path)))
      hash
        .update(`${relative(folder, file)}\0`)
        .update(readFileSync(file))
        .update('\0')
  }
  return hash.digest('hex')
}

/** The files that can change the result, in a fixed order; tests can't. */
function filesBelow(path) {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return /\.test\.tsx?$/.test(path) ? [] : [path]
  return readdirSync(path)
    .filter((name) => name !== 'node_modules')
    .toSorted()
    .flatMap((name) => filesBelow(join(path, name)))
}
