import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { claimReadings, endReading, type Reading } from './claimReadings.ts'
import { readSoon } from './pushChannels.ts'

/* Everyone who locks several cursors does it in one order, so that nobody waits for someone who waits for them. */

const KINDS = ['mention', 'comment'] as const

let app: TestApp
let home: TestHome
/** In their order. */
let channels: string[]
let reading: Reading | undefined
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.database.owner.query('delete from inbox_cursor')
  home = await app.signedInOwner()
  const { channel } = contentOn(app.parts)
  channels = [await channel(home, { remoteId: 'one' }), await channel(home, { remoteId: 'two' })].toSorted()
  // stored against the order, which a scan of the table would take
  for (const channelId of channels.toReversed())
    for (const kind of KINDS)
      await app.database.owner.query(
        "insert into inbox_cursor (org_id, channel_id, kind, began_at, next_at) values ($1, $2, $3, $4, $4::timestamptz + interval '1 hour')",
        [home.orgId, channelId, kind, app.clock.now()],
      )
  await app.database.owner.query('update inbox_cursor set next_at = $3 where channel_id = $1 and kind = $2', [
    channels[0],
    'mention',
    app.clock.now(),
  ])
  ;[reading] = await asSystem(app.parts.databases.system, (tx) =>
    claimReadings(tx, new Map([['bluesky', [['mention', 'comment']]]]), app.clock.now()),
  )
})

const cursor = 'select from inbox_cursor where channel_id = $1 and kind = $2 for no key update'

const first = ['comment', 0] as const
const everyone: [name: string, last: readonly [kind: string, channel: number], work: (tx: Tx) => Promise<unknown>][] = [
  [
    'the end of a reading',
    ['mention', 0],
    async (tx) => {
      if (!reading) throw new Error('nothing was claimed')
      const result = { nextAt: app.clock.now(), state: 'reading', trouble: null, tries: 0, heardAt: null } as const
      await endReading(tx, reading, ['mention', 'comment'], { ...result, isThrough: true }, app.clock.now())
    },
  ],
  [
    'a notification',
    ['mention', 1],
    async (tx) => {
      const due = ['two', 'one'].flatMap((account) => KINDS.map((kind) => ({ account, kind, leads: true })))
      await readSoon(tx, { platform: 'bluesky', clientId: 'own' }, home.orgId, due, app.clock.now())
    },
  ],
]

it.each(everyone)(
  '%s waits for a transaction that needs its other cursors, and not both for each other',
  async (...of) => {
    const [, [kind, place], work] = of
    const { system } = app.parts.databases
    const other = await system.connect()
    try {
      const { rows: self } = await other.query<{ pid: number }>('select pg_backend_pid() as pid')
      const pid = self[0]?.pid
      await other.query('begin')
      await other.query(cursor, [channels[first[1]], first[0]])
      const working = asSystem(system, work)
      // what it throws is looked at in the end
      working.catch(() => undefined)
      await until(
        async () => {
          const { rows } = await app.database.owner.query(
            'select from pg_locks l where not l.granted and $1 = any(pg_blocking_pids(l.pid))',
            [pid],
          )
          return rows.length > 0
        },
        { what: 'the wait for the first cursor' },
      )
      // without the order, it holds this one by now, and PostgreSQL ends one of the two
      await other.query(cursor, [channels[place], kind])
      await other.query('commit')
      await working
      const { rows: changed } = await app.database.owner.query<{ channel_id: string; kind: string }>(
        'select channel_id, kind from inbox_cursor where read_at is not null or pushed_at is not null order by channel_id, kind',
      )
      const all = channels.slice(0, place + 1).flatMap((id) => ['comment', 'mention'].map((one) => [id, one]))
      expect(changed.map((row) => [row.channel_id, row.kind])).toEqual(all)
    } finally {
      other.release()
    }
  },
)
