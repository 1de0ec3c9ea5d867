import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deleteOrganization, keepOrganization } from '#contract/dataRights.ts'
import { listNotices, readAllNotices, readNotice } from '#contract/notices.ts'
import { asTenant } from '../db/tenant.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { raiseNotice, type Matter } from './raise.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
})
afterAll(() => app.close())

const raise = (home: TestHome, more: Partial<Matter> = {}) =>
  asTenant(app.parts.databases.web, home.orgId, (tx) =>
    raiseNotice(
      tx,
      {
        orgId: home.orgId,
        projectId: home.projectId,
        matter: 'channel:1:reconnect',
        kind: 'channel-signed-out',
        title: 'Reconnect @rook',
        body: 'Its token has ended.',
        link: '/channels',
        people: 'project-editors',
        channelIds: null,
        ...more,
      },
      app.clock.now(),
    ),
  )

it('reach those who can do something, newest first, until they are read', async () => {
  const home = await app.signedInOwner()
  const [editor, user] = [await app.colleague(home, 'editor'), await app.colleague(home, 'user')]
  await raise(home)
  app.clock.advance({ minutes: 1 })
  await raise(home, { matter: 'post:1:failed', kind: 'post-failed', title: 'A post failed', link: null })
  const list = await app.call(listNotices, { params: home.params }, { as: editor })
  expect(list).toMatchObject({
    unread: 2,
    notices: [
      { title: 'A post failed', link: null, read: false },
      { title: 'Reconnect @rook', body: 'Its token has ended.', link: '/channels', read: false },
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
    showsInvites: true,
    pagination: { currentPage: 1, totalPages: 1, totalCount: 0 },
  })
})

it('follow what a role allows and not its name; an author hears of the own post', async () => {
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
  const told = async (matter: string): Promise<string[]> => {
    const { rows } = await app.database.owner.query<{ person_id: string }>(
      'select person_id from notice where org_id = $1 and matter = $2',
      [home.orgId, matter],
    )
    const hears = ({ personId }: TestPerson) => rows.some((row) => row.person_id === personId)
    return Object.entries(people).flatMap(([name, who]) => (hears(who) ? [name] : []))
  }
  await raise(home, { matter: 'failed', kind: 'post-failed', channelIds: [channelId], authorsOf: [postId] })
  expect(await told('failed')).toEqual(['publisher', 'here', 'author'])
  await raise(home, { matter: 'signed out', kind: 'channel-signed-out', channelIds: [channelId] })
  expect(await told('signed out')).toEqual(['publisher', 'here', 'connector'])
  // an author who was taken off the channel since cannot see the post any more
  await team.give(home, people.author, { roleId: home.roles.user, channelIds: [randomUUIDv7()] })
  await raise(home, { matter: 'failed again', kind: 'post-failed', channelIds: [channelId], authorsOf: [postId] })
  expect(await told('failed again')).toEqual(['publisher', 'here'])
})

it('ask people who may reconnect a channel to do it, and the others to ask an admin', async () => {
  const home = await app.signedInOwner()
  const team = teamOn(app)
  const people = [
    home.person,
    await app.colleague(home, 'admin'),
    await team.holder(home, { channel: ['create'], post: ['view'] }),
  ]
  const others = [await app.colleague(home, 'editor'), await team.holder(home, { post: ['publish'] })]
  await raise(home, { kind: 'channel-signed-out', body: 'Reconnect it.', bodyToAsk: 'Ask an admin.' })
  const body = async (as: TestPerson) =>
    (await app.call(listNotices, { params: home.params }, { as })).notices.map((notice) => notice.body)
  for (const as of people) expect(await body(as)).toEqual(['Reconnect it.'])
  for (const as of others) expect(await body(as)).toEqual(['Ask an admin.'])
})

it('of an organization that is being deleted reach its admins alone, whoever they are meant for', async () => {
  const home = await app.signedInOwner()
  const editor = await app.colleague(home, 'editor')
  await app.call(deleteOrganization, { params: home.params }, { as: home.person })
  await raise(home)
  await raise(home, { matter: 'named', people: [editor.personId, home.person.personId] })
  await app.call(keepOrganization, { params: home.params, body: {} }, { as: home.person })
  const unread = async (as: typeof editor) => (await app.call(listNotices, { params: home.params }, { as })).unread
  expect([await unread(editor), await unread(home.person)]).toEqual([0, 2])
})

it('are one per matter: what comes again is unread again', async () => {
  const home = await app.signedInOwner()
  await raise(home)
  const [first] = (await app.call(listNotices, { params: home.params }, { as: home.person })).notices
  await app.call(readNotice, { params: { ...home.params, noticeId: first?.noticeId ?? '' } }, { as: home.person })
  app.clock.advance({ hours: 1 })
  await raise(home, { title: 'Reconnect @rook again' })
  expect(await app.call(listNotices, { params: home.params }, { as: home.person })).toMatchObject({
    unread: 1,
    notices: [{ noticeId: first?.noticeId, title: 'Reconnect @rook again', count: 2, read: false }],
  })
})

it('of a colleague are not found, and stay unread', async () => {
  const home = await app.signedInOwner()
  const editor = await app.colleague(home, 'editor')
  await raise(home, { people: [editor.personId] })
  const [theirs] = (await app.call(listNotices, { params: home.params }, { as: editor })).notices
  await expect(
    app.call(readNotice, { params: { ...home.params, noticeId: theirs?.noticeId ?? '' } }, { as: home.person }),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await app.call(listNotices, { params: home.params }, { as: editor })).unread).toBe(1)
})

it('of a channel reach only those whose role reaches it', async () => {
  const home = await app.signedInOwner()
  const [mine, other] = [randomUUIDv7(), randomUUIDv7()]
  const [scoped, everywhere] = [
    await app.colleague(home, 'editor', { channelIds: [mine] }),
    await app.colleague(home, 'editor'),
  ]
  const unread = async (as: typeof scoped) => (await app.call(listNotices, { params: home.params }, { as })).unread
  await raise(home, { matter: 'other', channelIds: [other] })
  expect([await unread(scoped), await unread(everywhere), await unread(home.person)]).toEqual([0, 1, 1])
  await raise(home, { matter: 'both', channelIds: [other, mine] })
  await raise(home, { matter: 'project', channelIds: null })
  expect([await unread(scoped), await unread(everywhere)]).toEqual([2, 3])
})

it('of a channel are hidden from a role that was taken off it since, and cannot be read there', async () => {
  const home = await app.signedInOwner()
  const [mine, other] = [randomUUIDv7(), randomUUIDv7()]
  const editor = await app.colleague(home, 'editor')
  await raise(home, { matter: 'other', channelIds: [other] })
  await raise(home, { matter: 'mine', channelIds: [mine], title: 'Mine' })
  const list = () => app.call(listNotices, { params: home.params }, { as: editor })
  const hidden = (await list()).notices.find(({ title }) => title !== 'Mine')
  await app.database.owner.query('update project_member set channel_ids = $1 where person_id = $2', [
    [mine],
    editor.personId,
  ])
  expect(await list()).toMatchObject({ unread: 1, notices: [{ title: 'Mine' }], pagination: { totalCount: 1 } })
  await expect(
    app.call(readNotice, { params: { ...home.params, noticeId: hidden?.noticeId ?? '' } }, { as: editor }),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('are listed page by page, those of one topic, or the unread alone', async () => {
  const home = await app.signedInOwner()
  for (const place of [1, 2, 3]) {
    app.clock.advance({ minutes: 1 })
    await raise(home, { matter: `post:${place}:FAILED`, kind: 'post-failed', title: `Post ${place}` })
  }
  await raise(home)
  const list = (query: Record<string, unknown>) =>
    app.call(listNotices, { params: home.params, query }, { as: home.person })
  expect(await list({ topic: 'failed_posts', limit: 2 })).toMatchObject({
    notices: [{ title: 'Post 3', topic: 'failed_posts' }, { title: 'Post 2' }],
    unread: 4,
    pagination: { currentPage: 1, totalPages: 2, totalCount: 3 },
  })
  expect(await list({ topic: 'failed_posts', limit: 2, page: 2 })).toMatchObject({
    notices: [{ title: 'Post 1' }],
    pagination: { currentPage: 2, totalPages: 2 },
  })
  expect(await list({ topic: 'channels' })).toMatchObject({
    notices: [{ title: 'Reconnect @rook' }],
    pagination: { totalCount: 1 },
  })
  expect(await list({ topic: 'invitations' })).toMatchObject({ notices: [], unread: 4 })
  const [newest] = (await list({ topic: 'failed_posts' })).notices
  await app.call(readNotice, { params: { ...home.params, noticeId: newest?.noticeId ?? '' } }, { as: home.person })
  expect(await list({ unread: 'true', topic: 'failed_posts' })).toMatchObject({
    notices: [{ title: 'Post 2' }, { title: 'Post 1' }],
    unread: 3,
  })
  await expect(list({ topic: 'gossip' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
})

it('are all read at once: the own ones of this project, and nobody else is touched', async () => {
  const home = await app.signedInOwner()
  const editor = await app.colleague(home, 'editor')
  const other = await app.project(home.orgId, home.person)
  await raise(home)
  await raise(home, { matter: 'post:1:FAILED', kind: 'post-failed' })
  await raise(home, { matter: 'elsewhere', projectId: other.projectId })
  await raise(home, { matter: 'plan', projectId: null, people: 'org-admins', kind: 'trial-ends' })
  expect(await app.call(readAllNotices, { params: home.params }, { as: home.person })).toEqual({
    message: 'All notices marked as read',
  })
  const unread = async (as: typeof editor, projectId = home.projectId) =>
    (await app.call(listNotices, { params: { orgId: home.orgId, projectId } }, { as })).unread
  expect([await unread(home.person), await unread(home.person, other.projectId), await unread(editor)]).toEqual([
    0, 1, 2,
  ])
})

it('of the organization show in each of its projects, to its admins', async () => {
  const home = await app.signedInOwner()
  const admin = await app.colleague(home, 'admin')
  const other = await app.project(home.orgId, home.person)
  await raise(home, {
    projectId: null,
    people: 'org-admins',
    kind: 'trial-ends',
    matter: 'trial',
    title: 'Your trial ends',
  })
  for (const projectId of [home.projectId, other.projectId])
    expect(
      await app.call(listNotices, { params: { orgId: home.orgId, projectId } }, { as: home.person }),
    ).toMatchObject({ unread: 1, notices: [{ title: 'Your trial ends', topic: 'plan' }] })
  // an admin of the project is none of the organization
  expect((await app.call(listNotices, { params: home.params }, { as: admin })).unread).toBe(0)
})

it('told once stay as they were told', async () => {
  const home = await app.signedInOwner()
  await raise(home, { once: true })
  const [first] = (await app.call(listNotices, { params: home.params }, { as: home.person })).notices
  await app.call(readNotice, { params: { ...home.params, noticeId: first?.noticeId ?? '' } }, { as: home.person })
  await raise(home, { once: true, title: 'Again' })
  expect(await app.call(listNotices, { params: home.params }, { as: home.person })).toMatchObject({
    unread: 0,
    notices: [{ title: 'Reconnect @rook', count: 1, read: true }],
  })
})
