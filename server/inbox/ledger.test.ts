import { deepStrictEqual } from 'node:assert'
import * as fc from 'fast-check'
import { Client, Pool, type QueryConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InboxChange } from '../platforms/inbox.ts'
import { asSystem } from '../db/system.ts'
import { clientConfig } from '../db/pools.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import type { InboxChannel } from './channel.ts'
import { applyChanges, type Applied } from './store.ts'
import { modelRuns, timeoutFor } from '../testing/modelRuns.ts'
import { pageOf, play, recounted, sequence, type Sequence } from '../testing/inboxLedger.ts'

/*
 * What the inbox hears of a platform is late, doubled, dropped and out of order; in the end a reading tells everything once
 * more. Then the inbox equals the platform, whatever came before, and its counters equal a recount at every moment.
 *
 * Sequences share a channel, a hundred at a time, and each delivery is stored for all of them at once. A difference is then looked for in one sequence alone, which fast-check makes small.
 */

const { runs, seed, timeout } = modelRuns('inbox ledger')
const TOGETHER = 100
/** What a hundred may take on a busy machine, in milliseconds. */
const EACH = 60_000

let app: TestApp
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
})
afterAll(() => app.close())

const COLUMNS =
  'kind, thread_key, last_at, last_direction, preview, last_received_at, unanswered, waiting_since, answered'
/** What counts of conversations say that isn't so by their items, at any moment. */
const WRONG = `
  select c.thread_key, c.kind, c.unanswered, n.unanswered as counted from conversation c cross join lateral (
    select count(*) filter (where i.direction = 'received' and not i.hidden and i.at > coalesce(o.at, '-infinity')) as unanswered,
      min(i.at) filter (where i.direction = 'received' and not i.hidden and i.at > coalesce(o.at, '-infinity')) as since,
      max(i.at) filter (where i.direction = 'received') as received, count(o.at) > 0 as answered
    from inbox_item i left join (select max(at) as at from inbox_item where conversation_id = c.id and direction = 'sent' and deleted_at is null) o on true
    where i.conversation_id = c.id and i.deleted_at is null) n
  where c.channel_id = $1 and (c.unanswered <> n.unanswered or c.waiting_since is distinct from n.since or c.last_received_at is distinct from n.received)`

async function newChannel(): Promise<InboxChannel> {
  const home = await app.signedInOwner()
  const channelId = await contentOn(app.parts).channel(home)
  return { orgId: home.orgId, projectId: home.projectId, channelId, platform: 'bluesky' }
}

/** Plays sequences beside each other on a new channel. Throws at the first difference. */
async function runTogether(
  channel: InboxChannel,
  sequences: readonly Sequence[],
  pool: Pool = app.parts.databases.system,
): Promise<void> {
  const { channelId } = channel
  const { owner: database } = app.database
  const store = async (changes: readonly InboxChange[]): Promise<Applied> => {
    const applied = await asSystem(pool, (tx) => applyChanges(tx, channel, changes, { now: app.parts.clock.now() }))
    const { rows } = await database.query(WRONG, [channelId])
    deepStrictEqual(rows, [])
    return applied
  }
  const played = sequences.map((one, i) => ({ ...one, ...play(one.actions, `${i} `) }))
  const rounds = Math.max(...played.map(({ deliveries }) => deliveries.length))
  for (let round = 0; round < rounds; round++)
    await store(played.flatMap(({ deliveries, told }) => (deliveries[round] ?? []).flatMap((at) => told[at] ?? [])))
  // deletions are remembered for 30 days, those of items that are here by the items themselves
  await database.query(
    'delete from inbox_tombstone t using inbox_item i where t.channel_id = $1 and i.channel_id = $1 and i.remote_id = t.remote_id',
    [channelId],
  )
  const pages = Math.max(...played.map((one) => one.pages))
  for (let page = 0; page < pages; page++)
    await store(played.flatMap((one) => pageOf(one, page).flatMap((at) => one.told[at] ?? [])))

  const byKey = (a: { kind?: string; thread_key?: string }, b: typeof a) =>
    `${a.kind} ${a.thread_key}` < `${b.kind} ${b.thread_key}` ? -1 : 1
  const { rows: conversations } = await database.query<{ kind: string; thread_key: string }>(
    `select ${COLUMNS} from conversation where channel_id = $1`,
    [channelId],
  )
  deepStrictEqual(conversations.toSorted(byKey).map(plain), played.flatMap(recounted).toSorted(byKey))
  const { rows: items } = await database.query<{ remote_id: string; hidden: boolean }>(
    `select i.remote_id, i.direction, i.text, i.hidden, i.deleted_at, c.kind, c.thread_key
     from inbox_item i join conversation c on c.org_id = i.org_id and c.id = i.conversation_id where i.channel_id = $1`,
    [channelId],
  )
  const stored = new Map(items.map((item) => [item.remote_id, item]))
  deepStrictEqual(stored.size, items.length)
  for (const { ledger, gone } of played)
    for (const { remoteId, isOurs, text, hidden, conversation, threadKey } of ledger.values()) {
      const item = stored.get(remoteId)
      deepStrictEqual(item && plain(item), {
        remote_id: remoteId,
        direction: isOurs ? 'sent' : 'received',
        text: gone.has(remoteId) ? null : text,
        // nobody looks at what is gone
        hidden: gone.has(remoteId) ? item?.hidden : hidden,
        deleted_at: gone.get(remoteId) ?? null,
        kind: conversation,
        thread_key: threadKey,
      })
      stored.delete(remoteId)
    }
  deepStrictEqual([...stored.keys()], [])
  // whatever has someone waiting was opened, since nobody closed it
  const { rows: closed } = await database.query(
    "select 1 from conversation where channel_id = $1 and status <> 'OPEN' and unanswered > 0",
    [channelId],
  )
  deepStrictEqual(closed, [])
  deepStrictEqual(await store(played.flatMap(({ told }) => told)), { changed: [], received: [] })
}

/** Rows of pg have no prototype's methods, but one of their own. */
const plain = (row: object) => ({ ...row })

it(
  'equals the platform after any deliveries and one reading, and its counts equal a recount at every moment',
  { timeout },
  async () => {
    const all = fc.sample(sequence, { numRuns: runs, seed })
    for (let from = 0; from < all.length; from += TOGETHER) {
      const together = all.slice(from, from + TOGETHER)
      try {
        await runTogether(await newChannel(), together)
      } catch (error) {
        // the smallest sequence that differs by itself; where none does, it was their being together
        await fc.assert(
          fc.asyncProperty(sequence, async (one) => runTogether(await newChannel(), [one])),
          { numRuns: runs, seed },
        )
        throw new Error(`seed ${seed}, from ${from}`, { cause: error })
      }
    }
    expect(all).toHaveLength(runs)
  },
)

describe('a guard of the store', () => {
  /** How often a hundred more are played: some guards need a rare order, which this seed reaches soon. */
  const ROUNDS = 20
  /** How a statement of the store is changed, and what nobody would notice without it. */
  const guards = [
    [
      'an older version changes nothing',
      'excluded.remote_version > i.remote_version',
      'excluded.remote_version <> i.remote_version',
    ],
    [
      'a late item is stored as deleted',
      'left join inbox_tombstone t on t.org_id',
      'left join inbox_tombstone t on false and t.org_id',
    ],
    ['a deletion is final', 'where i.deleted_at is null and (', 'where ('],
    [
      'a deletion erases the text',
      "set deleted_at = g.at, text = null, media = '[]'",
      "set deleted_at = g.at, media = '[]'",
    ],
    [
      'hidden items wait for nothing',
      'and deleted_at is null and not hidden and at >',
      'and deleted_at is null and at >',
    ],
    [
      'deleted items wait for nothing',
      "direction = 'received' and deleted_at is null and not hidden",
      "direction = 'received' and not hidden",
    ],
    [
      'a deleted answer is none',
      "direction = 'sent' and deleted_at is null order by at desc limit 1) o",
      "direction = 'sent' order by at desc limit 1) o",
    ],
    [
      'the last item is one that is there',
      'conversation_id = c.id and deleted_at is null order by at desc, id desc limit 1) l',
      'conversation_id = c.id order by at desc, id desc limit 1) l',
    ],
    [
      'a conversation is opened once',
      "on conflict (org_id, channel_id, (kind = 'message'), thread_key) do nothing",
      '',
    ],
  ] as const

  it.each(guards)('is missed: %s', { timeout: timeoutFor(ROUNDS, EACH) }, async (_name, from, to) => {
    let hits = 0
    const base: { query(...words: unknown[]): unknown } = Client.prototype
    class Mutated extends Client {
      override query = ((asked: string | QueryConfig, ...rest: unknown[]) => {
        const config = typeof asked === 'string' ? { text: asked } : asked
        const text = config.text.replace(from, to)
        if (text !== config.text) hits += 1
        return base.query.apply(this, [{ ...config, text }, ...rest])
        // the overloads of pg, all of which begin with a text or a configuration
      }) as Client['query']
    }
    const pool = new Pool({ ...clientConfig(app.database.settings.system, 'mutated'), max: 1, Client: Mutated })
    pool.on('connect', (client) => client.on('error', () => {}))
    const all = fc.sample(sequence, { numRuns: ROUNDS * TOGETHER, seed: 7 })
    try {
      let isNoticed = false
      for (let from = 0; from < all.length && !isNoticed; from += TOGETHER) {
        const channel = await newChannel()
        isNoticed = await runTogether(channel, all.slice(from, from + TOGETHER), pool).then(
          () => false,
          () => true,
        )
      }
      expect({ isNoticed, isChanged: hits > 0 }).toEqual({ isNoticed: true, isChanged: true })
    } finally {
      await pool.end()
    }
  })
})
