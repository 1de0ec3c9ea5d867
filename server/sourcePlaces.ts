import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * `npm start` runs the server as one file (bin/lib/bundleServer.js). Node could show every error's place in the source, but
 * would keep the map in memory, which takes more than the program. It's read when an error is logged, and forgotten soon.
 */

const PLACE = /(?<=\(|at (?:async )?)((?:file:\/\/)?\S*[/\\]dist[/\\]server[/\\][\w-]+\.js):(\d+):(\d+)(?=\)|$)/gm

/** How long maps are kept, because errors often come together. Milliseconds. */
const KEPT = 10_000
let kept: Map<string, SourceMap | undefined> | undefined

/** The stack with places in the built program replaced by those in its source, relative to the project; as it is without. */
export function inSources(stack: string): string {
  return stack.replace(PLACE, (place: string, file: string, line: string, column: string) => {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file
    const origin = mapOf(path)?.findOrigin(Number(line), Number(column))
    if (!origin || !('fileName' in origin)) return place
    const folder = dirname(path)
    const source = relative(join(folder, '..', '..'), join(folder, origin.fileName))
    return `${source}:${origin.lineNumber}:${origin.columnNumber}`
  })
}

/** Undefined where there is no map, or none that can be read: the place stays, and the error is logged all the same. */
function mapOf(path: string): SourceMap | undefined {
  const maps = kept ?? new Map<string, SourceMap | undefined>()
  if (!kept) {
    kept = maps
    setTimeout(() => (kept = undefined), KEPT).unref()
  }
  if (!maps.has(path)) maps.set(path, read(path))
  return maps.get(path)
}

function read(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
  } catch {
    return undefined
  }
}
