import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from './places.js'

/** Fonts of alphabets that few pages need are cached when they're used. */
const FONT = /\.woff2$/
const COMMON_FONT = /-latin-wght-.*\.woff2$/
/** What the worker leaves to the browser or doesn't need: itself, the server's list of screens, source maps. */
const LEFT_OUT = /(?:^sw\.js|^index\.html|^screens\.json|\.map|\.br|\.gz)$/

/**
 * Writes the list of a build's files into its service worker, sw.js, which names it BUILD. Any change to any file makes
 * a different worker.
 * @param {string} folder the built web
 */
export async function completeServiceWorker(folder) {
  const path = join(folder, 'sw.js')
  const code = await readFile(path, 'utf8')
  // it's started as a classic script, because not all browsers support module workers
  if (/^\s*(?:import|export)\b[^(]/m.test(code))
    throw new Problem('web/serviceWorker/worker.ts must not import anything.')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((name) => !LEFT_OUT.test(name) && (!FONT.test(name) || COMMON_FONT.test(name)))
    .toSorted()
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const [, entry] = /<script type="module"[^>]* src="([^"]+)"/.exec(page) ?? []
  if (!entry) throw new Problem('The built page names no script.')
  const hash = createHash('sha256').update(page).update(code)
  for (const name of files) hash.update(name).update(await readFile(join(folder, name)))
  const build = {
    id: hash.digest('hex').slice(0, 16),
    entry,
    named: files.filter((name) => !name.startsWith('assets/')).map((name) => `/${name}`),
    hashed: files.filter((name) => name.startsWith('assets/')).map((name) => `/${name}`),
  }
  await writeFile(path, `const BUILD = ${JSON.stringify(build)}\n${code}`)
  return build
}
