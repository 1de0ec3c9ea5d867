import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { modelBytes, modelRuns } from './modelRuns.ts'

const said = vi.spyOn(console, 'log').mockReturnValue(undefined)
beforeEach(() => said.mockClear())
afterAll(() => said.mockRestore())

const hash = (last: number) => `72b2e231${last.toString(16).padStart(32, '0')}`
const played = (env: Record<string, string>) =>
  [modelRuns('billing model', env).runs, modelRuns('draft race', env).runs, modelBytes(env) / 1_000_000] as const

it('plays a sample in the gate, and everything when asked', () => {
  expect(played({})).toEqual([40, 10, 17])
  expect(played({ MODEL_RUNS: 'full' })).toEqual([200, 40, 40])
  expect(played({ MODEL_RUNS: '7' })).toEqual([7, 7, 17])
})

it('plays one in full by the hash of the commit, and each has its turn', () => {
  const all = Array.from({ length: 18 }, (_, i) => played({ MODEL_CHOICE: hash(i) }))
  expect(all.filter(([billing]) => billing === 200)).toHaveLength(1)
  expect(all.filter(([, race]) => race === 40)).toHaveLength(1)
  expect(all.filter(([, , bytes]) => bytes === 40)).toHaveLength(1)
  expect(all.every((each) => each.filter((count, i) => count === [200, 40, 40][i]).length <= 1)).toBe(true)
  expect(played({ MODEL_CHOICE: 'main' })).toEqual([40, 10, 17])
})

it('has another seed in each run, says which, and repeats one', () => {
  const seeds = Array.from({ length: 5 }, () => modelRuns('billing model', {}).seed)
  expect(new Set(seeds).size).toBe(5)
  expect(said.mock.calls.flat()).toEqual(seeds.map((seed) => `billing model: 40 of 200, MODEL_SEED=${seed}`))
  expect(modelRuns('billing model', { MODEL_SEED: '42' }).seed).toBe(42)
  expect(() => modelRuns('billing model', { MODEL_SEED: 'x' })).toThrow('instead of a number')
})
