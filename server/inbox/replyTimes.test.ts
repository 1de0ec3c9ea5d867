import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inboxReplyTimes } from '#contract/inbox/replyTimes.ts'
import { changeInboxSettings, type BusinessHours } from '#contract/inbox/settings.ts'
import { asTenant } from '../db/tenant.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { received, storeChanges } from '../testing/inbox.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { answersQuery, figuresOf } from './replyTimes.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let home: TestHome
let channel: string
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channel = await content.channel(home, { handle: '@rook.example' })
  await openFor(always)
})

const always: BusinessHours = Array.from({ length: 7 }, () => [0, 1440])
const openFor = (businessHours: BusinessHours) =>
  app.call(
    changeInboxSettings,
    { params: home.params, body: { replyCloses: false, answerHours: null, businessHours } },
    { as: home.person },
  )
const times = (as: TestPerson = home.person, rangeType: 'today' | 'seven' | 'thirty' = 'seven') =>
  app.call(inboxReplyTimes, { params: home.params, query: { rangeType } }, { as })

/** A day before today at noon, and so many minutes later. */
const at = (daysAgo: number, minutes = 0) =>
  new Date(Date.parse(`${app.clock.now().toISOString().slice(0, 10)}T12:00Z`) - daysAgo * 86_400_000 + minutes * 60_000)

type Written = Partial<Parameters<typeof received>[2]>
/** A thread of what people write, and of our answers, at minutes after noon of that day. */
async function thread(daysAgo: number, lines: readonly (number | 'ours')[][], more: Written = {}) {
  const threadKey = `thread-${crypto.randomUUID()}`
  let conversationId = ''
  for (const [minutes = 0, who] of lines)
    ({ conversationId } = await received(app, home, {
      channelId: channel,
      threadKey,
      at: at(daysAgo, Number(minutes)),
      isOurs: who === 'ours',
      ...more,
    }))
  return conversationId
}

describe('the time of a reply', () => {
  it('is that from the first item nobody had answered to the next item of ours', async () => {
    // two questions, one answer, another line of ours, and a second round
    const slow = await thread(1, [[0], [10], [30, 'ours'], [35, 'ours'], [100], [190, 'ours'], [300]])
    await thread(1, [[0], [4, 'ours']])
    // nobody asked
    await thread(1, [[0, 'ours']])
    expect(await times()).toMatchObject({ replies: 3, medianMinutes: 30, slowestMinutes: 90, slowestId: slow })
  })

  it('leaves out what was deleted or hidden, and whatever order it arrives in', async () => {
    const threadKey = 'thread-late'
    const write = (remoteId: string, minutes: number, more: Written = {}) =>
      received(app, home, { channelId: channel, threadKey, remoteId, at: at(1, minutes), ...more })
    await write('answer', 60, { isOurs: true })
    expect(await times()).toMatchObject({ replies: 0, medianMinutes: null, slowestMinutes: null, slowestId: null })
    await write('second', 20)
    expect(await times()).toMatchObject({ replies: 1, medianMinutes: 40 })
    await write('first', 10)
    await write('spam', 5, { hidden: true })
    expect(await times()).toMatchObject({ replies: 1, medianMinutes: 50 })
    await storeChanges(app, home, channel, [{ change: 'deleted', remoteId: 'first', at: app.clock.now() }])
    expect(await times()).toMatchObject({ replies: 1, medianMinutes: 40 })
    await storeChanges(app, home, channel, [{ change: 'deleted', remoteId: 'answer', at: app.clock.now() }])
    expect(await times()).toMatchObject({ replies: 0 })
  })

  it('counts business hours only, in the zone of the project', async () => {
    await thread(1, [[0], [120, 'ours']])
    await app.database.owner.query("update project set zone = 'Asia/Kolkata' where id = $1", [home.projectId])
    // noon is half past five in the afternoon there
    await openFor(Array.from({ length: 7 }, () => [540, 1080]))
    expect(await times()).toMatchObject({ medianMinutes: 30, slowestMinutes: 30, timezone: 'Asia/Kolkata' })
    await openFor(Array.from({ length: 7 }, () => null))
    expect(await times()).toMatchObject({ replies: 1, medianMinutes: null, slowestMinutes: null, slowestId: null })
  })

  it('belongs to the day of the reply, and the days before are compared', async () => {
    await thread(8, [[0], [1, 'ours']])
    await thread(9, [[0], [3, 'ours']])
    await thread(9, [[0], [2, 'ours']])
    // asked in the days before, answered in these
    await thread(7, [[0], [2 * 1440, 'ours']])
    expect(await times()).toMatchObject({
      replies: 1,
      medianMinutes: 2 * 1440,
      before: { replies: 3, medianMinutes: 2 },
    })
    expect(await times(home.person, 'today')).toMatchObject({ replies: 0, before: { replies: 0, medianMinutes: null } })
    expect(await times(home.person, 'thirty')).toMatchObject({ replies: 4 })
  })
})

describe('who sees what', () => {
  it('counts only the kinds and channels that the role shows', async () => {
    await thread(1, [[0], [10, 'ours']])
    await thread(1, [[0], [60, 'ours']], { conversation: 'message', type: 'DIRECT_MESSAGE' })
    const team = teamOn(app)
    expect(await times()).toMatchObject({ replies: 2, slowestMinutes: 60 })
    const comments = await team.holder(home, { inbox: ['view'], comment: ['view'] })
    expect(await times(comments)).toMatchObject({ replies: 1, slowestMinutes: 10 })
    const messages = await team.holder(home, { inbox: ['view'], dm: ['view'] })
    expect(await times(messages)).toMatchObject({ replies: 1, slowestMinutes: 60 })
    const neither = await team.holder(home, { inbox: ['view'] })
    expect(await times(neither)).toMatchObject({ replies: 0, slowestId: null })
    const bound = await app.colleague(home, 'editor', { channelIds: [await content.channel(home)] })
    expect(await times(bound)).toMatchObject({ replies: 0, slowestId: null })
  })

  it('is for people who see the inbox, of the project', async () => {
    await expect(times(await teamOn(app).holder(home, { post: ['view'] }))).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const stranger = await app.signedInOwner()
    await expect(times(stranger.person)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
    await expect(
      // what no client sends
      times(home.person, 'century' as 'today'),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })
})

describe('what it costs', () => {
  it('depends on what was sent on these days, and not on how much there is', async () => {
    const { orgId } = home
    const fill = (conversations: number, daysAgo: number) =>
      app.database.owner.query(
        `with made as (
           insert into conversation (org_id, id, project_id, channel_id, kind, thread_key, status, last_at, last_direction, created_at)
           select $1, uuidv7(), $2, $3, 'comment', 'bulk-' || $4::int || '-' || n, 'CLOSED', $5::timestamptz, 'sent', $5::timestamptz from generate_series(1, $4::int) n
           returning id, thread_key)
         insert into inbox_item (org_id, id, conversation_id, channel_id, remote_id, type, direction, at, received_at)
         select $1, uuidv7(), made.id, $3, made.thread_key || '-' || n, 'COMMENT', case n % 2 when 0 then 'sent' else 'received' end, $5::timestamptz + n * interval '1 minute', $5::timestamptz
         from made, generate_series(1, 4) n`,
        [orgId, home.projectId, channel, conversations, at(daysAgo)],
      )
    const blocks = async () => {
      await app.database.owner.query('vacuum analyze inbox_item')
      return await asTenant(app.parts.databases.web, orgId, async (tx) => {
        const c = {
          tx,
          org: home,
          project: {
            projectId: home.projectId,
            channelIds: null,
            permissions: { inbox: ['view'], comment: ['view'] },
            zone: 'UTC',
          },
          caller: home.person,
          now: app.clock.now(),
        }
        const day = (daysAgo: number) => at(daysAgo).toISOString().slice(0, 10)
        const query = answersQuery(c, { from: day(14), to: day(0), split: day(7) })
        const { rows } = await sql<{
          'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }]
        }>`explain (analyze, buffers, format json) ${query}`.execute(tx)
        const plan = rows[0]?.['QUERY PLAN'][0].Plan
        return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
      })
    }
    await fill(20, 3)
    await fill(200, 100)
    const few = await blocks()
    await fill(2000, 200)
    const many = await blocks()
    expect(few).toBeGreaterThan(40)
    expect(many).toBeLessThan(few * 2)
  })
})

describe('figures of answers', () => {
  const answer = (minutes: number, conversationId = 'one') => ({
    conversationId,
    since: Date.parse('2026-11-23T10:00Z'),
    at: Date.parse('2026-11-23T10:00Z') + minutes * 60_000,
  })

  it('take the one in the middle, and of two the slower', () => {
    expect(figuresOf([answer(9), answer(1), answer(2)], always, 'UTC')).toMatchObject({ replies: 3, medianMinutes: 2 })
    expect(figuresOf([answer(9), answer(1)], always, 'UTC')).toMatchObject({ medianMinutes: 9 })
    expect(figuresOf([], always, 'UTC')).toEqual({ replies: 0, medianMinutes: null, slowest: null })
  })

  it('name the conversation of the slowest', () => {
    expect(figuresOf([answer(9, 'slow'), answer(1)], always, 'UTC').slowest).toEqual({
      conversationId: 'slow',
      minutes: 9,
    })
  })
})
