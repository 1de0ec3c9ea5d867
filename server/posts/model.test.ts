import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sequence } from '../testing/model/actions.ts'
import { openModelFixture, type ModelFixture } from '../testing/model/fixture.ts'

/* A server whose guards can be taken out one by one: the proof that the comparison sees what they are for. */
const missing = vi.hoisted(() => {
  // files share their modules (vitest.config.ts): those of this one are loaded with the guards that can be taken out
  vi.resetModules()
  return new Set<string>()
})
vi.mock(import('./cap.ts'), async (original) => {
  const real = await original()
  return { ...real, mustFitCap: async (...args) => (missing.has('cap') ? undefined : await real.mustFitCap(...args)) }
})
vi.mock(import('../approvals/rounds.ts'), async (original) => {
  const real = await original()
  return {
    ...real,
    lastRoundOf: async (...args) => (missing.has('voiding') ? undefined : await real.lastRoundOf(...args)),
  }
})

/** In every test; `npm run bench -- model` asks for all. */
const RUNS = Number(process.env['MODEL_SEQUENCES'] ?? 200)
/** So that one that hangs ends. It takes some tens of them alone, and hundreds where the machine has other work. */
const MILLISECONDS_EACH = 3000
/** How many sequences a server without one of its guards may survive. */
const MOST = 300
let theatre: ModelFixture
beforeAll(async () => {
  theatre = await openModelFixture()
})
afterAll(async () => {
  await theatre.close()
  vi.resetModules()
})

/* What the sequences must have met for the comparison to say anything. */
const met = [
  'submit done',
  'series done',
  'ask done',
  'edit done',
  'edit FORBIDDEN',
  'move done',
  'approve done',
  'approve FORBIDDEN',
  'delete done',
  'PUBLISHED',
  'QUEUED',
  'SCHEDULED',
  'NEEDS_APPROVAL',
  'DELETED',
]

describe('whatever people do to posts, in whatever order', () => {
  test(
    'the product stands where the model stands, after every action of every random sequence',
    async () => {
      await fc.assert(
        fc.asyncProperty(sequence, (actions) => theatre.play(actions)),
        { numRuns: RUNS, endOnFailure: true },
      )
      expect(met.filter((what) => !theatre.tally.has(what))).toEqual([])
    },
    RUNS * MILLISECONDS_EACH,
  )

  test.each(['cap', 'voiding'])(
    'a server without its %s is noticed',
    async (guard) => {
      missing.add(guard)
      try {
        // about one random sequence in forty-five shows it: this seed comes to one soon
        const { failed, errorInstance } = await fc.check(
          fc.asyncProperty(sequence, (actions) => theatre.play(actions)),
          { seed: 7, numRuns: MOST, endOnFailure: true },
        )
        expect(failed).toBe(true)
        expect(errorInstance).toMatchObject({ name: 'Difference' })
      } finally {
        missing.delete(guard)
      }
    },
    MOST * MILLISECONDS_EACH,
  )
})
