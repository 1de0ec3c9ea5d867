import { expect, test } from 'vitest'
import { runPeople } from '../testing/faultRun.ts'

test('publishes series, queues, approvals and batches submitted while workers and the database are killed as often as it should, and nothing unapproved', async () => {
  const report = await runPeople({
    rounds: 6,
    kills: 10,
    channels: 8,
    workers: 2,
    seed: 20261121,
    faults: {},
    deadline: 240_000,
  })
  expect(report).toMatchObject({
    twice: [],
    missing: [],
    unexplained: [],
    unexpected: [],
    unapproved: 6 * 4,
    states: { PUBLISHED: 6 * (4 * 5 + 8), NEEDS_APPROVAL: 6 * 4 },
    kills: { workers: 8, databases: 2 },
  })
}, 300_000)
