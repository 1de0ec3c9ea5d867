import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** What shrinks. Fonts and pictures are compressed in themselves. */
const TEXT = /\.(?:css|html|js|json|svg|txt|webmanifest)$/

/** The best that each format does: it's paid for once, at build time. */
const formats = [
  {
    ending: '.br',
    compress: (bytes) =>
      promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  },
  { ending: '.gz', compress: (bytes) => promisify(gzip)(bytes, { level: 9 }) },
]

/**
 * Writes a brotli and a gzip copy beside each text file below the folder, for the server to send instead. Where a copy
 * isn't smaller than the file, there is none.
 * @param {string} folder
 */
export async function precompress(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => TEXT.test(name))
  await Promise.all(
    files.map(async (name) => {
      const bytes = await readFile(join(folder, name))
      for (const { ending, compress } of formats) {
        const compressed = await compress(bytes)
        if (compressed.length < bytes.length) await writeFile(join(folder, name + ending), compressed)
      }
    }),
  )
}
