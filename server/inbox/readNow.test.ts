import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readInboxNow } from '#contract/inbox/actions.ts'
import type { Inbox } from '../platforms/inbox.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { quietLog } from '../testing/publishing.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { readDueInboxes } from './read.ts'

/* Reading when someone asks for it, instead of at the next planned time. */

let app: TestApp
let home: TestHome
let channelId: string
let read: number
const inboxOf = (more: Partial<Inbox> = {}): Inbox => ({
  reads: [['comment', 'mention']],
  read: async () => {
    read += 1
    return { kind: 'read', changes: [], cursor: {}, more: false }
  },
  ...more,
})
beforeAll(async () => {
  app = await startApp({
    platforms: {
      bluesky: { ...testPlatform(), inbox: inboxOf() },
      linkedin: { ...testPlatform({ key: 'linkedin' }), inbox: inboxOf({ leastMinutes: 15 }) },
      x: { ...testPlatform({ key: 'x' }), inbox: inboxOf({ pays: { most: 1, least: 1 } }) },
    },
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  const { owner } = app.database
  await owner.query('delete from inbox_cursor')
  await owner.query('update channel set enabled = false')
  home = await app.signedInOwner()
  await owner.query("update plan set status = 'ACTIVE' where org_id = $1", [home.orgId])
  channelId = await readChannel()
  read = 0
})

/** A channel that was read ten minutes ago, and is read again in six hours. */
async function readChannel(platform = 'bluesky'): Promise<string> {
  const id = await contentOn(app.parts).channel(home)
  const { owner } = app.database
  await owner.query('update channel set platform = $2 where id = $1', [id, platform])
  await owner.query('update lane set platform = $2 where channel_id = $1', [id, platform])
  await owner.query(
    `insert into inbox_cursor (org_id, channel_id, kind, began_at, read_at, next_at, first, state, cursor)
     select $1, $2, kind, $3::timestamptz - interval '10 days', $3::timestamptz - interval '10 minutes',
       case when kind = 'comment' then $3::timestamptz + interval '6 hours' else 'infinity' end, false, 'reading', '{}' from unnest(array['comment', 'mention']) as k(kind)`,
    [home.orgId, id, app.clock.now()],
  )
  return id
}
const ask = async (as = home.person) => (await app.call(readInboxNow, { params: home.params }, { as })).channels
const run = () =>
  readDueInboxes(app.parts, {
    databases: app.parts.databases,
    clock: app.clock,
    log: quietLog,
    signal: new AbortController().signal,
  })

it('reads once, and again after a minute', async () => {
  await run()
  expect(read).toBe(0)
  expect(await ask()).toBe(1)
  await run()
  expect(read).toBe(1)
  expect(await ask()).toBe(0)
  app.clock.advance({ minutes: 1, seconds: 1 })
  expect(await ask()).toBe(1)
})

it.each([
  ['waits after a failure', "update inbox_cursor set tries = 1 where channel_id = $1 and kind = 'comment'"],
  ['lacks a permission', "update inbox_cursor set state = 'reconnect' where channel_id = $1 and kind = 'comment'"],
  ['is being read', "update inbox_cursor set lease_until = 'infinity' where channel_id = $1 and kind = 'comment'"],
  ['is paused', 'update channel set enabled = false where id = $1'],
  ['is signed out', "update channel set status = 'DISCONNECTED' where id = $1"],
])('leaves a channel alone that %s', async (_, change) => {
  await app.database.owner.query(change, [channelId])
  expect(await ask()).toBe(0)
})

it('leaves platforms alone that cost money or are asked less often', async () => {
  await readChannel('linkedin')
  await readChannel('x')
  expect(await ask()).toBe(1)
  app.clock.advance({ minutes: 6 })
  // that and LinkedIn's
  expect(await ask()).toBe(1)
})

it("reads no channels of others, nor those outside of the caller's own", async () => {
  const other = await readChannel()
  expect(await ask(await app.colleague(home, 'editor', { channelIds: [other] }))).toBe(1)
  const stranger = await app.signedInOwner()
  await expect(ask(stranger.person)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
  const withoutInbox = await teamOn(app).holder(home, { post: ['view'] })
  await expect(ask(withoutInbox)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
