import { expect, test } from 'vitest'
import { runFaults } from '../testing/faultRun.ts'

test('publishes 300 posts through bad answers and 10 kills of workers and the database: none twice, none missing, none unexplained', async () => {
  const report = await runFaults({
    posts: 300,
    kills: 10,
    channels: 60,
    workers: 2,
    seed: 20261121,
    faults: {},
    deadline: 240_000,
  })
  expect(report).toMatchObject({
    twice: [],
    missing: [],
    unexplained: [],
    states: { PUBLISHED: 300 },
    kills: { workers: 8, databases: 2 },
  })
}, 300_000)
