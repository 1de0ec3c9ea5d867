import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dashboardInboxStats } from '#contract/dashboard.ts'
import { assignConversation, judgeConversation, setConversationStatus } from '#contract/inbox/actions.ts'
import { getConversation } from '#contract/inbox/conversations.ts'
import { changeInboxSettings, inboxSettings } from '#contract/inbox/settings.ts'
import { listNotices } from '#contract/notices.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { received } from '../testing/inbox.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { notifyOverdue, reopenDue } from './reminders.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let home: TestHome
let channel: string
let editor: TestPerson
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channel = await content.channel(home, { handle: '@rook.example' })
  editor = await app.colleague(home, 'editor')
})

const hear = async (more: Partial<Parameters<typeof received>[2]> = {}) =>
  (await received(app, home, { channelId: channel, ...more })).conversationId
const params = (conversationId: string) => ({ params: { ...home.params, conversationId } })
const show = async (id: string) =>
  (await app.call(getConversation, { ...params(id), query: {} }, { as: home.person })).conversation
const told = async (as: TestPerson) =>
  (await app.call(listNotices, { params: home.params, query: { topic: 'inbox' } }, { as })).notices.map(
    ({ title }) => title,
  )
const job = () => ({ ...app.parts, signal: new AbortController().signal })
const today = () => app.clock.now().toISOString().slice(0, 10)
const daysLater = (days: number) => new Date(Date.parse(today()) + days * 86_400_000).toISOString().slice(0, 10)

describe('a follow-up', () => {
  it('comes back open on its day in the zone of the project, and the assignee is notified', async () => {
    const id = await hear()
    await app.database.owner.query("update project set zone = 'America/Los_Angeles' where id = $1", [home.projectId])
    await app.call(assignConversation, { ...params(id), body: { userId: editor.personId } }, { as: home.person })
    const followUpOn = daysLater(2)
    await app.call(
      setConversationStatus,
      { ...params(id), body: { status: 'FOLLOWUP', followUpOn } },
      { as: home.person },
    )
    const { version } = await show(id)
    // the day has begun in UTC, and not in Los Angeles
    app.clock.advance({ ms: Date.parse(`${followUpOn}T01:00:00Z`) - app.clock.now().getTime() })
    await reopenDue(job())
    expect(await show(id)).toMatchObject({ status: 'FOLLOWUP', version })
    app.clock.advance({ hours: 8 })
    await reopenDue(job())
    await reopenDue(job())
    expect(await show(id)).toMatchObject({ status: 'OPEN', followUpOn: null, version: version + 1 })
    expect(await told(editor)).toContain('A conversation assigned to you is due for follow-up today')
    expect(await told(home.person)).toEqual([])
  })
})

const always = Array.from({ length: 7 }, (): [number, number] => [0, 1440])
const settings = { replyCloses: false, answerHours: 2, businessHours: always }
const change = (as: TestPerson, body: typeof settings = settings) =>
  app.call(changeInboxSettings, { params: home.params, body }, { as })

describe('the settings', () => {
  it('are seen by everyone who sees the inbox, and changed by those who may change channels', async () => {
    expect(await app.call(inboxSettings, { params: home.params }, { as: editor })).toMatchObject({
      replyCloses: false,
      answerHours: null,
    })
    await expect(change(editor)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(change(home.person, { ...settings, answerHours: 0 })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await change(home.person)
    expect(await app.call(inboxSettings, { params: home.params }, { as: editor })).toEqual(settings)
    expect(await teamOn(app).lastAudit(home)).toMatchObject({ action: 'updated', entity: 'inbox_settings' })
  })
})

describe('an overdue answer', () => {
  it('is told once to the assignee, or to everyone who may answer', async () => {
    await change(home.person)
    const team = teamOn(app)
    const reader = await app.colleague(home, 'none')
    const messages = await team.holder(home, { inbox: ['view'], dm: ['create'], post: ['view'] })
    const mine = await hear()
    await hear()
    await app.call(assignConversation, { ...params(mine), body: { userId: editor.personId } }, { as: editor })
    app.clock.advance({ hours: 1, minutes: 59 })
    await notifyOverdue(job())
    expect(await told(editor)).toEqual([])
    app.clock.advance({ minutes: 2 })
    await notifyOverdue(job())
    expect(await told(editor)).toEqual(['2 conversations have been waiting too long for a reply'])
    expect(await told(home.person)).toEqual(['A conversation has been waiting too long for a reply'])
    expect([await told(reader), await told(messages)]).toEqual([[], []])
    const { rows } = await app.database.owner.query('select max(count) as most from notice where org_id = $1', [
      home.orgId,
    ])
    app.clock.advance({ hours: 2 })
    await notifyOverdue(job())
    expect(
      (await app.database.owner.query('select max(count) as most from notice where org_id = $1', [home.orgId])).rows,
    ).toEqual(rows)
  })

  it('is none of a project that said nothing, nor of what is closed', async () => {
    const id = await hear()
    app.clock.advance({ hours: 100 })
    await notifyOverdue(job())
    await change(home.person)
    await app.call(setConversationStatus, { ...params(id), body: { status: 'CLOSED' } }, { as: editor })
    await notifyOverdue(job())
    expect(await told(home.person)).toEqual([])
  })
})

describe('the dashboard', () => {
  it('counts what was received and answered in the range, and how people feel', async () => {
    const stats = (as: TestPerson = home.person, rangeType: 'today' | 'seven' = 'today') =>
      app.call(dashboardInboxStats, { params: home.params, query: { rangeType } }, { as })
    await hear({ at: new Date(app.clock.now().getTime() - 3 * 86_400_000) })
    const one = await hear({ remoteId: `root-${home.orgId}` })
    await hear({ conversation: 'message' })
    await app.call(judgeConversation, { ...params(one), body: { sentiment: 'negative' } }, { as: editor })
    app.clock.advance({ minutes: 1 })
    await hear({ threadKey: `root-${home.orgId}`, type: 'REPLY', isOurs: true })
    expect(await stats()).toMatchObject({
      received: 2,
      answered: 1,
      sentiment: { positive: 0, neutral: 0, negative: 1 },
      notJudged: 1,
      asOf: app.clock.now().toISOString(),
    })
    expect(await stats(home.person, 'seven')).toMatchObject({ received: 3, answered: 1 })
    const comments = await teamOn(app).holder(home, { inbox: ['view'], comment: ['view'] })
    expect(await stats(comments)).toMatchObject({ received: 1, answered: 1 })
    const bound = await app.colleague(home, 'editor', { channelIds: [await content.channel(home)] })
    expect(await stats(bound)).toMatchObject({ received: 0, answered: 0, sentiment: { negative: 0 } })
  })

  it('counts as answered only what an answer of ours follows, also of what is hidden', async () => {
    const thread = (n: number) => ({ threadKey: `thread-${n}-${home.orgId}` })
    const minute = () => app.clock.advance({ minutes: 1 })
    // each thread's items in their order: received, hidden, deleted, or ours
    const threads = ['r', 'h', 'rs', 'hs', 'sh', 'hr', 'rh', 'rsh', 'hsr', 'hrhsrh', 'hh', 'rhs', 'sr', 'shr']
    let [receivedItems, answered] = [0, 0]
    for (const [n, items] of threads.entries()) {
      for (const [i, item] of items.split('').entries()) {
        await hear({ ...thread(n), type: 'REPLY', isOurs: item === 's', hidden: item === 'h' })
        minute()
        if (item !== 's') receivedItems += 1
        if (item !== 's' && items.includes('s', i)) answered += 1
      }
    }
    expect(
      await app.call(dashboardInboxStats, { params: home.params, query: { rangeType: 'seven' } }, { as: home.person }),
    ).toMatchObject({ received: receivedItems, answered })
  })
})

it('the bell tells how many conversations are unread', async () => {
  await hear()
  const unread = async (as: TestPerson) =>
    (await app.call(listNotices, { params: home.params, query: {} }, { as })).unreadInbox
  expect(await unread(editor)).toBe(1)
  expect(await unread(await teamOn(app).holder(home, { post: ['view'] }))).toBe(0)
})
