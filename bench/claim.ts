import { randomUUIDv7 } from 'node:crypto'
import type pg from 'pg'
import { systemClock } from '../server/clock.ts'
import { claimDeliveries } from '../server/delivery/claim.ts'
import { publishingOptions } from '../server/delivery/options.ts'
import { composePlatforms } from '../server/platforms/registry.ts'
import { openHarness } from '../server/testing/harness.ts'
import { makeChannels, makePosts, makePublishingFixture, simulatedSecret } from '../server/testing/publishing.ts'

/*
 * How much of the database one claim reads and writes (EXPLAIN ANALYZE, BUFFERS) while 10,000 posts are due and 20,000
 * are scheduled on 500 channels, in buffers per claimed delivery: at most 200, however many are stored. Triggers count
 * too.
 */

const [CHANNELS, DUE, FUTURE, MOST] = [500, 10_000, 20_000, 200]

const bluesky = composePlatforms({ plcDirectory: 'https://plc.test' })('bluesky')
if (!bluesky) throw new Error('no adapter')
const stage = await openHarness()
try {
  const now = systemClock.now()
  const house = await makePublishingFixture(stage.owner, now)
  const channels = await makeChannels(stage.owner, house, CHANNELS, {
    now,
    secret: ({ did }) => simulatedSecret('http://platform.test', did),
  })
  const channelOf = (i: number) => channels[i % CHANNELS]?.channelId ?? ''
  const parts = { owner: stage.owner, databases: stage.databases, clock: systemClock }
  const future = (i: number) => new Date(now.getTime() + 3_600_000 + i * 1000)
  await makePosts(
    parts,
    house,
    Array.from({ length: DUE }, (_, i) => ({ channelId: channelOf(i), dueAt: now, text: `due ${i}` })),
  )
  await makePosts(
    parts,
    house,
    Array.from({ length: FUTURE }, (_, i) => ({ channelId: channelOf(i), dueAt: future(i), text: `later ${i}` })),
  )
  await stage.owner.query('vacuum analyze')
  // the first one reads the catalog
  await buffersOf(1)
  for (const slots of [1, 16, 80]) {
    const each = (await buffersOf(slots)) / slots
    console.log(`a claim of ${slots}: ${each.toFixed(0)} buffers for each delivery (at most ${MOST})`)
    if (each > MOST) process.exitCode = 1
  }
} finally {
  await stage.close()
}

/** The buffers of one real claim: its statement is run with EXPLAIN ANALYZE. */
async function buffersOf(slots: number): Promise<number> {
  if (!bluesky) throw new Error('no adapter')
  let plan = ''
  const explained = {
    query: async ({ text, values }: { text: string; values: unknown[] }) => {
      const { rows } = await stage.databases.publishing.query<Record<string, string>>(
        `explain (analyze, buffers) ${text}`,
        values,
      )
      plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      return { rows: [] }
    },
  }
  await claimDeliveries(
    // the only method that a claim calls on its pool
    explained as unknown as pg.Pool,
    {
      now: systemClock.now(),
      nodeId: randomUUIDv7(),
      slots,
      transfers: 4,
      shares: new Map([[bluesky, slots]]),
      shareOfServer: () => slots,
      crowded: new Map(),
      held: new Map(),
    },
    publishingOptions(),
  )
  const [, hit = '0', , read = '0'] = /shared hit=(\d+)( read=(\d+))?/.exec(plan) ?? []
  return Number(hit) + Number(read)
}
