import { expect, it } from 'vitest'
import { reloadIfUseful } from './newBuild.ts'

const page = (entry: string) => `<script type="module" crossorigin src="/assets/${entry}.js"></script>`

function browser(served: string | undefined) {
  const kept = new Map<string, string>()
  const counted = { reloads: 0, served }
  return {
    counted,
    tools: {
      readPage: () => Promise.resolve(counted.served && page(counted.served)),
      ownEntry: '/assets/index-old.js',
      storage: () => ({
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => void kept.set(key, value),
      }),
      reload: () => void (counted.reloads += 1),
    },
  }
}

it('reloads the page for a new build, once for each', async () => {
  const { counted, tools } = browser('index-new')
  expect(await reloadIfUseful(false, tools)).toBe(true)
  expect(await reloadIfUseful(false, tools)).toBe(false)
  expect(await reloadIfUseful(true, tools)).toBe(false)
  counted.served = 'index-newer'
  expect(await reloadIfUseful(false, tools)).toBe(true)
  expect(counted.reloads).toBe(2)
})

it("keeps the page if the server doesn't respond, or with something else", async () => {
  const { counted, tools } = browser(undefined)
  expect(await reloadIfUseful(true, tools)).toBe(false)
  expect(await reloadIfUseful(true, { ...tools, readPage: () => Promise.resolve('<h1>Bad gateway</h1>') })).toBe(false)
  expect(counted.reloads).toBe(0)
})

it('reloads the same build only on request, and once', async () => {
  const { counted, tools } = browser('index-old')
  expect(await reloadIfUseful(false, tools)).toBe(false)
  expect(await reloadIfUseful(true, tools)).toBe(true)
  expect(await reloadIfUseful(true, tools)).toBe(false)
  expect(counted.reloads).toBe(1)
})

it("never reloads if it can't be remembered, because that might go on forever", async () => {
  const { counted, tools } = browser('index-new')
  const storage = () => {
    throw new DOMException('storage is switched off', 'SecurityError')
  }
  expect(await reloadIfUseful(true, { ...tools, storage })).toBe(false)
  expect(counted.reloads).toBe(0)
})
