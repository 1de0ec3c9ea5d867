import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallOf } from '#contract/endpoint.ts'
import { readConversation } from '#contract/inbox/actions.ts'
import { getConversation, listConversations } from '#contract/inbox/conversations.ts'
import { inboxCounts } from '#contract/inbox/counts.ts'
import { confirmReply, deleteReply, editReply, retryReply, sendReply } from '#contract/inbox/replies.ts'
import type { ReplyState } from '#contract/inbox/terms.ts'
import { builtActions } from '#contract/permissions.ts'
import { NewRole } from '#contract/roles.ts'
import type { RemoteItem } from '../../platforms/inbox.ts'
import { createNotification } from '../../notifications/create.ts'
import { startPublishing, type Publishing } from '../../publishing/start.ts'
import { contentOn } from '../../testing/content.ts'
import { received, storeChanges, remoteItem } from '../../testing/inbox.ts'
import type { TestHome, TestPerson } from '../../testing/people.ts'
import { quietLog } from '../../testing/publishing.ts'
import { saying } from '../../testing/reasons.ts'
import { scriptedInbox, type ScriptedInbox } from '../../testing/scriptedInbox.ts'
import { startApp, type TestApp } from '../../testing/startApp.ts'
import { teamOn } from '../../testing/team.ts'
import { until } from '../../testing/until.ts'
import { replySubject } from './subject.ts'

let app: TestApp
let home: TestHome
let platform: ScriptedInbox
let channelId: string
let nodes: Publishing[] = []

beforeAll(async () => {
  app = await startApp({ parts: (own) => ({ ...own, platforms: () => platform }) })
})
afterAll(() => app.close())
beforeEach(async () => {
  platform = scriptedInbox()
  home = await app.signedInOwner()
  await app.database.owner.query("update plan set status = 'ACTIVE' where org_id = $1", [home.orgId])
  channelId = await contentOn(app.parts).channel(home)
})
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.stop({ drain: 1000 })))
  nodes = []
})

/** A node that goes on with what requests left. */
async function startNode(): Promise<void> {
  const { databases, clock, secrets, fetch } = app.parts
  nodes.push(
    await startPublishing({
      isAsApproved: () => true,
      subjects: [replySubject()],
      databases,
      clock,
      platforms: [platform],
      secrets,
      media: async () => new Map(),
      fetch,
      notify: createNotification,
      log: quietLog,
      options: { poll: 10, clockTolerance: 0, watchdog: 0, heartbeat: 600_000 },
    }),
  )
}

const reason = saying('A reason.', 'An advice.')
const hear = async (text: string, more: Partial<Parameters<typeof received>[2]> = {}) =>
  (await received(app, home, { channelId, text, ...more })).conversationId
const open = (conversationId: string, as: TestPerson = home.person) =>
  app.call(getConversation, { params: { ...home.params, conversationId } }, { as })
const send = (
  conversationId: string,
  text: string,
  more: { replyId?: string; [field: string]: unknown } = {},
  as = home.person,
) =>
  app.call(
    sendReply,
    { params: { ...home.params, conversationId }, body: { replyId: randomUUID(), text, ...more } },
    { as },
  )
const at = (replyId: string) => ({ params: { ...home.params, replyId } })
const retry = (replyId: string) => app.call(retryReply, at(replyId), { as: home.person })
const confirm = (replyId: string, sent: boolean) =>
  app.call(confirmReply, { ...at(replyId), body: { sent } }, { as: home.person })
const remove = (replyId: string, as = home.person) => app.call(deleteReply, at(replyId), { as })
const edit = (replyId: string, text: string) =>
  app.call(editReply, { ...at(replyId), body: { text } }, { as: home.person })
const stateOf = async (replyId: string): Promise<ReplyState | undefined> =>
  (await app.database.owner.query('select state from reply where id = $1', [replyId])).rows[0]?.state
const untilState = (replyId: string, state: ReplyState) =>
  until(async () => (await stateOf(replyId)) === state, { what: `the reply to be ${state}` })
const texts = async (conversationId: string) => (await open(conversationId)).items.map(({ text }) => text)

/** The conversations with a reply that wasn't sent, as the list and the counts have them. */
async function unsentFor(as: TestPerson = home.person): Promise<string[]> {
  const query = { unsent: 'true' } as const
  const { conversations } = await app.call(listConversations, { params: home.params, query }, { as })
  const { unsent } = await app.call(inboxCounts, { params: home.params }, { as })
  expect(conversations.every((one) => one.unsent !== null)).toBe(true)
  expect(conversations).toHaveLength(unsent)
  return conversations.map(({ conversationId }) => conversationId)
}
/** Who was notified of replies in a conversation: of what, and whether they haven't read it. */
const notified = async (conversationId: string) =>
  (
    await app.database.owner.query<{ person_id: string; kind: string; unread: boolean }>(
      "select person_id, kind, read_at is null as unread from notice where params ->> 'conversationId' = $1 and kind like 'inbox-reply-%' order by 1, 2",
      [conversationId],
    )
  ).rows.map(({ person_id: personId, kind, unread }) => [personId, kind, unread])

describe('sending', () => {
  it('sends a reply and shows it as answered, with who wrote it', async () => {
    const conversationId = await hear('When do you open?')
    const before = await open(conversationId)
    const { replyId, state, version } = await send(conversationId, ' At eight ')
    expect(state).toBe('SENT')
    expect(platform.replies).toMatchObject([{ text: 'At eight', reply: { parent: { type: 'COMMENT' }, window: null } }])
    const after = await open(conversationId)
    expect(after.conversation).toMatchObject({
      version,
      unanswered: 0,
      status: 'OPEN',
      lastDirection: 'sent',
      preview: 'At eight',
    })
    expect(after.conversation.version).toBeGreaterThan(before.conversation.version)
    expect(after.items.at(-1)).toMatchObject({
      text: 'At eight',
      direction: 'sent',
      member: { userId: home.person.personId },
      reply: { replyId, state: 'SENT', failure: null },
      can: { edit: false, delete: true, retry: false, confirm: false },
    })
    expect(after.members[after.conversation.assignee ?? -1]?.userId).toBe(home.person.personId)
  })

  it('gets a creation time that nothing else of the account has, the same in every try, where that is needed', async () => {
    const conversationId = await hear('When do you open?')
    const tries: [key: string, at: number][] = []
    let fails = true
    platform = scriptedInbox({
      send: async (_reach, _secret, _account, { sendKey, createdAt }) => {
        tries.push([sendKey, createdAt.getTime()])
        return fails ? { kind: 'unknown', reason } : { kind: 'sent', remoteId: `reply ${sendKey}`, progress: {} }
      },
      reconcile: async () => ({ kind: 'absent' }),
      sendIsRepeatable: true,
    })
    platform.publish.distinctTimes = true
    const sent = [await send(conversationId, 'At eight'), await send(conversationId, 'And on Sunday at ten')]
    expect(sent.map(({ state }) => state)).toEqual(['UNCONFIRMED', 'UNCONFIRMED'])
    fails = false
    await startNode()
    for (const { replyId } of sent) {
      app.clock.advance({ minutes: 3 })
      await untilState(replyId, 'SENT')
    }
    const times = Map.groupBy(tries, ([key]) => key)
    expect([...times.values()].map((all) => new Set(all.map(([, at]) => at)).size)).toEqual([1, 1])
    expect([...times.values()].every((all) => all.length > 1)).toBe(true)
    expect(new Set(tries.map(([, at]) => at)).size).toBe(2)
  })

  it('is one reply however often and at once it is asked for', async () => {
    const conversationId = await hear('Hello?')
    const replyId = randomUUID()
    const answers = await Promise.all(Array.from({ length: 25 }, () => send(conversationId, 'Hi', { replyId })))
    expect(answers.every((answer) => answer.replyId === replyId)).toBe(true)
    expect(platform.calls).toEqual(['send Hi'])
    expect(await send(conversationId, 'Hi', { replyId })).toMatchObject({ state: 'SENT' })
    expect(await texts(conversationId)).toEqual(['Hello?', 'Hi'])
  })

  it('is answered by a role made for it, and refused to one that may only look and manage', async () => {
    const team = teamOn(app)
    const holding = (actions: readonly string[]) =>
      NewRole.parse({ name: 'Any', permissions: { inbox: ['view'], dm: actions, comment: actions } }).permissions
    const answers = await team.holder(home, holding(builtActions('dm')))
    const looks = await team.holder(home, holding(builtActions('dm').filter((action) => action !== 'create')))
    const kinds = [{}, { conversation: 'message' as const }]
    for (const [i, kind] of kinds.entries()) {
      const conversationId = await hear(`Question ${i}`, kind)
      expect((await open(conversationId, looks)).can.reply.possible).toBe(false)
      await expect(send(conversationId, 'No', {}, looks)).rejects.toMatchObject({ code: 'FORBIDDEN' })
      expect(await texts(conversationId)).toEqual([`Question ${i}`])
      expect((await open(conversationId, answers)).can.reply.possible).toBe(true)
      expect(await send(conversationId, `Answer ${i}`, {}, answers)).toMatchObject({ state: 'SENT' })
      expect(await texts(conversationId)).toEqual([`Question ${i}`, `Answer ${i}`])
    }
    const { rows } = await app.database.owner.query('select text from reply where org_id = $1 order by text', [
      home.orgId,
    ])
    expect(rows).toEqual([{ text: 'Answer 0' }, { text: 'Answer 1' }])
  })

  it('meets its echo in one item, whichever comes first', async () => {
    const conversationId = await hear('Which?', { remoteId: 'asked' })
    const echo = (remoteId: string, text: string) =>
      storeChanges(app, home, channelId, [
        remoteItem({
          channelId,
          remoteId,
          threadKey: 'asked',
          isOurs: true,
          text,
          type: 'REPLY',
          at: app.clock.now(),
          url: 'https://social.example/1',
        }),
      ])
    await send(conversationId, 'This one')
    await echo(platform.replies[0]?.remoteId ?? '', 'This one')
    platform = scriptedInbox({
      send: async () => {
        await echo('early', 'And that one')
        return { kind: 'sent', remoteId: 'early', progress: {} }
      },
    })
    await send(conversationId, 'And that one')
    const { items } = await open(conversationId)
    expect(items.map(({ text, url, reply }) => [text, url, reply?.state])).toEqual([
      ['Which?', null, undefined],
      ['This one', 'https://social.example/1', 'SENT'],
      ['And that one', 'https://social.example/1', 'SENT'],
    ])
  })

  it('refuses a version that someone has answered since, and an ID of another conversation', async () => {
    const [one, two] = [await hear('One?'), await hear('Two?')]
    const { version } = (await open(one)).conversation
    const replyId = randomUUID()
    await send(one, 'First', { version, replyId })
    await expect(send(one, 'Second', { version })).rejects.toMatchObject({ code: 'STALE_VERSION' })
    await expect(send(two, 'First', { replyId })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect(platform.calls).toEqual(['send First'])
  })

  it.each([
    ['nothing', { text: ' ' }, 'text'],
    ['more than the platform takes', { text: '👩‍👩‍👧‍👦'.repeat(301) }, 'text'],
    [
      'more pictures than the platform takes',
      { text: 'Look', assetIds: Array.from({ length: 5 }, () => randomUUID()) },
      'assetIds',
    ],
    ['a picture that is gone', { text: 'Look', assetIds: [randomUUID()] }, 'assetIds'],
    ['an item of elsewhere', { text: 'Hi', itemId: randomUUID() }, 'itemId'],
  ])('refuses %s and stores nothing', async (_, { text, ...more }, field) => {
    const conversationId = await hear('Hello?')
    await expect(send(conversationId, text, more)).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { [field]: [expect.any(String)] } },
    })
    expect(
      (await app.database.owner.query('select from reply where conversation_id = $1', [conversationId])).rowCount,
    ).toBe(0)
    expect(platform.calls).toEqual([])
  })

  it.each([
    ['an alt text that the platform takes is taken', 2000, 'SENT'],
    ['a longer one is refused', 2001, { code: 'BAD_INPUT', problem: { errors: { assetIds: [expect.any(String)] } } }],
  ])('has pictures with alt texts: %s', async (_, length, outcome) => {
    const conversationId = await hear('Which one?')
    const assetId = await contentOn(app.parts).picture(home)
    const sending = send(conversationId, '', { assetIds: [assetId], altTexts: { [assetId]: 'a'.repeat(length) } })
    if (typeof outcome === 'string') expect(await sending).toMatchObject({ state: outcome })
    else await expect(sending).rejects.toMatchObject(outcome)
  })

  it('has as many pictures as the account takes, where it has limits of its own', async () => {
    const conversationId = await hear('Which one?')
    const limits = { images: 1, addressLength: 23 }
    await app.database.owner.query('update channel set limits = $2 where id = $1', [channelId, JSON.stringify(limits)])
    expect((await open(conversationId)).can.reply).toMatchObject({ pictures: 1, limits })
    const { picture } = contentOn(app.parts)
    const assetIds = [await picture(home), await picture(home)]
    await expect(send(conversationId, 'These', { assetIds })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect(await send(conversationId, 'This', { assetIds: assetIds.slice(1) })).toMatchObject({ state: 'SENT' })
  })

  it('shows its pictures once it is sent, until the platform tells of its own, and not when it is gone', async () => {
    const conversationId = await hear('Which one?', { remoteId: 'asked' })
    const assetIds = [await contentOn(app.parts).picture(home), await contentOn(app.parts).picture(home)]
    await send(conversationId, 'These', { assetIds, altTexts: { [assetIds[0] ?? '']: 'A blue jug' } })
    const shown = async () => {
      const item = (await open(conversationId)).items.at(-1)
      return { media: item?.media, files: item?.reply?.files.map(({ assetId, altText }) => [assetId, altText]) }
    }
    const remoteId = platform.replies[0]?.remoteId ?? ''
    const sent = [
      [assetIds[0], 'A blue jug'],
      [assetIds[1], ''],
    ]
    expect(await shown()).toEqual({ media: [], files: sent })
    const echo = (media: RemoteItem['media'], version: number) =>
      storeChanges(app, home, channelId, [
        remoteItem({
          channelId,
          remoteId,
          threadKey: 'asked',
          isOurs: true,
          text: 'These',
          type: 'REPLY',
          at: app.clock.now(),
          media,
          version,
        }),
      ])
    // a reading that tells of no pictures
    await echo([], 1)
    expect(await shown()).toEqual({ media: [], files: sent })
    await echo([{ kind: 'image', url: 'https://social.example/1.jpg', name: null, altText: 'A blue jug' }], 2)
    expect(await shown()).toMatchObject({ media: [{ kind: 'image', altText: 'A blue jug' }], files: [] })
    await storeChanges(app, home, channelId, [{ change: 'deleted', remoteId, at: app.clock.now() }])
    expect(await shown()).toEqual({ media: [], files: [] })
  })

  it('counts as the platform counts', async () => {
    const conversationId = await hear('Hello?')
    expect(await send(conversationId, '👩‍👩‍👧‍👦'.repeat(300))).toMatchObject({ state: 'SENT' })
  })

  it.each([
    ['signed out', "update channel set status = 'TOKEN_EXPIRED' where id = $1"],
    ['disabled', 'update channel set enabled = false where id = $1'],
    ['paused', 'update lane set paused = true where channel_id = $1'],
    ['being deleted', 'update channel set deleting_at = now() where id = $1'],
  ])('is refused while the channel is %s', async (_, statement) => {
    const conversationId = await hear('Hello?')
    await app.database.owner.query(statement, [channelId])
    await expect(send(conversationId, 'Hi')).rejects.toMatchObject({
      code: 'REPLY_REFUSED',
      problem: { detail: expect.stringMatching(/[.]$/) },
    })
    expect(await texts(conversationId)).toEqual(['Hello?'])
  })

  it('is refused without a valid plan', async () => {
    const conversationId = await hear('Hello?')
    await app.database.owner.query("update plan set status = 'CANCELLED' where org_id = $1", [home.orgId])
    await expect(send(conversationId, 'Hi')).rejects.toMatchObject({ code: 'PLAN_LIMIT' })
  })

  it('is refused after the answering window, and within it is sent in the window that it is in', async () => {
    const wasWritten = (hours: number) => new Date(app.clock.now().getTime() - hours * 3_600_000)
    await app.database.owner.query("update channel set platform = 'facebook' where id = $1", [channelId])
    const ask = (hours: number) =>
      hear('Still there?', { conversation: 'message', from: `asked-${hours}`, at: wasWritten(hours) })
    await send(await ask(23), 'Yes')
    await send(await ask(25), 'Yes')
    await expect(send(await ask(169), 'Yes')).rejects.toMatchObject({ code: 'REPLY_REFUSED' })
    expect(platform.replies.map(({ reply }) => reply.window)).toEqual(['reply', 'human_agent'])
  })

  it("says in the platform's words what can't be answered", async () => {
    const { conversationId } = await received(app, home, { channelId, conversation: 'message', text: 'Psst' })
    await app.database.owner.query("update channel set platform = 'tiktok' where id = $1", [channelId])
    await expect(send(conversationId, 'Hi')).rejects.toMatchObject({
      code: 'REPLY_REFUSED',
      problem: { detail: expect.stringContaining('TikTok') },
    })
  })

  it('answers a review once', async () => {
    await app.database.owner.query("update channel set platform = 'googlemybusiness' where id = $1", [channelId])
    const conversationId = await hear('Great', { conversation: 'review', rating: 5 })
    expect((await open(conversationId)).can.reply).toMatchObject({ possible: true, reason: null })
    await send(conversationId, 'Thank you')
    expect((await open(conversationId)).can.reply).toMatchObject({
      possible: false,
      reason: 'Google Business Profile takes one reply here, and there is one already.',
    })
    await expect(send(conversationId, 'Thanks again')).rejects.toMatchObject({ code: 'REPLY_REFUSED' })
  })

  it('closes the conversation as the call says, else as the project does', async () => {
    const [asked, kept, open1] = [await hear('One?'), await hear('Two?'), await hear('Three?')]
    await send(asked, 'Yes', { close: true })
    await send(open1, 'Yes')
    await app.database.owner.query(
      'insert into inbox_setting (org_id, project_id, reply_closes) values ($1, $2, true)',
      [home.orgId, home.projectId],
    )
    const byProject = await hear('Four?')
    await send(byProject, 'Yes')
    const status = async (id: string) => (await open(id)).conversation.status
    expect(await Promise.all([asked, open1, kept, byProject].map(status))).toEqual(['CLOSED', 'OPEN', 'OPEN', 'CLOSED'])
  })
})

describe('who may reply', () => {
  it('is decided by the right to create on the kind, and by the channel', async () => {
    const team = teamOn(app)
    const conversationId = await hear('Hello?')
    const reader = await team.holder(home, { inbox: ['view'], comment: ['view', 'edit'] })
    await expect(send(conversationId, 'Hi', {}, reader)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const ofMessages = await team.holder(home, { inbox: ['view'], dm: ['view', 'create'] })
    await expect(send(conversationId, 'Hi', {}, ofMessages)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const elsewhere = await team.holder(home, { inbox: ['view'], comment: ['view', 'create'] }, { channelIds: [] })
    await expect(send(conversationId, 'Hi', {}, elsewhere)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const stranger = await app.signedInOwner()
    await expect(send(conversationId, 'Hi', {}, stranger.person)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
    const writer = await team.holder(home, { inbox: ['view'], comment: ['view', 'create'] })
    const { replyId } = await send(conversationId, 'Hi', {}, writer)
    await expect(remove(replyId, writer)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(
      app.call(deleteReply, { params: { ...stranger.params, replyId } }, { as: stranger.person }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('what goes wrong', () => {
  it('says why a reply was rejected, and sends it again when asked to', async () => {
    platform = scriptedInbox({ send: async () => ({ kind: 'rejected', reason }) })
    const conversationId = await hear('Hello?')
    const { replyId, state } = await send(conversationId, 'Hi')
    expect(state).toBe('FAILED')
    expect((await open(conversationId)).items.at(-1)).toMatchObject({
      reply: { state: 'FAILED', failure: { class: 'permanent', code: reason.code } },
      can: { retry: true, delete: true, confirm: false, edit: false },
    })
    platform = scriptedInbox()
    expect(await retry(replyId)).toMatchObject({ state: 'SENT' })
    await expect(retry(replyId)).rejects.toMatchObject({ code: 'REPLY_LOCKED' })
    expect(platform.calls).toEqual(['send Hi'])
  })

  it('marks the conversation, which stays open, and notifies the author, until they see it', async () => {
    platform = scriptedInbox({ send: async () => ({ kind: 'rejected', reason }) })
    const colleague = await app.colleague(home, 'editor')
    const conversationId = await hear('Hello?')
    await hear('Something else', { from: 'nils' })
    const { replyId } = await send(conversationId, 'Hi', { close: true })
    expect((await open(conversationId, colleague)).conversation).toMatchObject({ status: 'OPEN', unsent: 'FAILED' })
    expect(await unsentFor()).toEqual([conversationId])
    expect(await notified(conversationId)).toEqual([[home.person.personId, 'inbox-reply-failed', true]])
    const read = (as: TestPerson) =>
      app.call(readConversation, { params: { ...home.params, conversationId }, body: {} }, { as })
    await read(colleague)
    expect(await notified(conversationId)).toEqual([[home.person.personId, 'inbox-reply-failed', true]])
    await read(home.person)
    expect(await notified(conversationId)).toEqual([[home.person.personId, 'inbox-reply-failed', false]])
    // it failed again after it was seen
    await retry(replyId)
    expect(await notified(conversationId)).toEqual([[home.person.personId, 'inbox-reply-failed', true]])
    platform = scriptedInbox()
    await retry(replyId)
    expect((await open(conversationId)).conversation).toMatchObject({ status: 'CLOSED', unsent: null })
    expect(await unsentFor()).toEqual([])
    expect(await notified(conversationId)).toEqual([])
  })

  it('marks no conversation whose reply was discarded, and one that a person has to check', async () => {
    platform = scriptedInbox({ send: async () => ({ kind: 'rejected', reason }) })
    const conversationId = await hear('Hello?')
    const first = await send(conversationId, 'Hi')
    const second = await send(conversationId, 'Hi again')
    await app.database.owner.query("update reply set state = 'UNCONFIRMED' where id = $1", [first.replyId])
    expect((await open(conversationId)).conversation.unsent).toBe('FAILED')
    await remove(second.replyId)
    expect((await open(conversationId)).conversation.unsent).toBe('UNCONFIRMED')
    expect(await unsentFor()).toEqual([conversationId])
    await confirm(first.replyId, false)
    await remove(first.replyId)
    expect((await open(conversationId)).conversation.unsent).toBeNull()
    expect(await unsentFor()).toEqual([])
  })

  it('lists and counts what wasn’t sent for those who see the conversation', async () => {
    platform = scriptedInbox({ send: async () => ({ kind: 'rejected', reason }) })
    const hidden = await contentOn(app.parts).channel(home, { handle: '@hidden.example' })
    const comment = await hear('A comment')
    const message = await hear('A message', { conversation: 'message' })
    const elsewhere = await hear('Elsewhere', { channelId: hidden })
    for (const id of [comment, message, elsewhere]) await send(id, 'Hi')
    await hear('Answered by nobody', { from: 'nils' })
    const team = teamOn(app)
    const noMessages = await team.holder(home, { inbox: ['view'], comment: ['view'] })
    const bound = await app.colleague(home, 'editor', { channelIds: [hidden] })
    const stranger = await app.signedInOwner()
    expect(await unsentFor()).toEqual([elsewhere, message, comment])
    expect(await unsentFor(noMessages)).toEqual([elsewhere, comment])
    expect(await unsentFor(bound)).toEqual([elsewhere])
    const theirs = { params: stranger.params, query: { unsent: 'true' } } as const
    expect((await app.call(listConversations, theirs, { as: stranger.person })).conversations).toEqual([])
    expect((await app.call(inboxCounts, { params: stranger.params }, { as: stranger.person })).unsent).toBe(0)
    const filtered = async (query: NonNullable<CallOf<typeof listConversations>['query']>) =>
      (await app.call(listConversations, { params: home.params, query }, { as: home.person })).conversations.map(
        ({ preview }) => preview,
      )
    expect(await filtered({ unsent: 'true', kind: ['message'] })).toEqual(['A message'])
    expect(await filtered({ unsent: 'true', q: 'comment' })).toEqual(['A comment'])
    expect(await filtered({ unsent: 'true', sort: 'oldest', limit: 1 })).toEqual(['A comment'])
    expect(await filtered({ unsent: 'false' })).toEqual(['Answered by nobody'])
    const blind = await team.holder(home, { post: ['view'] })
    await expect(unsentFor(blind)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('notifies no author who has left the project or can’t see the channel anymore', async () => {
    const author = () => app.colleague(home, 'editor')
    const [kept, bound, removed] = [await author(), await author(), await author()]
    const hidden = await contentOn(app.parts).channel(home, { handle: '@hidden.example' })
    const { owner } = app.database
    const cases: [TestPerson, () => Promise<unknown>][] = [
      [kept, async () => undefined],
      [
        bound,
        () =>
          owner.query('update project_member set channel_ids = $2 where person_id = $1', [bound.personId, [hidden]]),
      ],
      [removed, () => owner.query('delete from project_member where person_id = $1', [removed.personId])],
    ]
    const ids: string[] = []
    for (const [person, meanwhile] of cases) {
      platform = scriptedInbox({
        send: async () => {
          await meanwhile()
          return { kind: 'rejected', reason }
        },
      })
      const conversationId = await hear(`Hello ${ids.length}?`)
      ids.push(conversationId)
      const replyId = randomUUID()
      // the answer of the call isn't for those who are gone by then
      await send(conversationId, 'Hi', { replyId }, person).catch(() => undefined)
      expect(await stateOf(replyId)).toBe('FAILED')
    }
    expect(await Promise.all(ids.map(notified))).toEqual([[[kept.personId, 'inbox-reply-failed', true]], [], []])
  })

  it('is tried again by a node after passing trouble, and can be withdrawn until then', async () => {
    let isAway = true
    platform = scriptedInbox({
      send: async () => (isAway ? { kind: 'retry', reason } : { kind: 'sent', remoteId: 'there', progress: {} }),
    })
    const conversationId = await hear('Hello?')
    const first = await send(conversationId, 'Hi')
    const second = await send(conversationId, 'Or not')
    expect([first.state, second.state]).toEqual(['PENDING', 'PENDING'])
    expect(await remove(second.replyId)).toMatchObject({ state: 'CANCELLED' })
    isAway = false
    app.clock.advance({ minutes: 1 })
    await startNode()
    await untilState(first.replyId, 'SENT')
    expect(platform.calls).toEqual(['send Hi', 'send Or not', 'send Hi'])
    expect(await texts(conversationId)).toEqual(['Hello?', 'Hi'])
  })

  it('looks for a reply whose answer was lost, and finds it', async () => {
    const lost = scriptedInbox()
    const send1 = lost.inbox?.replies?.send
    platform = scriptedInbox({
      send: async (...call) => {
        await send1?.(...call)
        return { kind: 'unknown', reason }
      },
      reconcile: async () => {
        const [there] = lost.replies
        return there ? { kind: 'sent', remoteId: there.remoteId, progress: {} } : { kind: 'absent' }
      },
    })
    const conversationId = await hear('Hello?')
    const { replyId, state } = await send(conversationId, 'Hi')
    expect(state).toBe('UNCONFIRMED')
    await expect(remove(replyId)).rejects.toMatchObject({ code: 'REPLY_LOCKED' })
    app.clock.advance({ minutes: 2 })
    await startNode()
    await untilState(replyId, 'SENT')
    expect(lost.replies).toHaveLength(1)
    expect(platform.calls.filter((call) => call.startsWith('send'))).toEqual(['send Hi'])
  })

  it('sends a lost reply again only after it was missing twice, a minute apart', async () => {
    let sends = 0
    platform = scriptedInbox({
      send: async () =>
        ++sends === 1 ? { kind: 'unknown', reason } : { kind: 'sent', remoteId: 'there', progress: {} },
      reconcile: async () => ({ kind: 'absent' }),
    })
    const conversationId = await hear('Hello?')
    const { replyId } = await send(conversationId, 'Hi')
    app.clock.advance({ minutes: 2 })
    await startNode()
    await until(() => platform.calls.length === 2, { what: 'the first look' })
    expect(sends).toBe(1)
    app.clock.advance({ minutes: 2 })
    await untilState(replyId, 'SENT')
    expect(platform.calls).toEqual(['send Hi', 'reconcile Hi', 'reconcile Hi', 'send Hi'])
  })

  it('asks a person where nobody can tell two replies of the same text apart', async () => {
    let isFirst = true
    platform = scriptedInbox({
      send: async () => {
        if (!isFirst) return { kind: 'unknown', reason }
        isFirst = false
        return { kind: 'sent', remoteId: 'the first', progress: {} }
      },
      reconcile: async () => ({ kind: 'sent', remoteId: 'the first', progress: {} }),
    })
    const conversationId = await hear('Hello?')
    await send(conversationId, 'Hi')
    const { replyId } = await send(conversationId, 'Hi')
    app.clock.advance({ minutes: 2 })
    await startNode()
    await until(async () => (await open(conversationId)).items.at(-1)?.reply?.failure?.code === 'reply-unresolved', {
      what: 'a person to be asked',
    })
    const { rows } = await app.database.owner.query(
      "select kind from notice where kind like 'inbox-reply-%' and params ->> 'conversationId' = $1",
      [conversationId],
    )
    expect(rows).toEqual([{ kind: 'inbox-reply-unconfirmed' }])
    expect((await open(conversationId)).items.at(-1)).toMatchObject({ can: { confirm: true, retry: false } })
    expect(await confirm(replyId, false)).toMatchObject({ state: 'FAILED' })
    platform = scriptedInbox()
    expect(await retry(replyId)).toMatchObject({ state: 'SENT' })
  })

  it('matches a reply that a person confirmed with the item that is read afterwards', async () => {
    platform = scriptedInbox({ send: async () => ({ kind: 'unknown', reason }) })
    const conversationId = await hear('Hello?', { remoteId: 'asked' })
    const { replyId } = await send(conversationId, 'Hi')
    expect(await confirm(replyId, true)).toMatchObject({ state: 'SENT' })
    await storeChanges(app, home, channelId, [
      remoteItem({
        channelId,
        remoteId: 'echo',
        threadKey: 'asked',
        isOurs: true,
        text: 'Hi',
        type: 'REPLY',
        at: app.clock.now(),
      }),
    ])
    const { items } = await open(conversationId)
    expect(items.map(({ text, reply }) => [text, reply?.replyId])).toEqual([
      ['Hello?', undefined],
      ['Hi', replyId],
    ])
  })

  it('fails after the channel’s lateness limit, and notifies its author', async () => {
    platform = scriptedInbox({ send: async () => ({ kind: 'retry', reason }) })
    const conversationId = await hear('Hello?')
    const { replyId } = await send(conversationId, 'Hi')
    app.clock.advance({ days: 2 })
    await startNode()
    await untilState(replyId, 'FAILED')
    expect((await open(conversationId)).items.at(-1)?.reply?.failure).toMatchObject({
      class: 'late',
      code: 'reply-too-late',
    })
    const { rows } = await app.database.owner.query(
      "select person_id from notice where kind = 'inbox-reply-failed' and params ->> 'conversationId' = $1",
      [conversationId],
    )
    expect(rows).toEqual([{ person_id: home.person.personId }])
  })

  it('waits while an operator has paused publishing', async () => {
    const conversationId = await hear('Hello?')
    await app.database.owner.query(
      "insert into kill_switch (scope, name, cause, since, reason) values ('organization', $1, 'operator', now(), 'Maintenance')",
      [home.orgId],
    )
    expect(await send(conversationId, 'Hi')).toMatchObject({ state: 'PENDING' })
    expect(platform.calls).toEqual([])
  })

  it('is sent by a node when its request ended before it began to send', async () => {
    const conversationId = await hear('Hello?')
    const replyId = randomUUID()
    const budgets = () => {
      throw new Error('the request ends between its reservation and its claim')
    }
    Object.defineProperty(platform, 'budgets', { get: budgets })
    await expect(send(conversationId, 'Hi', { replyId })).rejects.toMatchObject({ code: 'INTERNAL' })
    expect(await stateOf(replyId)).toBe('PENDING')
    platform = scriptedInbox()
    await startNode()
    app.clock.advance({ minutes: 1 })
    await untilState(replyId, 'SENT')
    expect(platform.calls).toEqual(['send Hi'])
  })
})

describe('on Mastodon, where mentions are put in front of a reply', () => {
  const mastodon = () => app.database.owner.query("update channel set platform = 'mastodon' where id = $1", [channelId])
  const replies = async () => (await app.database.owner.query('select text from reply')).rows

  it('refuses one that is too long with them, by how much, and stores nothing', async () => {
    const conversationId = await hear('Hello @finch!', { from: 'maya' })
    await mastodon()
    const before = await replies()
    const refused = send(conversationId, 'x'.repeat(500))
    // "@maya.example @finch "
    await expect(refused).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { text: [expect.stringMatching(/\b21 characters\b/)] } },
    })
    expect(await replies()).toEqual(before)
    expect(platform.calls).toEqual([])
    expect(await send(conversationId, 'x'.repeat(479))).toMatchObject({ state: 'SENT' })
  })

  it('counts the content warning of what it answers, which it gets, too', async () => {
    const conversationId = await hear('Birds 🐦\n\nHello', { from: 'maya', warning: 'Birds 🐦' })
    await mastodon()
    // "@maya.example ", and the warning
    await expect(send(conversationId, 'x'.repeat(480))).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { text: [expect.stringMatching(/\b1 character\b/)] } },
    })
    const { replyId } = await send(conversationId, 'x'.repeat(479))
    await expect(edit(replyId, 'y'.repeat(480))).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect(await edit(replyId, 'y'.repeat(479))).toMatchObject({ state: 'SENT' })
  })

  it('counts no warning that was taken off, deleted or erased', async () => {
    const warned = remoteItem({ channelId, text: 'Birds\n\nHello', warning: 'Birds' })
    const conversationId = await hear(warned.text, warned)
    const warnings = async () =>
      (await app.database.owner.query('select warning from inbox_item where channel_id = $1', [channelId])).rows
    expect(await warnings()).toEqual([{ warning: 'Birds' }])
    const { warning: _, ...unwarned } = warned
    await storeChanges(app, home, channelId, [{ ...unwarned, text: 'Hello', version: 1 }])
    expect((await open(conversationId)).items).toMatchObject([{ text: 'Hello', warning: null }])
    await storeChanges(app, home, channelId, [{ ...warned, version: 2 }])
    expect((await open(conversationId)).items).toMatchObject([{ warning: 'Birds' }])
    await storeChanges(app, home, channelId, [{ change: 'deleted', remoteId: warned.remoteId, at: app.clock.now() }])
    expect(await warnings()).toEqual([{ warning: null }])
  })

  it("can be as long as the channel's server takes, whose screens say so", async () => {
    const conversationId = await hear('Hello', { from: 'maya' })
    await mastodon()
    await app.database.owner.query('update channel set limits = $2 where id = $1', [
      channelId,
      { text: 1000, addressLength: 40 },
    ])
    expect((await open(conversationId)).can.reply).toMatchObject({ most: 1000, addressLength: 40 })
    const text = (more: number) => `https://example.com/ ${'x'.repeat(1000 - '@maya.example '.length - 41 + more)}`
    await expect(send(conversationId, text(1))).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect(await send(conversationId, text(0))).toMatchObject({ state: 'SENT' })
  })

  it('keeps whom it mentions when it is edited, and counts them', async () => {
    const conversationId = await hear('Hello', { from: 'maya' })
    await mastodon()
    const { replyId } = await send(conversationId, 'Ask @finch')
    const { items } = await open(conversationId)
    expect(items.at(-1)?.reply?.itemId).toBe(items[0]?.itemId)
    // "@maya.example @finch "
    await expect(edit(replyId, 'x'.repeat(480))).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect(await edit(replyId, 'x'.repeat(479))).toMatchObject({ state: 'SENT' })
  })

  it('counts whom the text mentions itself once', async () => {
    const conversationId = await hear('Hello', { from: 'maya' })
    await mastodon()
    const text = `${'x'.repeat(500 - '@maya.example '.length)} @maya.example`
    await expect(send(conversationId, `${text}!`)).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect(await send(conversationId, text.slice(1))).toMatchObject({ state: 'SENT' })
  })
})

describe('afterwards', () => {
  it('deletes a sent reply on the platform, and then here', async () => {
    const conversationId = await hear('Hello?')
    const { replyId } = await send(conversationId, 'Hi')
    expect(await remove(replyId)).toMatchObject({ state: 'DELETED' })
    expect(platform.removed).toEqual([platform.replies[0]?.remoteId])
    expect((await open(conversationId)).conversation).toMatchObject({ unanswered: 1, preview: 'Hello?' })
    expect(await remove(replyId)).toMatchObject({ state: 'DELETED' })
    expect(platform.removed).toHaveLength(1)
  })

  it('edits a sent reply where the platform takes that, and says where not', async () => {
    const conversationId = await hear('Hello?')
    const { replyId } = await send(conversationId, 'Helo')
    await expect(edit(replyId, 'Hello')).rejects.toMatchObject({ code: 'REPLY_REFUSED' })
    await app.database.owner.query("update channel set platform = 'mastodon' where id = $1", [channelId])
    expect(await edit(replyId, 'Hello')).toMatchObject({ state: 'SENT' })
    expect(await texts(conversationId)).toEqual(['Hello?', 'Hello'])
    expect(platform.replies[0]?.text).toBe('Hello')
  })

  it('leaves ours alone when the platform doesn’t take the change', async () => {
    platform = scriptedInbox({ remove: async () => ({ kind: 'retry', reason }) })
    const conversationId = await hear('Hello?')
    const { replyId } = await send(conversationId, 'Hi')
    await expect(remove(replyId)).rejects.toMatchObject({ code: 'CHANNEL_UNREACHABLE' })
    expect(await stateOf(replyId)).toBe('SENT')
    platform = scriptedInbox()
    expect(await remove(replyId)).toMatchObject({ state: 'DELETED' })
  })
})
