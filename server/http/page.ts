import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** The page as it's sent for some paths; `etag` identifies these bytes. */
export type Page = { html: string; etag: string }

/** Files of each screen, as vite.chunks.ts writes them. */
const Screens = z.record(z.string(), z.array(z.string()))

/** Pages of a project whose paths continue: `posts/drafts`, `post/<id>`. */
const LONGER = new Set(['post', 'posts'])

/**
 * Reads the built page. `for(path)` is the page for a path: with links that fetch its screen's files next to the app's
 * own, because the app only requests them once it runs. `scripts` are the hashes of its inline scripts, for the content
 * security policy.
 */
export function readPages(root: string): { for: (path: string) => Page; scripts: readonly string[] } {
  const html = readFileSync(join(root, 'index.html'), 'utf8')
  const screens = Screens.parse(JSON.parse(readFileSync(join(root, 'screens.json'), 'utf8')))
  const made = new Map<string, Page>()
  return {
    for: (path) => {
      const names = screensOf(path).filter((name) => Object.hasOwn(screens, name))
      const key = names.join()
      const page = made.get(key) ?? linked(html, [...new Set(names.flatMap((name) => screens[name] ?? []))])
      made.set(key, page)
      return page
    },
    scripts: [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(
      ([, code = '']) => `'sha256-${hash('sha256', code, 'base64')}'`,
    ),
  }
}

function linked(html: string, files: readonly string[]): Page {
  const links = files.map((file) => `\n    <link rel="modulepreload" crossorigin href="/${file}">`).join('')
  const whole = html.replace(/<script type="module"[^>]*><\/script>/, (entry) => entry + links)
  return { html: whole, etag: `W/"${hash('sha256', whole, 'base64url').slice(0, 22)}"` }
}

/** The names of a path's screens, by the convention that web/app/router.tsx follows. */
function screensOf(path: string): string[] {
  const [first = '', second, , page = 'dashboard', ...more] = path.split('/').slice(1)
  if (second === 'project') return more.length === 0 || LONGER.has(page) ? ['shell', page] : ['shell']
  return second ? [] : [first]
}
