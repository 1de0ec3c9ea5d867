import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { refreshConversation } from '#contract/inbox/actions.ts'
import { getConversation } from '#contract/inbox/conversations.ts'
import type { Inbox } from '../platforms/inbox.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { received, remoteItem } from '../testing/inbox.ts'
import type { TestHome } from '../testing/people.ts'
import { quietLog } from '../testing/publishing.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { readDueInboxes } from './read.ts'
import { eraseExpired } from './retention.ts'

/* Texts that a platform lets us keep for a short time only are read again when someone opens their conversation. */

let app: TestApp
let home: TestHome
let channelId: string
let conversationId: string
const comment = { remoteId: 'c1', threadKey: 'c1', aboutPost: 'p1', text: 'All day?' }
const inbox: Inbox = {
  reads: [['comment', 'mention']],
  again: (cursor, { conversation, threadKey }) =>
    conversation === 'comment' ? { ...cursor, again: threadKey } : undefined,
  read: async (_reach, _secret, _account, { cursor }) => ({
    kind: 'read',
    changes:
      cursor?.again === 'c1' ? [remoteItem({ channelId, ...comment, at: new Date('2026-11-21T09:00:00Z') })] : [],
    cursor: {},
    more: false,
  }),
}
beforeAll(async () => {
  app = await startApp({ platforms: { linkedin: { ...testPlatform({ key: 'linkedin' }), inbox } } })
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channelId = await contentOn(app.parts).channel(home)
  const { owner } = app.database
  await owner.query("update plan set status = 'ACTIVE' where org_id = $1", [home.orgId])
  await owner.query('delete from inbox_cursor')
  await owner.query("update channel set platform = 'linkedin' where id = $1", [channelId])
  await owner.query("update lane set platform = 'linkedin' where channel_id = $1", [channelId])
  await owner.query(
    `insert into inbox_cursor (org_id, channel_id, kind, began_at, next_at, first, cursor)
     select $1, $2, kind, $3, case when kind = 'comment' then $3::timestamptz + interval '30 days' else 'infinity' end, false, '{}' from unnest(array['comment', 'mention']) as k(kind)`,
    [home.orgId, channelId, app.clock.now()],
  )
  conversationId = (await received(app, home, { channelId, ...comment })).conversationId
})

const context = () => ({
  databases: app.parts.databases,
  clock: app.clock,
  log: quietLog,
  signal: new AbortController().signal,
})
const refresh = async (id = conversationId, as = home.person) =>
  (await app.call(refreshConversation, { params: { ...home.params, conversationId: id } }, { as })).reading
const texts = async () =>
  (
    await app.call(getConversation, { params: { ...home.params, conversationId }, query: {} }, { as: home.person })
  ).items.map(({ text, expired }) => [text, expired])
async function expire(): Promise<void> {
  app.clock.advance({ hours: 49 })
  await eraseExpired(context())
}
const read = () => readDueInboxes(app.parts, context())

it('reads an expired conversation again, at once, and until then changes nothing', async () => {
  expect(await refresh()).toBe(false)
  await expire()
  expect(await texts()).toEqual([[null, true]])
  await read()
  expect(await texts()).toEqual([[null, true]])
  expect(await refresh()).toBe(true)
  await read()
  expect(await texts()).toEqual([['All day?', false]])
  expect(await refresh()).toBe(false)
  // and it may be kept as long as before
  await expire()
  expect(await texts()).toEqual([[null, true]])
})

it("leaves what can't be read again, and a channel that is being read or is signed out", async () => {
  const mention = await received(app, home, { channelId, conversation: 'mention', text: 'Lovely bread' })
  await expire()
  expect(await refresh(mention.conversationId)).toBe(false)
  const { owner } = app.database
  await owner.query("update inbox_cursor set lease_until = $1::timestamptz + interval '1 minute'", [app.clock.now()])
  expect(await refresh()).toBe(false)
  await owner.query('update inbox_cursor set lease_until = null')
  await owner.query("update channel set status = 'DISCONNECTED' where id = $1", [channelId])
  expect(await refresh()).toBe(false)
})

it('is for those who see the conversation', async () => {
  await expire()
  const outside = await teamOn(app).holder(home, { inbox: ['view'], comment: ['view'] }, { channelIds: [] })
  await expect(refresh(conversationId, outside)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await app.database.owner.query("select cursor from inbox_cursor where kind = 'comment'")).rows).toEqual([
    { cursor: {} },
  ])
})
