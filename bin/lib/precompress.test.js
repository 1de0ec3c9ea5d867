import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { precompress } from './precompress.js'

const SCRIPT = `console.log(${JSON.stringify('rook '.repeat(500))})`

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rookery-precompress-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('writes brotli and gzip copies of text files, in subfolders too', async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'assets', 'main.js'), SCRIPT)
  writeFileSync(join(folder, 'index.html'), `<!doctype html>${'<p>rook</p>'.repeat(100)}`)
  await precompress(folder)
  expect(readdirSync(folder).toSorted()).toEqual(['assets', 'index.html', 'index.html.br', 'index.html.gz'])
  const read = (ending) => readFileSync(join(folder, 'assets', `main.js${ending}`))
  expect(brotliDecompressSync(read('.br')).toString()).toBe(SCRIPT)
  expect(gunzipSync(read('.gz')).toString()).toBe(SCRIPT)
  expect(read('.br').length).toBeLessThan(SCRIPT.length / 10)
})

it("leaves out copies that wouldn't be smaller, and compressed files", async () => {
  writeFileSync(join(folder, 'tiny.js'), '1')
  writeFileSync(join(folder, 'font.woff2'), 'x'.repeat(1000))
  await precompress(folder)
  expect(readdirSync(folder).toSorted()).toEqual(['font.woff2', 'tiny.js'])
})
