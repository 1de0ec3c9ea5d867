import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentOn, testPlatform } from '../testing/content.ts'
import { remoteItem, storeChanges } from '../testing/inbox.ts'
import type { InboxChange, RemoteItem } from '../platforms/inbox.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

/*
 * People write, edit and delete on a platform, and so do we. What the inbox hears of it is late, doubled, dropped and out of
 * order; in the end a reading tells everything once more. Then the inbox equals the platform, whatever came before.
 */

let app: TestApp
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
})
afterAll(() => app.close())

const START = Date.parse('2026-11-20T00:00:00Z')
const THREADS = 3
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      thread: fc.nat(THREADS - 1),
      who: fc.nat(3),
      text: fc.string({ maxLength: 12 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), nth: fc.nat(), text: fc.string({ maxLength: 12 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hide' as const), nth: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), nth: fc.nat() }) },
)
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never

/** What stands on the platform, and everything that was ever told of it. */
function play(actions: readonly Action[]): {
  ledger: Map<string, RemoteItem>
  gone: Map<string, Date>
  told: InboxChange[]
} {
  const ledger = new Map<string, RemoteItem>()
  const gone = new Map<string, Date>()
  const told: InboxChange[] = []
  for (const [step, act] of actions.entries()) {
    const at = new Date(START + step * 60_000)
    if (act.kind === 'write') {
      const remoteId = `item-${step}`
      const isMessage = act.thread === 0
      const item = remoteItem({
        channelId: '',
        remoteId,
        threadKey: `thread-${act.thread}`,
        conversation: isMessage ? 'message' : 'comment',
        from: `person${act.who}`,
        isOurs: act.who === 0,
        text: act.text,
        at,
      })
      ledger.set(remoteId, item)
      told.push(item)
      continue
    }
    const one = [...ledger.values()].filter(({ remoteId }) => !gone.has(remoteId))[
      act.nth % Math.max(1, ledger.size - gone.size)
    ]
    if (!one) continue
    if (act.kind === 'delete') {
      gone.set(one.remoteId, at)
      told.push({ change: 'deleted', remoteId: one.remoteId, at })
    } else {
      const changed = {
        ...one,
        version: step + 1,
        ...(act.kind === 'edit' ? { text: act.text, editedAt: at } : { hidden: !one.hidden }),
      }
      ledger.set(one.remoteId, changed)
      told.push(changed)
    }
  }
  return { ledger, gone, told }
}

/** What lists would show, counted from the platform itself. */
function recounted(ledger: ReadonlyMap<string, RemoteItem>, gone: ReadonlyMap<string, Date>) {
  const threads = Map.groupBy(ledger.values(), ({ threadKey }) => threadKey)
  return [...threads]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([threadKey, all]) => {
      const there = all.filter(({ remoteId }) => !gone.has(remoteId))
      const last = (there.length > 0 ? there : all).at(-1)
      const ours = there.filter(({ isOurs }) => isOurs).at(-1)
      const theirs = there.filter(({ isOurs }) => !isOurs)
      const waiting = theirs.filter(({ at, hidden }) => !hidden && (!ours || at > ours.at))
      return {
        thread_key: threadKey,
        last_at: last?.at,
        last_direction: last?.isOurs ? 'sent' : 'received',
        preview: there.length > 0 ? (last?.text ?? '').replace(/\s+/gu, ' ').trim() : '',
        last_received_at: theirs.at(-1)?.at ?? null,
        unanswered: waiting.length,
        waiting_since: waiting[0]?.at ?? null,
        answered: ours !== undefined,
      }
    })
}

const COLUMNS = 'thread_key, last_at, last_direction, preview, last_received_at, unanswered, waiting_since, answered'

const sequence = fc.array(action, { minLength: 1, maxLength: 25 }).chain((actions) => {
  const { told } = play(actions)
  const delivery = fc.array(fc.nat(Math.max(0, told.length - 1)), { maxLength: 8 })
  return fc.record({
    actions: fc.constant(actions),
    deliveries: fc.array(delivery, { maxLength: 8 }),
    last: fc.shuffledSubarray(
      told.map((_, i) => i),
      { minLength: told.length },
    ),
  })
})

it('equals the platform after any deliveries and one reading, and its counts equal a recount', async () => {
  let runs = 0
  await fc.assert(
    fc.asyncProperty(sequence, async ({ actions, deliveries, last }) => {
      const home = await app.signedInOwner()
      const channelId = await contentOn(app.parts).channel(home)
      const { ledger, gone, told } = play(actions)
      const pick = (places: readonly number[]) => places.flatMap((place) => told[place] ?? [])
      for (const delivery of deliveries) await storeChanges(app, home, channelId, pick(delivery))
      const { owner: database } = app.database
      const stored = async () =>
        (
          await database.query(`select ${COLUMNS} from conversation where channel_id = $1 order by thread_key`, [
            channelId,
          ])
        ).rows
      await storeChanges(app, home, channelId, pick(last))
      expect(await stored()).toEqual(recounted(ledger, gone))
      const { rows: items } = await database.query(
        'select remote_id, direction, text, hidden, deleted_at from inbox_item where channel_id = $1 order by at',
        [channelId],
      )
      expect(items).toEqual(
        [...ledger.values()].map(({ remoteId, isOurs, text, hidden }) => ({
          remote_id: remoteId,
          direction: isOurs ? 'sent' : 'received',
          text: gone.has(remoteId) ? null : text,
          hidden: gone.has(remoteId) ? expect.any(Boolean) : hidden,
          deleted_at: gone.get(remoteId) ?? null,
        })),
      )
      // whatever has somebody waiting was opened, since nobody closed it
      const { rows: closed } = await database.query(
        "select 1 from conversation where channel_id = $1 and status <> 'OPEN' and unanswered > 0",
        [channelId],
      )
      expect(closed).toEqual([])
      expect(await storeChanges(app, home, channelId, told)).toEqual({ changed: [], received: [] })
      runs += 1
    }),
    { numRuns: 60 },
  )
  expect(runs).toBeGreaterThan(0)
})
