import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Files worth compressing. Fonts and images are compressed already. */
const TEXT = /\.(?:css|html|js|json|svg|txt|webmanifest)$/

/** The best quality of each format: its cost is paid once, at build time. */
const formats = [
  {
    ending: '.br',
    compress: (bytes) =>
      promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  },
  { ending: '.gz', compress: (bytes) => promisify(gzip)(bytes, { level: 9 }) },
]

/**
 * Writes a brotli and a gzip copy next to each text file in the folder, for the server to send instead. If a copy isn't
 * smaller than the file, there's none.
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
