import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallOf } from '#contract/endpoint.ts'
import * as actions from '#contract/inbox/actions.ts'
import { getConversation } from '#contract/inbox/conversations.ts'
import { inboxCounts } from '#contract/inbox/counts.ts'
import { leaveOrganization, removeFromProject } from '#contract/members.ts'
import { listNotices } from '#contract/notices.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { received } from '../testing/inbox.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let home: TestHome
let channel: string
let conversationId: string
let editor: TestPerson
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channel = await content.channel(home)
  editor = await app.colleague(home, 'editor', { firstName: 'Edda' })
  conversationId = await hear()
})

const hear = async (more: Partial<Parameters<typeof received>[2]> = {}) =>
  (await received(app, home, { channelId: channel, ...more })).conversationId
const params = (id = conversationId) => ({ params: { ...home.params, conversationId: id } })
const show = async (id = conversationId, as = home.person) =>
  (await app.call(getConversation, { ...params(id), query: {} }, { as })).conversation
const told = async (as: TestPerson) =>
  (await app.call(listNotices, { params: home.params, query: { topic: 'inbox' } }, { as })).notices.map(
    ({ kind, title, body, link }) => ({ kind, title, body, link }),
  )
const setStatus = (body: CallOf<typeof actions.setConversationStatus>['body'], as = editor, id = conversationId) =>
  app.call(actions.setConversationStatus, { ...params(id), body }, { as })
const assign = (userId: string | null, as = home.person, id = conversationId) =>
  app.call(actions.assignConversation, { ...params(id), body: { userId } }, { as })

describe('what conversations can be given', () => {
  const choices = async (as: TestPerson) => {
    const { people, labels } = await app.call(actions.conversationChoices, { params: home.params }, { as })
    return { people: people.map(({ userId }) => userId), labels: labels.map(({ labelName }) => labelName) }
  }

  it('is known to who may change some, without seeing members and labels', async () => {
    const team = teamOn(app)
    await taxonomyOn(app).label(home, 'Urgent')
    const answers = ['view', 'create', 'edit', 'delete']
    const community = await team.holder(home, { inbox: ['view'], dm: answers, comment: answers })
    const writer = await team.holder(home, { post: ['view', 'create'] })
    const elsewhere = await app.colleague(home, 'editor', { channelIds: [await content.channel(home)] })
    const bound = await team.holder(home, { inbox: ['view'], comment: answers }, { channelIds: [channel] })
    const seen = await choices(community)
    expect(seen.labels).toEqual(['Urgent'])
    for (const { personId } of [home.person, editor, community, elsewhere, bound])
      expect(seen.people).toContain(personId)
    expect(seen.people).not.toContain(writer.personId)
    // on its own channels
    expect((await choices(bound)).people).toContain(editor.personId)
    expect((await choices(bound)).people).not.toContain(elsewhere.personId)
    await assign(editor.personId, community)
  })

  it('is what the role sees of it for everyone else', async () => {
    const team = teamOn(app)
    await taxonomyOn(app).label(home, 'Urgent')
    const reader = await team.holder(home, { inbox: ['view'], dm: ['view'], comment: ['view'] })
    expect(await choices(reader)).toEqual({ people: [], labels: [] })
    const viewer = await app.colleague(home, 'none')
    expect((await choices(viewer)).labels).toEqual(['Urgent'])
    expect((await choices(viewer)).people).toContain(editor.personId)
  })
})

describe('changing a conversation', () => {
  it('opens, closes and puts it off, with an audit entry', async () => {
    expect(await setStatus({ status: 'CLOSED' })).toMatchObject({ message: 'Conversation closed' })
    expect(await show()).toMatchObject({ status: 'CLOSED' })
    await setStatus({ status: 'FOLLOWUP', followUpOn: '2027-01-08' })
    expect(await show()).toMatchObject({ status: 'FOLLOWUP', followUpOn: '2027-01-08' })
    expect(await teamOn(app).lastAudit(home)).toMatchObject({
      action: 'changed',
      entity: 'conversation',
      entity_id: conversationId,
      person_id: editor.personId,
      detail: { before: { status: 'CLOSED' }, after: { status: 'FOLLOWUP', followUpOn: '2027-01-08' } },
    })
    await setStatus({ status: 'OPEN' })
    expect(await show()).toMatchObject({ status: 'OPEN', followUpOn: null })
  })

  it('refuses a follow-up without a day after today, and changes nothing', async () => {
    const before = await show()
    const today = app.clock.now().toISOString().slice(0, 10)
    for (const followUpOn of [undefined, today, '2020-01-01'])
      await expect(setStatus({ status: 'FOLLOWUP', ...(followUpOn && { followUpOn }) })).rejects.toMatchObject({
        code: 'BAD_INPUT',
        problem: { errors: { followUpOn: [expect.any(String)] } },
      })
    expect(await show()).toEqual(before)
  })

  it('refuses a change of what someone else changed in between', async () => {
    const { version } = await show()
    const { version: next } = await setStatus({ status: 'CLOSED', version })
    expect(next).toBe(version + 1)
    await expect(setStatus({ status: 'OPEN', version })).rejects.toMatchObject({ code: 'STALE_VERSION' })
    // the same again changes nothing
    expect(await setStatus({ status: 'CLOSED', version: next })).toMatchObject({ version: next })
  })

  it('asks for the right to edit its kind', async () => {
    const team = teamOn(app)
    const message = await hear({ conversation: 'message' })
    const comments = await team.holder(home, { inbox: ['view'], comment: ['edit'], dm: ['view'] })
    await setStatus({ status: 'CLOSED' }, comments)
    await expect(setStatus({ status: 'CLOSED' }, comments, message)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const unseen = await team.holder(home, { inbox: ['view'], comment: ['edit'] })
    await expect(setStatus({ status: 'CLOSED' }, unseen, message)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const bound = await app.colleague(home, 'editor', { channelIds: [await content.channel(home)] })
    for (const attempt of [
      () => setStatus({ status: 'OPEN' }, bound),
      () => assign(null, bound),
      () => app.call(actions.labelConversation, { ...params(), body: { labelIds: [] } }, { as: bound }),
      () => app.call(actions.judgeConversation, { ...params(), body: { sentiment: null } }, { as: bound }),
      () => app.call(actions.readConversation, { ...params(), body: {} }, { as: bound }),
      () => app.call(actions.answeringConversation, { ...params(), body: {} }, { as: bound }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await show(message)).toMatchObject({ status: 'OPEN' })
  })

  it('keeps the sentiment that a person chose, until they take it back', async () => {
    const id = await hear({ remoteId: 'root', text: 'I love it' })
    const judge = (sentiment: 'negative' | null) =>
      app.call(actions.judgeConversation, { ...params(id), body: { sentiment } }, { as: editor })
    await judge('negative')
    await hear({ threadKey: 'root', type: 'REPLY', text: 'Really, I love it' })
    expect(await show(id)).toMatchObject({ sentiment: 'negative' })
    await judge(null)
    expect(await show(id)).toMatchObject({ sentiment: 'positive' })
  })

  it('sets labels that are active, and only those of the project', async () => {
    const taxonomy = taxonomyOn(app)
    const [vip, old] = [await taxonomy.label(home, 'VIP'), await taxonomy.label(home, 'Old')]
    const label = (labelIds: string[]) =>
      app.call(actions.labelConversation, { ...params(), body: { labelIds } }, { as: editor })
    await label([vip])
    await app.database.owner.query("update label set state = 'ARCHIVED' where id = $1", [old])
    await expect(label([vip, old])).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(label([await taxonomy.label(await app.signedInOwner(), 'Theirs')])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await show()).toMatchObject({ labels: [0] })
    await label([])
    expect(await show()).toMatchObject({ labels: [] })
  })

  it('stays unread when something came in that the person has not seen yet', async () => {
    const seen = app.clock.now().toISOString()
    const { conversationId: id, threadKey } = await received(app, home, { channelId: channel })
    app.clock.advance({ minutes: 1 })
    await received(app, home, { channelId: channel, threadKey, type: 'REPLY' })
    await app.call(actions.readConversation, { ...params(id), body: { upTo: seen } }, { as: editor })
    expect(await show(id, editor)).toMatchObject({ unread: true })
    await app.call(actions.readConversation, { ...params(id), body: { upTo: '2030-01-01T00:00:00Z' } }, { as: editor })
    expect(await show(id, editor)).toMatchObject({ unread: false })
    app.clock.advance({ minutes: 1 })
    await received(app, home, { channelId: channel, threadKey, type: 'REPLY' })
    expect(await show(id, editor)).toMatchObject({ unread: true })
  })

  it('is marked as read by each person alone, and a new item makes it unread again', async () => {
    const read = (body: { read?: boolean }) => app.call(actions.readConversation, { ...params(), body }, { as: editor })
    const { version } = await show()
    await read({})
    expect([(await show(conversationId, editor)).unread, (await show()).unread]).toEqual([false, true])
    expect(await show()).toMatchObject({ version })
    app.clock.advance({ minutes: 1 })
    const again = await received(app, home, { channelId: channel, remoteId: 'x', threadKey: 'x' })
    await app.call(actions.readConversation, { ...params(again.conversationId), body: {} }, { as: editor })
    app.clock.advance({ minutes: 1 })
    await received(app, home, { channelId: channel, threadKey: 'x', type: 'REPLY', parentRemoteId: 'x' })
    expect(await show(again.conversationId, editor)).toMatchObject({ unread: true })
  })
})

describe('assigning', () => {
  it('notifies the member with a link, and takes that back for another', async () => {
    await assign(editor.personId)
    expect(await told(editor)).toEqual([
      {
        kind: 'inbox-assigned',
        title: 'Olive Owner assigned a conversation to you',
        body: expect.stringContaining('on Bluesky'),
        link: `/${home.orgId}/project/${home.projectId}/inbox?c=${conversationId}`,
      },
    ])
    await assign(home.person.personId)
    expect([await told(editor), await told(home.person)]).toEqual([[], []])
  })

  it('is refused for someone who cannot see the conversation', async () => {
    const team = teamOn(app)
    const others = [
      await app.colleague(home, 'editor', { channelIds: [await content.channel(home)] }),
      await team.holder(home, { inbox: ['view'], dm: ['view'] }),
      await team.holder(home, { post: ['view'] }),
      await app.memberOnly(home),
      (await app.signedInOwner()).person,
    ]
    for (const { personId } of others)
      await expect(assign(personId)).rejects.toMatchObject({
        code: 'BAD_INPUT',
        problem: { errors: { userId: [expect.any(String)] } },
      })
    expect(await show()).toMatchObject({ assignee: null })
  })

  it('ends when the member is removed', async () => {
    await assign(editor.personId)
    await app.call(removeFromProject, { params: { ...home.params, userId: editor.personId } }, { as: home.person })
    expect(await show()).toMatchObject({ assignee: null })
    const other = await app.colleague(home, 'editor')
    await assign(other.personId)
    await app.call(leaveOrganization, { params: { orgId: home.orgId } }, { as: other })
    expect(await show()).toMatchObject({ assignee: null })
    expect((await app.call(inboxCounts, { params: home.params }, { as: home.person })).unassigned).toBe(1)
  })
})

describe('changing many', () => {
  const change = (body: CallOf<typeof actions.changeConversations>['body'], as = editor) =>
    app.call(actions.changeConversations, { params: home.params, body }, { as })

  it('changes what the caller may, and names what it skipped', async () => {
    const vip = await taxonomyOn(app).label(home, 'VIP')
    const message = await hear({ conversation: 'message' })
    const theirs = await app.signedInOwner()
    const foreign = (await received(app, theirs, { channelId: await content.channel(theirs) })).conversationId
    const comments = await teamOn(app).holder(home, { inbox: ['view'], comment: ['edit'], dm: ['view'] })
    expect(
      await change(
        {
          conversationIds: [conversationId, message, foreign, conversationId],
          status: 'CLOSED',
          addLabelIds: [vip],
          userId: editor.personId,
        },
        comments,
      ),
    ).toEqual({ changed: 1, skipped: [message, foreign], message: '1 conversation updated' })
    expect(await show()).toMatchObject({ status: 'CLOSED', labels: [0], assignee: 0 })
    expect(await show(message)).toMatchObject({ status: 'OPEN', labels: [], assignee: null })
  })

  it('marks many as read, also for someone who may only look', async () => {
    const second = await hear()
    const reader = await app.colleague(home, 'none')
    expect(await change({ conversationIds: [conversationId, second], read: true }, reader)).toMatchObject({
      changed: 2,
    })
    expect((await app.call(inboxCounts, { params: home.params }, { as: reader })).unread).toBe(0)
    expect(await change({ conversationIds: [second], status: 'CLOSED' }, reader)).toMatchObject({
      changed: 0,
      skipped: [second],
    })
  })

  it('notifies the assignee once of all', async () => {
    await change({ conversationIds: [conversationId, await hear()], userId: editor.personId }, home.person)
    expect(await told(editor)).toMatchObject([{ title: 'Olive Owner assigned 2 conversations to you' }])
  })

  it('changes nothing when a part of it is wrong', async () => {
    const before = await show()
    for (const body of [
      { status: 'FOLLOWUP' as const },
      { status: 'CLOSED' as const, addLabelIds: ['01920000-0000-7000-8000-00000000000c'] },
      { status: 'CLOSED' as const, userId: '01920000-0000-7000-8000-00000000000c' },
      {},
    ])
      await expect(change({ conversationIds: [conversationId], ...body })).rejects.toMatchObject({
        code: expect.stringMatching(/^(BAD_INPUT|NOT_FOUND)$/),
      })
    expect(await show()).toEqual(before)
  })
})

it('says who else is answering, until they stop or fall silent', async () => {
  const say = (as: TestPerson, body = {}) => app.call(actions.answeringConversation, { ...params(), body }, { as })
  expect(await say(editor)).toEqual({ answering: [] })
  expect(await say(home.person)).toMatchObject({ answering: [{ userId: editor.personId, name: 'Edda editor' }] })
  expect((await app.call(getConversation, { ...params(), query: {} }, { as: home.person })).answering).toMatchObject([
    { userId: editor.personId },
  ])
  await say(editor, { answering: false })
  expect(await say(home.person)).toEqual({ answering: [] })
  await say(editor)
  app.clock.advance({ minutes: 1 })
  expect(await say(home.person)).toEqual({ answering: [] })
})
