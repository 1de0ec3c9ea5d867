import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { completeServiceWorker } from './serviceWorker.js'

const PAGE = '<!doctype html><script type="module" crossorigin src="/assets/index-a1.js"></script>'

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rookery-worker-'))
  mkdirSync(join(folder, 'assets'))
  const files = {
    'index.html': PAGE,
    'sw.js': 'console.log(BUILD)',
    'icon.svg': '<svg/>',
    'assets/index-a1.js': '1',
    'assets/index-a1.css': 'a{}',
    'assets/inter-latin-wght-normal-b2.woff2': 'latin',
    'assets/inter-greek-wght-normal-c3.woff2': 'greek',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
})
afterEach(() => rmSync(folder, { recursive: true }))

it('lists the files of the build for its service worker, fonts of rare alphabets skipped', async () => {
  const build = await completeServiceWorker(folder)
  expect(build).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{16}$/),
    entry: '/assets/index-a1.js',
    named: ['/icon.svg'],
    hashed: ['/assets/index-a1.css', '/assets/index-a1.js', '/assets/inter-latin-wght-normal-b2.woff2'],
  })
  expect(readFileSync(join(folder, 'sw.js'), 'utf8')).toBe(`const BUILD = ${JSON.stringify(build)}\nconsole.log(BUILD)`)
})

it('makes a different worker when a file that keeps its name changes', async () => {
  const before = await completeServiceWorker(folder)
  writeFileSync(join(folder, 'sw.js'), 'console.log(BUILD)')
  writeFileSync(join(folder, 'icon.svg'), '<svg width="2"/>')
  expect((await completeServiceWorker(folder)).id).not.toBe(before.id)
})

it('refuses a worker that imports, which not all browsers can start', async () => {
  writeFileSync(join(folder, 'sw.js'), 'import { a } from "./assets/a.js"\nconsole.log(BUILD)')
  await expect(completeServiceWorker(folder)).rejects.toThrow('must not import')
})
