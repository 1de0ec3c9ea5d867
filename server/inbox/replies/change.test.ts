import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { getConversation } from '#contract/inbox/conversations.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { deleteItem, hideInConversations, hideItem, reactToItem } from '#contract/inbox/replies.ts'
import type { ReactionKind } from '#contract/inbox/terms.ts'
import { contentOn } from '../../testing/content.ts'
import { received } from '../../testing/inbox.ts'
import type { TestHome } from '../../testing/people.ts'
import { saying } from '../../testing/reasons.ts'
import { scriptedInbox, type ScriptedInbox } from '../../testing/scriptedInbox.ts'
import { startApp, type TestApp } from '../../testing/startApp.ts'
import { teamOn } from '../../testing/team.ts'

/* Reactions to what people wrote, hiding and deleting it. */

let app: TestApp
let home: TestHome
let platform: ScriptedInbox
let item: { conversationId: string; itemId: string; remoteId: string; channelId: string }

beforeAll(async () => {
  app = await startApp({ parts: (own) => ({ ...own, platforms: () => platform }) })
})
afterAll(() => app.close())
beforeEach(async () => {
  platform = scriptedInbox()
  home = await app.signedInOwner()
  await app.database.owner.query("update plan set status = 'ACTIVE' where org_id = $1", [home.orgId])
  const channelId = await contentOn(app.parts).channel(home)
  // where everything can be done
  await app.database.owner.query("update channel set platform = 'facebook' where id = $1", [channelId])
  item = { channelId, ...(await received(app, home, { channelId, text: 'Buy followers' })) }
})

const reason = saying('A reason.', 'An advice.')
const params = () => ({ ...home.params, conversationId: item.conversationId })
const open = async () => await app.call(getConversation, { params: params() }, { as: home.person })
const react = (reaction: ReactionKind | null, itemId = item.itemId, as = home.person) =>
  app.call(reactToItem, { params: params(), body: { itemId, reaction } }, { as })
const hide = (hidden: boolean, as = home.person) =>
  app.call(hideItem, { params: params(), body: { itemId: item.itemId, hidden } }, { as })
const remove = (as = home.person, itemId = item.itemId) =>
  app.call(deleteItem, { params: { ...params(), itemId } }, { as })

it('reacts, and takes the reaction back', async () => {
  const { version } = await react('LIKE')
  const shown = await open()
  expect([shown.items[0]?.reaction, shown.conversation.version]).toEqual(['LIKE', version])
  expect(platform.reactions).toEqual(new Map([[item.remoteId, 'LIKE']]))
  await react(null)
  expect((await open()).items[0]?.reaction).toBeNull()
  expect(platform.reactions).toEqual(new Map([[item.remoteId, null]]))
})

it('hides what then waits for nobody, and shows it again', async () => {
  await hide(true)
  expect(await open()).toMatchObject({ conversation: { unanswered: 0 }, items: [{ hidden: true }] })
  await hide(false)
  expect(await open()).toMatchObject({ conversation: { unanswered: 1 }, items: [{ hidden: false }] })
  expect(platform.hidden).toEqual(new Map([[item.remoteId, false]]))
})

it('approves what the platform holds for review, which hiding may hold again', async () => {
  const channelId = await contentOn(app.parts).channel(home)
  await app.database.owner.query("update channel set platform = 'youtube' where id = $1", [channelId])
  item = { channelId, ...(await received(app, home, { channelId, hidden: true, held: true })) }
  const held = {
    conversation: { held: 1, unanswered: 0 },
    items: [{ hidden: true, held: true, can: { approve: true } }],
  }
  expect(await open()).toMatchObject(held)
  await hide(false)
  expect(await open()).toMatchObject({
    conversation: { held: 0, unanswered: 1 },
    items: [{ hidden: false, held: false, can: { hide: true, approve: false } }],
  })
  expect(platform.hidden).toEqual(new Map([[item.remoteId, false]]))
  await hide(true)
  expect(await open()).toMatchObject(held)
})

it('lets only those approve who may hide', async () => {
  const channelId = await contentOn(app.parts).channel(home)
  await app.database.owner.query("update channel set platform = 'youtube' where id = $1", [channelId])
  item = { channelId, ...(await received(app, home, { channelId, hidden: true, held: true })) }
  const viewer = await teamOn(app).holder(home, { inbox: ['view'], comment: ['view', 'create'] })
  const shown = await app.call(getConversation, { params: params() }, { as: viewer })
  expect(shown.items[0]).toMatchObject({ held: true, can: { approve: false } })
  await expect(hide(false, viewer)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

it('deletes on the platform and then here, once', async () => {
  await remove()
  await remove()
  expect(platform.removed).toEqual([item.remoteId])
  expect((await open()).items[0]).toMatchObject({ text: null, deletedAt: expect.any(String) })
  await expect(hide(true)).rejects.toMatchObject({ code: 'REPLY_REFUSED' })
})

it('makes changes of one item one after the other', async () => {
  let running = 0
  let most = 0
  const asked: (string | null)[] = []
  platform = scriptedInbox(
    {},
    {
      react: async (_reach, _secret, _account, _item, reaction) => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
        asked.push(reaction)
        return { kind: 'done' }
      },
    },
  )
  await Promise.all(['LIKE', null, 'LIKE'].map((reaction) => react(reaction === null ? null : 'LIKE')))
  expect([most, asked.length]).toEqual([1, 3])
  expect((await open()).items[0]?.reaction).toBe(asked.at(-1))
})

it.each([
  ['retry', 'CHANNEL_UNREACHABLE'],
  ['rejected', 'CHANNEL_REFUSED'],
  ['unknown', 'CHANNEL_UNREACHABLE'],
] as const)('leaves ours alone when the platform answers %s, and can be tried again', async (kind, code) => {
  let fails = true
  platform = scriptedInbox({}, { hide: async () => (fails ? { kind, reason } : { kind: 'done' }) })
  await expect(hide(true)).rejects.toMatchObject({ code })
  expect((await open()).items[0]?.hidden).toBe(false)
  fails = false
  await hide(true)
  expect((await open()).items[0]?.hidden).toBe(true)
})

it("says in the platform's words what it doesn't let anyone do", async () => {
  await app.database.owner.query("update channel set platform = 'mastodon' where org_id = $1", [home.orgId])
  await expect(hide(true)).rejects.toMatchObject({
    code: 'REPLY_REFUSED',
    problem: { detail: expect.stringContaining("Mastodon can't hide replies") },
  })
  await expect(react('LIKE')).rejects.toMatchObject({ code: 'REPLY_REFUSED' })
  await expect(react('DEFAULT', randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('asks for edit to react and hide, and for delete to delete', async () => {
  const team = teamOn(app)
  const editor = await team.holder(home, { inbox: ['view'], comment: ['view', 'edit'] })
  const writer = await team.holder(home, { inbox: ['view'], comment: ['view', 'create', 'delete'] })
  await react('LIKE', item.itemId, editor)
  await expect(remove(editor)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(hide(true, writer)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(react('LIKE', item.itemId, writer)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const outside = await team.holder(home, { inbox: ['view'], comment: ['view', 'edit', 'delete'] }, { channelIds: [] })
  await expect(remove(outside)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await remove(writer)
})

const hideMany = (body: CallOf<typeof hideInConversations>['body'], as = home.person) =>
  app.call(hideInConversations, { params: home.params, body }, { as })
const hear = (text: string, more: Partial<Parameters<typeof received>[2]> = {}) =>
  received(app, home, { channelId: item.channelId, text, ...more })

it('hides all that people wrote in many conversations, and shows exactly that again', async () => {
  const other = await hear('Buy likes')
  const reply = await hear('Cheap ones', { threadKey: other.threadKey, from: 'nils' })
  const before = await hear('Hidden before', { threadKey: other.threadKey, hidden: true })
  await hear('We do not', { threadKey: other.threadKey, isOurs: true })
  const conversationIds = [item.conversationId, other.conversationId]
  const done = await hideMany({ conversationIds })
  expect(done).toMatchObject({ skipped: [], message: '2 conversations hidden' })
  expect(done.itemIds.toSorted()).toEqual([item.itemId, other.itemId, reply.itemId].toSorted())
  expect(new Set(platform.hidden.keys())).toEqual(new Set([item.remoteId, other.remoteId, reply.remoteId]))
  expect((await open()).items[0]?.hidden).toBe(true)
  await expect(hideMany({ conversationIds, hidden: false })).rejects.toMatchObject({ code: 'BAD_INPUT' })
  expect(await hideMany({ conversationIds, hidden: false, itemIds: done.itemIds })).toMatchObject({
    skipped: [],
    message: '2 conversations shown again',
  })
  expect([...platform.hidden.values()]).toEqual([false, false, false])
  const { rows } = await app.database.owner.query('select id from inbox_item where hidden and org_id = $1', [
    home.orgId,
  ])
  expect(rows).toEqual([{ id: before.itemId }])
})

it('skips what may not be changed, what no platform hides, and what the platform refuses', async () => {
  const team = teamOn(app)
  const reader = await team.holder(home, { inbox: ['view'], comment: ['view'] })
  const elsewhere = await app.signedInOwner()
  const message = await hear('Psst', { conversation: 'message' })
  const conversationIds = [item.conversationId, message.conversationId, randomUUID()]
  expect(await hideMany({ conversationIds }, reader)).toMatchObject({ itemIds: [], skipped: conversationIds })
  await expect(
    app.call(hideInConversations, { params: home.params, body: { conversationIds } }, { as: elsewhere.person }),
  ).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
  expect(platform.hidden.size).toBe(0)
  expect(await hideMany({ conversationIds })).toMatchObject({
    itemIds: [item.itemId],
    skipped: conversationIds.slice(1),
  })
  const refused = await hear('More followers')
  platform = scriptedInbox({}, { hide: async () => ({ kind: 'rejected', reason }) })
  expect(await hideMany({ conversationIds: [refused.conversationId] })).toMatchObject({
    itemIds: [],
    skipped: [refused.conversationId],
    message: '0 conversations hidden',
  })
})

it('asks a platform that does not answer once, and leaves the rest', async () => {
  const others = [await hear('One'), await hear('Two'), await hear('Three')]
  let calls = 0
  platform = scriptedInbox(
    {},
    {
      hide: async () => {
        calls += 1
        return { kind: 'retry', reason }
      },
    },
  )
  const conversationIds = others.map(({ conversationId }) => conversationId)
  expect(await hideMany({ conversationIds })).toMatchObject({ itemIds: [], skipped: conversationIds })
  expect(calls).toBe(1)
})
