import { expect, it } from 'vitest'
import { environment, run } from './run.js'
import { at, packagedNode } from './places.js'
import { keepSmall } from './trim.js'

/** Fills and frees 80 MB in small blocks of which every hundredth stays, and prints what the process takes at each step. */
const PROGRAM = `
  const { openTrim } = await import(${JSON.stringify(at('bin', 'lib', 'trim.js'))})
  const trim = openTrim()
  const sizes = []
  const measure = () => sizes.push(Math.round(process.memoryUsage.rss() / 1e6))
  let blocks = Array.from({ length: 2000 }, () => Buffer.allocUnsafeSlow(40_000).fill(1))
  blocks = blocks.filter((_, i) => i % 100 === 99)
  gc()
  gc()
  measure()
  trim()
  measure()
  console.log(JSON.stringify({ sizes, kept: blocks.length }))
`

it.runIf(process.platform === 'linux')('returns what is free between blocks in use', async () => {
  const { code, output } = await run(
    packagedNode(),
    ['--expose-gc', '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', PROGRAM],
    { capture: true, env: environment({ MALLOC_ARENA_MAX: '1' }) },
  )
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^\{.*\}\n$/) })
  const { sizes, kept } = JSON.parse(output)
  expect(kept).toBe(20)
  expect(sizes[0] - sizes[1]).toBeGreaterThan(60)
})

it('collects after a load, when the thread is quiet, and returns what is free every time', () => {
  const sizes = [50e6, 60e6, 150e6, 150e6, 60e6, 75e6, 77e6, 58e6, 60e6]
  const done = []
  const look = keepSmall({
    trim: () => done.push('trim'),
    collect: () => done.push('collect'),
    heapSize: () => sizes.shift() ?? 0,
    busy: () => (sizes.length === 6 ? 0.9 : 0.01),
  })
  const perLook = []
  while (sizes.length > 0) {
    look()
    perLook.push(done.splice(0).join(' '))
  }
  // started at 50 and 60; 150 while busy, and when quiet: to 60; 75; 77: to 58; 60
  expect(perLook).toEqual(['trim', 'trim', 'trim', 'collect trim', 'trim', 'collect trim', 'trim'])
})
