import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sequence } from '../testing/model/actions.ts'
import { modelRuns, timeoutFor } from '../testing/modelRuns.ts'
import { openModelFixture, type ModelFixture } from '../testing/model/fixture.ts'

/* A server whose guards can be removed one by one: the proof that the comparison notices what they're for. */
const missing = vi.hoisted(() => {
  // files share their modules (vitest.config.ts): this one's are loaded with removable guards
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

/** `npm run bench -- model` plays 10,000. */
const { runs, seed, timeout } = modelRuns('posts model')
/** How many sequences a server without one of its guards may survive. */
const MOST = 300
let fixture: ModelFixture
beforeAll(async () => {
  fixture = await openModelFixture()
})
afterAll(async () => {
  await fixture.close()
  vi.resetModules()
})

/* What the sequences must have covered for the comparison to mean anything. */
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

describe('any sequence of actions on posts', () => {
  test('the product matches the model after every action of every random sequence', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(sequence, (actions) => fixture.play(actions)),
      { numRuns: runs, seed, endOnFailure: true },
    )
    expect(met.filter((what) => !fixture.tally.has(what))).toEqual([])
  })

  test.each(['cap', 'voiding'])(
    'a server without its %s is noticed',
    { timeout: timeoutFor(MOST, 5000) },
    async (guard) => {
      missing.add(guard)
      try {
        // about one random sequence in 45 shows it: this seed reaches one soon
        const { failed, errorInstance } = await fc.check(
          fc.asyncProperty(sequence, (actions) => fixture.play(actions)),
          { seed: 7, numRuns: MOST, endOnFailure: true },
        )
        expect(failed).toBe(true)
        expect(errorInstance).toMatchObject({ name: 'Difference' })
      } finally {
        missing.delete(guard)
      }
    },
  )
})
