import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectBluesky } from '#contract/channels.ts'
import { listNotices } from '#contract/notices.ts'
import { deletePost, editPost, retryPost } from '#contract/posts.ts'
import { asTenant } from '../db/tenant.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { failedPost } from '../testing/notifications.ts'
import { createNotification } from './create.ts'
import { dedupeKeys } from './dedupeKeys.ts'

let app: TestApp
let posts: ReturnType<typeof postsOn>
beforeAll(async () => {
  const account = {
    remoteId: 'did:plc:rook',
    name: 'Rook',
    handle: '@rook',
    pictureUrl: null,
    service: 'https://bsky.example',
  }
  app = await startApp({
    platforms: {
      bluesky: testPlatform({
        connect: async () => ({ kind: 'connected', account, secret: { accessJwt: 'a' }, expiresAt: null }),
      }),
    },
  })
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())

const create = (home: TestHome, dedupeKey: string) =>
  asTenant(app.parts.databases.web, home.orgId, (tx) =>
    createNotification(
      tx,
      {
        orgId: home.orgId,
        projectId: home.projectId,
        dedupeKey,
        ...failedPost(),
        people: 'project-editors',
        channelIds: null,
      },
      app.clock.now(),
    ),
  )
const unread = async (home: TestHome, as: TestPerson) =>
  (await app.call(listNotices, { params: home.params }, { as })).unread

it("dismisses a failed post's notification for everyone when someone sends it again or deletes it", async () => {
  const home = await app.signedInOwner()
  const editor = await app.colleague(home, 'editor')
  const channelId = await contentOn(app.parts).channel(home)
  const [again, gone, edited] = [
    await posts.post(home, channelId),
    await posts.post(home, channelId),
    await posts.post(home, channelId),
  ]
  for (const postId of [again, gone, edited]) {
    await posts.put(postId, 'FAILED')
    await create(home, dedupeKeys.post(postId, 'FAILED'))
  }
  expect(await unread(home, editor)).toBe(3)
  await app.call(retryPost, { params: { ...home.params, postId: again } }, { as: home.person })
  expect(await unread(home, editor)).toBe(2)
  await app.call(deletePost, { params: { ...home.params, postId: gone } }, { as: home.person })
  expect(await unread(home, editor)).toBe(1)
  // editing the text sends nothing
  const { rows } = await app.database.owner.query<{ version: number }>('select version from post where id = $1', [
    edited,
  ])
  await app.call(
    editPost,
    {
      params: { ...home.params, postId: edited },
      body: { version: rows[0]?.version ?? 0, contents: [{ text: 'Other words', media: [] }] },
    },
    { as: home.person },
  )
  expect(await unread(home, editor)).toBe(1)
  expect(
    (
      await app.database.owner.query('select 1 from notice where mail_due_at is not null and person_id = $1', [
        editor.personId,
      ])
    ).rowCount,
  ).toBe(1)
})

it("dismisses a channel's notification for everyone when someone reconnects it", async () => {
  const home = await app.signedInOwner()
  const editor = await app.colleague(home, 'editor')
  const connect = () =>
    app.call(
      connectBluesky,
      { params: home.params, body: { handle: 'rook.example', appPassword: 'abcd-efgh-ijkl-mnop' } },
      { as: home.person },
    )
  const { channel } = await connect()
  for (const key of [dedupeKeys.reconnect, dedupeKeys.signInEnds]) await create(home, key(channel.channelId))
  expect(await unread(home, editor)).toBe(2)
  await connect()
  expect(await unread(home, editor)).toBe(0)
})
