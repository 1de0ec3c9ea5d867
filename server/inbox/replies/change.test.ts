import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { getConversation } from '#contract/inbox/conversations.ts'
import { deleteItem, hideItem, reactToItem } from '#contract/inbox/replies.ts'
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
let item: { conversationId: string; itemId: string; remoteId: string }

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
  item = await received(app, home, { channelId, text: 'Buy followers' })
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
  item = await received(app, home, { channelId, hidden: true, held: true })
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
  item = await received(app, home, { channelId, hidden: true, held: true })
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
