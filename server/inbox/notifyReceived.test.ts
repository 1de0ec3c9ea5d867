import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  answeringConversation,
  assignConversation,
  readConversation,
  setConversationStatus,
} from '#contract/inbox/actions.ts'
import { listNotices, readAllNotices, setNoticePreference, type NoticeTopic } from '#contract/notices.ts'
import type { InboxChange } from '../platforms/inbox.ts'
import type { Platform } from '../platforms/platform.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { remoteItem, type ReceivedOptions } from '../testing/inbox.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { quietLog } from '../testing/publishing.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { NOTIFIED_EACH } from './notifyReceived.ts'
import { readDueInboxes } from './read.ts'

/* Who is notified of what comes in, by reading a scripted platform. */

let app: TestApp
let home: TestHome
let editor: TestPerson
let channelId: string
let pages: InboxChange[][]
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.database.owner.query('delete from inbox_cursor')
  await app.database.owner.query('update channel set enabled = false')
  home = await app.signedInOwner()
  editor = await app.colleague(home, 'editor')
  channelId = await contentOn(app.parts).channel(home, { handle: '@rook.example' })
  pages = []
  await read()
})

const platform = (): Platform => ({
  ...testPlatform(),
  budgets: [],
  inbox: {
    reads: [['mention', 'comment']],
    read: async () => ({ kind: 'read', changes: pages.shift() ?? [], cursor: {}, more: pages.length > 0 }),
  },
})
/** The next reading brings these pages. */
async function read(...brought: InboxChange[][]): Promise<void> {
  pages = brought
  app.clock.advance({ days: 1 })
  await readDueInboxes(
    {
      platforms: (key) => (key === 'bluesky' ? platform() : undefined),
      secrets: app.parts.secrets,
      fetch: app.parts.fetch,
      apps: app.parts.apps,
    },
    { databases: app.parts.databases, clock: app.clock, log: quietLog, signal: new AbortController().signal },
  )
}
const item = (more: Partial<ReceivedOptions> = {}) =>
  remoteItem({
    channelId,
    at: app.clock.now(),
    ...more,
    ...(more.conversation === 'review' && { rating: more.rating ?? 5 }),
  })
const placeOf = async (remoteId: string): Promise<string> =>
  (
    await app.database.owner.query<{ id: string }>(
      'select conversation_id as id from inbox_item where remote_id = $1 and channel_id = $2',
      [remoteId, channelId],
    )
  ).rows[0]?.id ?? ''
const at = (conversationId: string) => ({ params: { ...home.params, conversationId } })
const assign = (conversationId: string, userId: string | null, as = home.person) =>
  app.call(assignConversation, { ...at(conversationId), body: { userId } }, { as })
const forget = () => app.database.owner.query('delete from notice where org_id = $1', [home.orgId])
const rows = async (as: Pick<TestPerson, 'personId'>) =>
  (
    await app.database.owner.query<{ kind: string; count: number; mailed: boolean; in_app: boolean }>(
      'select kind, count, mail_due_at is not null as mailed, in_app from notice where person_id = $1 order by created_at, id',
      [as.personId],
    )
  ).rows
const listed = async (as: TestPerson) =>
  (await app.call(listNotices, { params: home.params, query: {} }, { as })).notices.map(
    ({ title, count }): [string, number] => [title, count],
  )
const choose = (as: TestPerson, topic: NoticeTopic, inApp: boolean, mail: boolean) =>
  app.call(setNoticePreference, { body: { topic, inApp, mail } }, { as })

const NEW = 'New comment for @rook.example on Bluesky'
const MINE = 'New comment in a conversation assigned to you'

describe('something new', () => {
  it('that nobody is assigned to is shown to those who can answer it, without an email', async () => {
    const viewer = await app.colleague(home, 'none')
    await read([item()])
    for (const person of [home.person, editor])
      expect(await rows(person)).toEqual([{ kind: 'inbox-new-unassigned', count: 1, mailed: false, in_app: true }])
    expect(await listed(editor)).toEqual([[NEW, 1]])
    expect(await rows(viewer)).toEqual([])
  })

  it('in an assigned conversation notifies the assignee alone, also by email', async () => {
    const one = item()
    await read([one])
    await assign(await placeOf(one.remoteId), editor.personId)
    await forget()
    await read([item({ threadKey: one.threadKey })])
    expect(await rows(editor)).toEqual([{ kind: 'inbox-new-assigned', count: 1, mailed: true, in_app: true }])
    expect(await listed(editor)).toEqual([[MINE, 1]])
    expect(await rows(home.person)).toEqual([])
  })

  it('is one notification for each conversation until it is read', async () => {
    const one = item()
    await read([one])
    await read([item({ threadKey: one.threadKey })])
    expect(await listed(editor)).toEqual([[NEW, 2]])
    const id = await placeOf(one.remoteId)
    await app.call(readConversation, { ...at(id), body: { read: true } }, { as: editor })
    expect(await listed(editor)).toEqual([])
    // the mark is each person's own
    expect(await listed(home.person)).toEqual([[NEW, 2]])
    await read([item({ threadKey: one.threadKey })])
    expect([await listed(editor), await listed(home.person)]).toEqual([[[NEW, 1]], [[NEW, 3]]])
  })

  it('that is read twice, or changed without being new, notifies once', async () => {
    const one = item()
    await read([one], [one])
    await read([one])
    await read([{ ...one, version: 1, text: 'Hello again', editedAt: app.clock.now() }])
    expect(await listed(editor)).toEqual([[NEW, 1]])
  })

  it('is taken back once it was answered, closed, or assigned to someone else', async () => {
    const [answered, closed, assigned] = [item(), item(), item()]
    await read([answered, closed, assigned])
    expect(await listed(editor)).toHaveLength(3)
    await read([item({ threadKey: answered.threadKey, isOurs: true })])
    expect(await listed(editor)).toHaveLength(2)
    const status = { status: 'CLOSED' as const }
    await app.call(setConversationStatus, { ...at(await placeOf(closed.remoteId)), body: status }, { as: home.person })
    expect(await listed(editor)).toHaveLength(1)
    await assign(await placeOf(assigned.remoteId), home.person.personId, editor)
    expect(await listed(editor)).toEqual([])
  })

  it.each<[string, (now: Date) => Partial<ReceivedOptions>]>([
    ['is our own answer', () => ({ isOurs: true })],
    ['is hidden or held for review', () => ({ hidden: true, held: true })],
    ['was written before the channel was read', (now) => ({ at: new Date(now.getTime() - 3 * 86_400_000) })],
  ])('notifies nobody if it %s', async (_name, more) => {
    const one = item(more(app.clock.now()))
    await read([one])
    expect(await placeOf(one.remoteId)).not.toBe('')
    for (const person of [home.person, editor]) expect(await rows(person)).toEqual([])
  })

  it("notifies nobody who is writing an answer, or whose colleagues' answer came with it", async () => {
    const one = item()
    await read([one])
    await forget()
    const id = await placeOf(one.remoteId)
    await app.call(answeringConversation, { ...at(id), body: { answering: true } }, { as: editor })
    // presence lasts for 30 seconds, a reading is due a day later
    await app.database.owner.query("update conversation_editor set until = until + interval '2 days'")
    await read([item({ threadKey: one.threadKey })])
    expect([await rows(editor), await listed(home.person)]).toEqual([[], [[NEW, 1]]])
    await forget()
    const next = item()
    const answer = item({ threadKey: next.threadKey, isOurs: true, at: new Date(next.at.getTime() + 1000) })
    await read([next, answer])
    expect(await rows(home.person)).toEqual([])
  })
})

describe('people who are not notified', () => {
  it('have another organization, a role without comments or other channels, or left', async () => {
    const stranger = await app.signedInOwner()
    const messages = await teamOn(app).holder(home, { inbox: ['view'], dm: ['view', 'create'] })
    const elsewhere = await app.colleague(home, 'editor', { channelIds: [await contentOn(app.parts).channel(home)] })
    const outside = await app.colleague(home, 'editor')
    const gone = await app.colleague(home, 'editor')
    await app.database.owner.query('delete from project_member where person_id = $1', [outside.personId])
    await app.database.owner.query('update member set removed_at = now() where person_id = $1', [gone.personId])
    const low = item({ conversation: 'review', rating: 1 })
    await read([item(), low])
    for (const person of [stranger.person, messages, elsewhere, outside, gone]) expect(await rows(person)).toEqual([])
    expect(await rows(editor)).toHaveLength(2)
    // also not if it was assigned to them before
    await app.database.owner.query('update conversation set assignee_id = $1 where id = $2', [
      messages.personId,
      await placeOf(low.remoteId),
    ])
    await read([item({ conversation: 'review', threadKey: low.threadKey, rating: 1 })])
    expect(await rows(messages)).toEqual([])
    await read([item({ conversation: 'message', from: 'ilse' })])
    expect(await rows(messages)).toMatchObject([{ kind: 'inbox-new-unassigned' }])
  })
})

describe('a low review', () => {
  const low = 'A review with 2 stars for @rook.example on Bluesky'

  it('is shown to everyone who sees it, no matter who it is assigned to', async () => {
    const viewer = await app.colleague(home, 'none')
    const [good, bad] = [item({ conversation: 'review', rating: 3 }), item({ conversation: 'review', rating: 2 })]
    await read([good, bad])
    expect(await listed(viewer)).toEqual([[low, 1]])
    expect(new Map(await listed(editor))).toEqual(
      new Map([
        [low, 1],
        ['New review for @rook.example on Bluesky', 1],
      ]),
    )
    await assign(await placeOf(bad.remoteId), editor.personId)
    await forget()
    await read([item({ conversation: 'review', threadKey: bad.threadKey, rating: 2 })])
    expect([await rows(viewer), await rows(home.person), await rows(editor)]).toEqual([
      [{ kind: 'inbox-low-review', count: 1, mailed: false, in_app: true }],
      [{ kind: 'inbox-low-review', count: 1, mailed: false, in_app: true }],
      [{ kind: 'inbox-new-assigned', count: 1, mailed: true, in_app: true }],
    ])
  })

  it('is one that loses stars, too', async () => {
    const one = item({ conversation: 'review', rating: 4 })
    await read([one])
    await forget()
    await read([{ ...one, version: 1, rating: 2, editedAt: app.clock.now() }])
    expect(await listed(editor)).toEqual([[low, 1]])
    await read([{ ...one, version: 2, rating: 1, editedAt: app.clock.now() }])
    expect(await listed(editor)).toEqual([[low, 1]])
  })
})

it('notifies by the topic that reaches a person in most ways, and not at all if nothing does', async () => {
  await choose(editor, 'low_reviews', true, true)
  await choose(editor, 'inbox_unassigned', false, false)
  await choose(home.person, 'low_reviews', false, false)
  await read([item({ conversation: 'review', rating: 1 })])
  expect([await rows(editor), await rows(home.person)]).toMatchObject([
    [{ kind: 'inbox-low-review', mailed: true, in_app: true }],
    [{ kind: 'inbox-new-unassigned', mailed: false, in_app: true }],
  ])
  await forget()
  await choose(home.person, 'inbox_unassigned', false, true)
  await read([item()])
  expect([await rows(editor), await rows(home.person)]).toMatchObject([
    [],
    [{ kind: 'inbox-new-unassigned', mailed: true, in_app: false }],
  ])
})

describe('a thousand comments', () => {
  const burst = (size: number) => Array.from({ length: size }, () => item())

  it('in one reading are one notification for each person', async () => {
    await read(...Array.from({ length: 10 }, () => burst(100)))
    const { rows: stored } = await app.database.owner.query(
      'select count(*)::int as n from conversation where channel_id = $1',
      [channelId],
    )
    expect(stored).toEqual([{ n: 1000 }])
    expect(await listed(editor)).toEqual([['Many unassigned conversations have something new', 1]])
    // nothing is added before it's read, and nobody is told again
    const told = () =>
      app.database.owner.query('select from event where person_id = $1 and kind = $2', [editor.personId, 'notice'])
    expect((await told()).rows).toHaveLength(1)
    await read(burst(30))
    expect([await listed(editor), (await told()).rows]).toEqual([
      [['Many unassigned conversations have something new', 1]],
      [{}],
    ])
    await app.call(readAllNotices, { params: home.params }, { as: editor })
    await read(burst(30))
    expect(await listed(editor)).toEqual([['Many unassigned conversations have something new', 2]])
  })

  it('one by one are no more than ten notifications, and one for the rest', async () => {
    for (let each = 0; each < NOTIFIED_EACH + 3; each++) await read(burst(1))
    const titles = (await listed(editor)).map(([title]) => title)
    expect(titles.filter((title) => title === NEW)).toHaveLength(NOTIFIED_EACH)
    expect(titles).toHaveLength(NOTIFIED_EACH + 1)
  })
})
