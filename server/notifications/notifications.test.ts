import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deleteOrganization, keepOrganization } from '#contract/dataRights.ts'
import type { NotificationFacts } from '#contract/notifications/catalog.ts'
import { listNotices, readAllNotices, readNotice } from '#contract/notices.ts'
import { asTenant } from '../db/tenant.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { failedPost, signedOut } from '../testing/notifications.ts'
import { createNotification, type NewNotification } from './create.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
})
afterAll(() => app.close())

type Where = Pick<NewNotification, 'projectId' | 'dedupeKey' | 'people' | 'authorsOf' | 'channelIds' | 'once'>
const trialEnded: NotificationFacts = { kind: 'trial-ended', params: { viaProjectId: null, orgName: 'Rye' } }
const create = (home: TestHome, more: Partial<Where> = {}, facts: NotificationFacts = signedOut()) =>
  asTenant(app.parts.databases.web, home.orgId, (tx) =>
    createNotification(
      tx,
      {
        orgId: home.orgId,
        projectId: home.projectId,
        dedupeKey: 'channel:1:reconnect',
        ...facts,
        people: 'project-editors',
        channelIds: null,
        ...more,
      },
      app.clock.now(),
    ),
  )

it('are listed, read and marked by a role that sees no posts, which gets nothing about posts', async () => {
  const home = await app.signedInOwner()
  const team = teamOn(app)
  const carl = await team.holder(home, { inbox: ['view'], comment: ['view', 'create'] })
  const people = [carl.personId]
  await create(home, { dedupeKey: 'post:1:failed', people }, failedPost())
  await create(home, { dedupeKey: 'channel:1:reconnect', people })
  await create(home, { dedupeKey: 'channel:2:reconnect', people })
  const list = () => app.call(listNotices, { params: home.params }, { as: carl })
  const { notices, unread } = await list()
  expect([unread, notices.map(({ topic }) => topic)]).toEqual([2, ['channels', 'channels']])
  const [first] = notices
  await app.call(readNotice, { params: { ...home.params, noticeId: first?.noticeId ?? '' } }, { as: carl })
  expect((await list()).unread).toBe(1)
  await app.call(readAllNotices, { params: home.params }, { as: carl })
  expect((await list()).unread).toBe(0)
  // what isn't shown isn't marked either: the role may see it again
  await team.give(home, carl, { roleId: await team.role(home, { post: ['view'] }) })
  expect(await list()).toMatchObject({ unread: 1, pagination: { totalCount: 3 } })
  await expect(
    app.call(listNotices, { params: home.params }, { as: await app.signedInOwner().then((other) => other.person) }),
  ).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
})

it("reach people who can act, newest first, until they're read", async () => {
  const home = await app.signedInOwner()
  const [editor, user] = [await app.colleague(home, 'editor'), await app.colleague(home, 'user')]
  await create(home)
  app.clock.advance({ minutes: 1 })
  await create(home, { dedupeKey: 'post:1:failed' }, failedPost())
  const list = await app.call(listNotices, { params: home.params }, { as: editor })
  expect(list).toMatchObject({
    unread: 2,
    notices: [
      {
        title: "A post on Bluesky wasn't published",
        link: `/${home.orgId}/project/${home.projectId}/post/1`,
        read: false,
      },
      {
        title: '@rook is signed out of Bluesky',
        body: 'Its token has ended. Ask a project admin to reconnect the channel. Until then its posts wait, each for up to 60 minutes after its time.',
        link: `/${home.orgId}/project/${home.projectId}/channels`,
        read: false,
      },
    ],
  })
  const noticeId = list.notices[0]?.noticeId ?? ''
  await app.call(readNotice, { params: { ...home.params, noticeId } }, { as: editor })
  expect(await app.call(listNotices, { params: home.params }, { as: editor })).toMatchObject({
    unread: 1,
    notices: [{ read: true }, { read: false }],
  })
  expect((await app.call(listNotices, { params: home.params }, { as: home.person })).unread).toBe(2)
  expect(await app.call(listNotices, { params: home.params }, { as: user })).toEqual({
    notices: [],
    unread: 0,
    unreadInbox: 0,
    showsInvites: true,
    pagination: { currentPage: 1, totalPages: 1, totalCount: 0 },
  })
})

it('depend on what a role allows and not its name; authors are notified about their posts', async () => {
  const home = await app.signedInOwner()
  const team = teamOn(app)
  const channelId = await contentOn(app.parts).channel(home)
  const postId = await postsOn(app, app.database).post(home, channelId)
  const publishing = { post: ['create', 'publish'] }
  const people = {
    publisher: await team.holder(home, publishing),
    here: await team.holder(home, publishing, { channelIds: [channelId] }),
    elsewhere: await team.holder(home, publishing, { channelIds: [randomUUIDv7()] }),
    withoutAccess: await team.holder(home, publishing, { publishing: 'none' }),
    writer: await team.holder(home, { post: ['create', 'needs_approval'] }),
    connector: await team.holder(home, { channel: ['create'] }),
    author: await app.colleague(home, 'user'),
    user: await app.colleague(home, 'user'),
  }
  await app.database.owner.query('update post set author_id = $1 where id = $2', [people.author.personId, postId])
  const notified = async (dedupeKey: string): Promise<string[]> => {
    const { rows } = await app.database.owner.query<{ person_id: string }>(
      'select person_id from notice where org_id = $1 and dedupe_key = $2',
      [home.orgId, dedupeKey],
    )
    const hears = ({ personId }: TestPerson) => rows.some((row) => row.person_id === personId)
    return Object.entries(people).flatMap(([name, who]) => (hears(who) ? [name] : []))
  }
  await create(home, { dedupeKey: 'failed', channelIds: [channelId], authorsOf: [postId] }, failedPost())
  expect(await notified('failed')).toEqual(['publisher', 'here', 'author'])
  await create(home, { dedupeKey: 'signed out', channelIds: [channelId] })
  expect(await notified('signed out')).toEqual(['publisher', 'here', 'connector'])
  // an author who lost the channel can't see the post anymore
  await team.give(home, people.author, { roleId: home.roles.user, channelIds: [randomUUIDv7()] })
  await create(home, { dedupeKey: 'failed again', channelIds: [channelId], authorsOf: [postId] }, failedPost())
  expect(await notified('failed again')).toEqual(['publisher', 'here'])
})

it('ask people who can reconnect a channel to do it, and others to ask an admin', async () => {
  const home = await app.signedInOwner()
  const team = teamOn(app)
  const people = [
    home.person,
    await app.colleague(home, 'admin'),
    await team.holder(home, { channel: ['create'], post: ['view'] }),
  ]
  const others = [await app.colleague(home, 'editor'), await team.holder(home, { post: ['publish'] })]
  await create(home)
  const body = async (as: TestPerson) =>
    (await app.call(listNotices, { params: home.params }, { as })).notices.map((notice) => notice.body)
  for (const as of people) expect(await body(as)).toEqual([expect.stringContaining(' Reconnect it. ')])
  for (const as of others)
    expect(await body(as)).toEqual([expect.stringContaining(' Ask a project admin to reconnect the channel. ')])
})

it("of an organization being deleted reach its admins alone, no matter who they're meant for", async () => {
  const home = await app.signedInOwner()
  const editor = await app.colleague(home, 'editor')
  await app.call(deleteOrganization, { params: home.params }, { as: home.person })
  await create(home)
  await create(home, { dedupeKey: 'named', people: [editor.personId, home.person.personId] })
  await app.call(keepOrganization, { params: home.params, body: {} }, { as: home.person })
  const unread = async (as: typeof editor) => (await app.call(listNotices, { params: home.params }, { as })).unread
  expect([await unread(editor), await unread(home.person)]).toEqual([0, 2])
})

it("are one per subject: repeated, it's unread again", async () => {
  const home = await app.signedInOwner()
  await create(home)
  const [first] = (await app.call(listNotices, { params: home.params }, { as: home.person })).notices
  await app.call(readNotice, { params: { ...home.params, noticeId: first?.noticeId ?? '' } }, { as: home.person })
  app.clock.advance({ hours: 1 })
  await create(home, {}, signedOut('@rook-again'))
  expect(await app.call(listNotices, { params: home.params }, { as: home.person })).toMatchObject({
    unread: 1,
    notices: [{ noticeId: first?.noticeId, title: '@rook-again is signed out of Bluesky', count: 2, read: false }],
  })
})

it("of a colleague aren't found, and stay unread", async () => {
  const home = await app.signedInOwner()
  const editor = await app.colleague(home, 'editor')
  await create(home, { people: [editor.personId] })
  const [theirs] = (await app.call(listNotices, { params: home.params }, { as: editor })).notices
  await expect(
    app.call(readNotice, { params: { ...home.params, noticeId: theirs?.noticeId ?? '' } }, { as: home.person }),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await app.call(listNotices, { params: home.params }, { as: editor })).unread).toBe(1)
})

it('about a channel only reach people whose role includes it', async () => {
  const home = await app.signedInOwner()
  const [mine, other] = [randomUUIDv7(), randomUUIDv7()]
  const [scoped, everywhere] = [
    await app.colleague(home, 'editor', { channelIds: [mine] }),
    await app.colleague(home, 'editor'),
  ]
  const unread = async (as: typeof scoped) => (await app.call(listNotices, { params: home.params }, { as })).unread
  await create(home, { dedupeKey: 'other', channelIds: [other] })
  expect([await unread(scoped), await unread(everywhere), await unread(home.person)]).toEqual([0, 1, 1])
  await create(home, { dedupeKey: 'both', channelIds: [other, mine] })
  await create(home, { dedupeKey: 'project', channelIds: null })
  expect([await unread(scoped), await unread(everywhere)]).toEqual([2, 3])
})

it("about a channel are hidden from a role that lost it, and can't be read there", async () => {
  const home = await app.signedInOwner()
  const [mine, other] = [randomUUIDv7(), randomUUIDv7()]
  const editor = await app.colleague(home, 'editor')
  await create(home, { dedupeKey: 'other', channelIds: [other] })
  await create(home, { dedupeKey: 'mine', channelIds: [mine] }, signedOut('@mine'))
  const list = () => app.call(listNotices, { params: home.params }, { as: editor })
  const hidden = (await list()).notices.find(({ title }) => !title.startsWith('@mine'))
  await app.database.owner.query('update project_member set channel_ids = $1 where person_id = $2', [
    [mine],
    editor.personId,
  ])
  expect(await list()).toMatchObject({
    unread: 1,
    notices: [{ title: '@mine is signed out of Bluesky' }],
    pagination: { totalCount: 1 },
  })
  await expect(
    app.call(readNotice, { params: { ...home.params, noticeId: hidden?.noticeId ?? '' } }, { as: editor }),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('are listed page by page, by topic, or unread only', async () => {
  const home = await app.signedInOwner()
  for (const place of [1, 2, 3]) {
    app.clock.advance({ minutes: 1 })
    await create(home, { dedupeKey: `post:${place}:FAILED` }, failedPost(String(place), `Post ${place}.`))
  }
  await create(home)
  const list = (query: Record<string, unknown>) =>
    app.call(listNotices, { params: home.params, query }, { as: home.person })
  expect(await list({ topic: 'failed_posts', limit: 2 })).toMatchObject({
    notices: [{ body: 'Post 3. Connect another.', topic: 'failed_posts' }, { body: 'Post 2. Connect another.' }],
    unread: 4,
    pagination: { currentPage: 1, totalPages: 2, totalCount: 3 },
  })
  expect(await list({ topic: 'failed_posts', limit: 2, page: 2 })).toMatchObject({
    notices: [{ body: 'Post 1. Connect another.' }],
    pagination: { currentPage: 2, totalPages: 2 },
  })
  expect(await list({ topic: 'channels' })).toMatchObject({
    notices: [{ title: '@rook is signed out of Bluesky' }],
    pagination: { totalCount: 1 },
  })
  expect(await list({ topic: 'invitations' })).toMatchObject({ notices: [], unread: 4 })
  const [newest] = (await list({ topic: 'failed_posts' })).notices
  await app.call(readNotice, { params: { ...home.params, noticeId: newest?.noticeId ?? '' } }, { as: home.person })
  expect(await list({ unread: 'true', topic: 'failed_posts' })).toMatchObject({
    notices: [{ body: 'Post 2. Connect another.' }, { body: 'Post 1. Connect another.' }],
    unread: 3,
  })
  await expect(list({ topic: 'gossip' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
})

it("are all marked as read at once: the person's own in this project, and no one else's", async () => {
  const home = await app.signedInOwner()
  const editor = await app.colleague(home, 'editor')
  const other = await app.project(home.orgId, home.person)
  await create(home)
  await create(home, { dedupeKey: 'post:1:FAILED' }, failedPost())
  await create(home, { dedupeKey: 'elsewhere', projectId: other.projectId })
  await create(home, { dedupeKey: 'plan', projectId: null, people: 'org-admins' }, trialEnded)
  expect(await app.call(readAllNotices, { params: home.params }, { as: home.person })).toEqual({
    message: 'All notices marked as read',
  })
  const unread = async (as: typeof editor, projectId = home.projectId) =>
    (await app.call(listNotices, { params: { orgId: home.orgId, projectId } }, { as })).unread
  expect([await unread(home.person), await unread(home.person, other.projectId), await unread(editor)]).toEqual([
    0, 1, 2,
  ])
})

it('about the organization are shown in each of its projects, to its admins', async () => {
  const home = await app.signedInOwner()
  const admin = await app.colleague(home, 'admin')
  const other = await app.project(home.orgId, home.person)
  await create(home, { dedupeKey: 'trial', projectId: null, people: 'org-admins' }, trialEnded)
  for (const projectId of [home.projectId, other.projectId])
    expect(
      await app.call(listNotices, { params: { orgId: home.orgId, projectId } }, { as: home.person }),
    ).toMatchObject({ unread: 1, notices: [{ title: 'The trial for Rye has ended', topic: 'plan' }] })
  // a project's admin isn't an organization admin
  expect((await app.call(listNotices, { params: home.params }, { as: admin })).unread).toBe(0)
})

it('created once stay as they were', async () => {
  const home = await app.signedInOwner()
  await create(home, { once: true })
  const [first] = (await app.call(listNotices, { params: home.params }, { as: home.person })).notices
  await app.call(readNotice, { params: { ...home.params, noticeId: first?.noticeId ?? '' } }, { as: home.person })
  await create(home, { once: true }, signedOut('@again'))
  expect(await app.call(listNotices, { params: home.params }, { as: home.person })).toMatchObject({
    unread: 0,
    notices: [{ title: '@rook is signed out of Bluesky', count: 1, read: true }],
  })
})
