import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { because } from '#contract/failures/catalog.ts'
import { quietLog } from '../testing/publishing.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import { remoteItem } from '../testing/inbox.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import type { InboxChange, ReadAnswer, ReadAsk } from '../platforms/inbox.ts'
import type { Budget, Platform, Refusal } from '../platforms/platform.ts'
import { READINGS_MOST } from './claimReadings.ts'
import { inboxJobs } from './jobs.ts'
import { readDueInboxes } from './read.ts'

/* Reading by a scripted adapter: what is asked, kept and told, on one node and on two. */

type Answer = ReadAnswer | Refusal
let app: TestApp
let home: TestHome
let channelId: string
let asked: ReadAsk[]
let answers: ((ask: ReadAsk) => Answer | Promise<Answer>)[]
let budgets: Budget[]
/** Milliseconds that each page takes. */
let took: number
let leastMinutes: number
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.database.owner.query('delete from inbox_cursor')
  await app.database.owner.query('update channel set enabled = false')
  home = await app.signedInOwner()
  channelId = await contentOn(app.parts).channel(home)
  asked = []
  answers = []
  budgets = []
  took = 0
  leastMinutes = 0
})

const page = (changes: InboxChange[] = [], more = false, cursor: Record<string, unknown> = {}): Answer => ({
  kind: 'read',
  changes,
  cursor,
  more,
})
const platform = (): Platform => ({
  ...testPlatform(),
  budgets,
  inbox: {
    reads: [['mention', 'comment']],
    leastMinutes,
    read: async (_reach, _secret, _account, ask) => {
      asked.push(ask)
      app.clock.advance({ ms: took })
      return (await answers.shift()?.(ask)) ?? page()
    },
  },
})
const read = () =>
  readDueInboxes(
    {
      platforms: (key) => (key === 'bluesky' ? platform() : undefined),
      secrets: app.parts.secrets,
      fetch: app.parts.fetch,
      apps: app.parts.apps,
    },
    { databases: app.parts.databases, clock: app.clock, log: quietLog, signal: new AbortController().signal },
  )
/** What the job does every minute. */
const run = async () => {
  const job = inboxJobs({
    platforms: (key) => (key === 'bluesky' ? platform() : undefined),
    secrets: app.parts.secrets,
    fetch: app.parts.fetch,
    apps: app.parts.apps,
  }).find(({ name }) => name === 'inbox.read')
  await job?.perform(
    { databases: app.parts.databases, clock: app.clock, log: quietLog, signal: new AbortController().signal },
    {},
  )
}
const cursors = async () =>
  (await app.database.owner.query('select * from inbox_cursor where channel_id = $1 order by kind desc', [channelId]))
    .rows
const notices = async () =>
  (
    await app.database.owner.query('select kind, params, count from notice where person_id = $1 order by id', [
      home.person.personId,
    ])
  ).rows
const lateNotices = async () =>
  (
    await app.database.owner.query(
      "select count, read_at from notice where kind = 'inbox-late' and dedupe_key like $1",
      [`channel:${channelId}:%`],
    )
  ).rows
const items = async () =>
  (await app.database.owner.query('select remote_id from inbox_item where channel_id = $1 order by at', [channelId]))
    .rows
const minutes = (count: number) => new Date(app.clock.now().getTime() + count * 60_000)
const item = (more: Partial<Parameters<typeof remoteItem>[0]> = {}) =>
  remoteItem({ channelId, at: minutes(-5), ...more })

describe('notifications of the platform', () => {
  const subscribing = (publicUrl: string, answer: () => { kind: 'subscribed' } | Refusal) => {
    let times = 0
    const subscribe = async () => ((times += 1), answer())
    const push = { challenge: () => null, isSigned: () => false, parse: () => [], subscribe }
    const run = () =>
      readDueInboxes(
        {
          ...app.parts,
          env: { publicUrl },
          platforms: (key) => (key === 'bluesky' ? { ...platform(), push } : undefined),
        },
        { databases: app.parts.databases, clock: app.clock, log: quietLog, signal: new AbortController().signal },
      )
    return { run, times: () => times }
  }

  it('are asked for when the channel is read, and again a day later, also after a refusal', async () => {
    const refused: Refusal = { kind: 'rejected', reason: because('inbox-permission-missing', { platform: 'Bluesky' }) }
    const { run, times } = subscribing('https://rookery.example', () =>
      times() === 1 ? { kind: 'subscribed' } : refused,
    )
    await run()
    expect(times()).toBe(1)
    app.clock.advance({ hours: 7 })
    await run()
    expect([asked.length, times()]).toEqual([2, 1])
    for (const count of [2, 3]) {
      app.clock.advance({ days: 1 })
      await run()
      expect(times()).toBe(count)
    }
    expect(await cursors()).toMatchObject([{ kind: 'mention', state: 'reading', subscribed_at: app.clock.now() }, {}])
  })

  it('are asked for only where platforms can reach us', async () => {
    const { run, times } = subscribing('http://localhost:3000', () => ({ kind: 'subscribed' }))
    await run()
    expect([asked.length, times()]).toEqual([1, 0])
  })
})

describe('reading a channel', () => {
  it('goes back 30 days at first, page after page, and notifies only of what came since it began', async () => {
    answers = [
      () => page([item({ remoteId: 'new', at: minutes(0) }), item({ remoteId: 'before' })], true, { below: 7 }),
      () => page([item({ remoteId: 'old', at: minutes(-120) })], false, { above: 9 }),
    ]
    await read()
    expect(asked).toMatchObject([
      { kind: 'mention', cursor: null, since: minutes(-30 * 24 * 60) },
      { kind: 'mention', cursor: { below: 7 } },
    ])
    expect(await items()).toEqual([{ remote_id: 'old' }, { remote_id: 'before' }, { remote_id: 'new' }])
    const { rows } = await app.database.owner.query(
      'select conversation_id from inbox_item where remote_id = $1 and channel_id = $2',
      ['new', channelId],
    )
    expect(await notices()).toMatchObject([
      { kind: 'inbox-new-unassigned', params: { conversationId: rows[0]?.conversation_id }, count: 1 },
    ])
    // the reading brings both kinds, and both know how it went
    expect(await cursors()).toMatchObject([
      {
        kind: 'mention',
        first: false,
        read_at: app.clock.now(),
        state: 'reading',
        cursor: { above: 9 },
        lease_until: null,
      },
      { kind: 'comment', first: false, read_at: app.clock.now(), state: 'reading' },
    ])
    app.clock.advance({ minutes: 15 })
    await read()
    expect(asked.at(-1)).toMatchObject({ cursor: { above: 9 } })
  })

  it('is done by one node at a time', async () => {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    answers = [() => promise]
    const first = read()
    await expect.poll(() => asked.length).toBe(1)
    expect(await read()).toBe(0)
    resolve(page())
    expect(await first).toBe(1)
  })

  it('stores nothing once another node has taken it over', async () => {
    answers = [
      async () => {
        app.clock.advance({ minutes: 3 })
        await read()
        return page([item({ remoteId: 'late' })], false, { from: 'the first' })
      },
      () => page([], false, { from: 'the second' }),
    ]
    await read()
    expect(await items()).toEqual([])
    expect(await cursors()).toMatchObject([{ cursor: { from: 'the second' } }, {}])
  })

  it('repeats at most one page after a crash, which changes nothing', async () => {
    answers = [
      () => page([item({ remoteId: 'one' })], true, { page: 2 }),
      () => {
        throw new Error('killed')
      },
      () => page([item({ remoteId: 'two', at: minutes(-1) })], false, { page: 3 }),
    ]
    await read()
    app.clock.advance({ minutes: 3 })
    await read()
    expect(asked.at(-1)?.cursor).toEqual({ page: 2 })
    expect(await items()).toEqual([{ remote_id: 'one' }, { remote_id: 'two' }])
  })

  it.each([
    ['switched off', 'update channel set enabled = false where id = $1'],
    ['without room in the plan', 'update channel set plan_locked = true where id = $1'],
    ['being deleted', 'update channel set deleting_at = now() where id = $1'],
    ['deleted', 'update channel set deleted_at = now() where id = $1'],
    ['signed out', "update channel set status = 'DISCONNECTED' where id = $1"],
  ])('leaves a channel alone that is %s', async (_name, statement) => {
    await app.database.owner.query(statement, [channelId])
    expect(await read()).toBe(0)
    expect(await cursors()).toEqual([])
  })
})

describe('how often a channel is read', () => {
  /** The job's run that begins a moment after each of the next minutes, and how many of them read. */
  const runs = async (count: number): Promise<number[]> => {
    const read: number[] = []
    for (let minute = 1; minute <= count; minute++) {
      const next = Math.floor(app.clock.now().getTime() / 60_000 + 1) * 60_000 + 300
      app.clock.advance({ ms: next - app.clock.now().getTime() })
      const before = asked.length
      await run()
      if (asked.length > before) read.push(minute)
    }
    return read
  }
  /** A reading takes a moment, so it ends later than the minute began. */
  beforeEach(() => {
    took = 400
  })

  it('is every five minutes while someone is there, and not every six', async () => {
    await runs(1)
    expect(await runs(11)).toEqual([5, 10])
  })

  const figures = () => figuresOn(app.database)
  const publish = (of = home, on = channelId) => figures().published(of, on, app.clock.now().toISOString())
  /** Nobody has used the app for a night, and nothing came in for weeks: the channel was read a moment ago, as it is every six hours. */
  const quietNight = async () => {
    await runs(1)
    app.clock.advance({ days: 20 })
    await runs(1)
    asked = []
  }
  const comeBack = (of = home) =>
    app.database.owner.query('update session set last_seen_at = $2 where person_id = $1', [
      of.person.personId,
      app.clock.now(),
    ])

  it('is five minutes after the last reading when someone comes back, and at once when that was longer ago', async () => {
    await quietNight()
    expect(await runs(2)).toEqual([])
    await comeBack()
    expect(await runs(9)).toEqual([3, 8])
    // they leave, and the next reading is hours away
    app.clock.advance({ hours: 3 })
    await runs(1)
    expect(await runs(100)).toEqual([])
    await comeBack()
    expect(await runs(6)).toEqual([1, 6])
  })

  it('is every minute once a post is out, for two hours', async () => {
    await quietNight()
    expect(await runs(30)).toEqual([])
    await publish()
    expect(await runs(130)).toEqual(Array.from({ length: 120 }, (_, i) => i + 1))
  })

  it('is never more often than the platform takes calls', async () => {
    leastMinutes = 5
    await quietNight()
    await publish()
    await comeBack()
    expect(await runs(12)).toEqual([5, 10])
  })

  it('is not sooner after a failure, nor while the platform sends by itself', async () => {
    await quietNight()
    await app.database.owner.query('update inbox_cursor set pushed_at = $1', [app.clock.now()])
    await publish()
    await comeBack()
    expect(await runs(20)).toEqual([])
    app.clock.advance({ hours: 13 })
    answers = [() => ({ kind: 'retry', afterSeconds: 1200, reason: because('slow-down', { platform: 'Bluesky' }) })]
    await publish()
    expect(await runs(20)).toEqual([1])
  })

  it("is another organization's own, and another channel's after a post", async () => {
    const other = await app.signedInOwner()
    const { channel } = contentOn(app.parts)
    const theirs = await channel(other)
    const second = await channel(home)
    await quietNight()
    await app.database.owner.query("update inbox_cursor set next_at = $1 where next_at < 'infinity'", [minutes(300)])
    const soon = async () =>
      (
        await app.database.owner.query<{ channel_id: string }>(
          'select channel_id from inbox_cursor where next_at < $1 order by channel_id',
          [minutes(200)],
        )
      ).rows.map((row) => row.channel_id)
    await publish()
    await runs(1)
    expect(await soon()).toEqual([channelId])
    await comeBack()
    await runs(1)
    expect(await soon()).toEqual([channelId, second].toSorted())
    await comeBack(other)
    // who left an organization doesn't watch it
    await app.database.owner.query('update member set removed_at = $2 where org_id = $1', [
      other.orgId,
      app.clock.now(),
    ])
    await runs(1)
    expect(await soon()).not.toContain(theirs)
  })
})

describe('how reading goes', () => {
  it('is told as missing permission when the sign-in lacks a right, without an error', async () => {
    answers = [() => ({ kind: 'reconnect', reason: because('bluesky-permission-missing') })]
    await read()
    expect(await cursors()).toMatchObject([
      { state: 'reconnect', trouble: { code: 'bluesky-permission-missing' }, tries: 0 },
      { state: 'reconnect' },
    ])
    expect((await app.database.owner.query('select status from channel where id = $1', [channelId])).rows).toEqual([
      { status: 'CONNECTED' },
    ])
  })

  it('is told as not offered where the platform says so', async () => {
    answers = [() => ({ kind: 'closed', reason: because('bluesky-posts-hidden'), reconnect: false })]
    await read()
    expect(await cursors()).toMatchObject([{ state: 'none' }, { state: 'none' }])
  })

  it('is told as late only when nothing could be read for an hour, and no longer when it works again', async () => {
    const down = (): Answer => ({ kind: 'retry', reason: because('slow-down', { platform: 'Bluesky' }) })
    await read()
    for (let passed = 0; passed < 90; passed += 15) {
      app.clock.advance({ minutes: 15 })
      answers = [down]
      await read()
      if (passed === 15) expect(await cursors()).toMatchObject([{ state: 'reading' }, {}])
    }
    expect(await cursors()).toMatchObject([{ state: 'late', trouble: { code: 'slow-down' } }, { state: 'late' }])
    // people are notified once, and no longer when it works again
    expect(await lateNotices()).toMatchObject([{ count: 1, read_at: null }])
    app.clock.advance({ hours: 7 })
    answers = []
    await read()
    expect(await cursors()).toMatchObject([{ state: 'reading', trouble: null, tries: 0 }, {}])
    expect(await lateNotices()).toMatchObject([{ count: 1, read_at: app.clock.now() }])
  })

  it('waits as long as the platform says, and for a budget until it is open again', async () => {
    budgets = [{ name: 'calls', per: 'channel', windowSeconds: 7200, tokens: 10, cost: { inbox: 5 } }]
    answers = [() => page([], true), () => page([], true)]
    await read()
    // the rest is left to posts
    expect(asked).toHaveLength(1)
    expect(await cursors()).toMatchObject([
      { state: 'late', trouble: { code: 'inbox-quota-used-up' }, next_at: minutes(120) },
      {},
    ])
    budgets = []
    app.clock.advance({ hours: 2 })
    answers = [() => ({ kind: 'retry', afterSeconds: 600, reason: because('slow-down', { platform: 'Bluesky' }) })]
    await read()
    expect(await cursors()).toMatchObject([{ next_at: minutes(10) }, {}])
  })
})

it('reads everything that is due in one run, however many channels there are', async () => {
  const more = READINGS_MOST + 5
  for (let i = 0; i < more; i++) await contentOn(app.parts).channel(await app.signedInOwner())
  await run()
  expect(asked).toHaveLength(1 + more)
})
