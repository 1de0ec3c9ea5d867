import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listNotices, readNotice } from '#contract/notices.ts'
import { asTenant } from '../db/tenant.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { raiseNotice, type Matter } from './raise.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const raise = (home: TestHome, more: Partial<Matter> = {}) =>
  asTenant(app.parts.databases.web, home.orgId, (tx) =>
    raiseNotice(tx, { orgId: home.orgId, projectId: home.projectId, matter: 'channel:1:reconnect', kind: 'channel', title: 'Reconnect @rook', body: 'Its token has ended.', link: '/channels', people: 'project-editors', channelIds: null, ...more }, app.clock.now()),
  )

it('reach those who can do something, newest first, until they are read', async () => {
  const home = await app.signedInOwner()
  const [editor, user] = [await app.colleague(home, 'editor'), await app.colleague(home, 'user')]
  await raise(home)
  app.clock.advance({ minutes: 1 })
  await raise(home, { matter: 'post:1:failed', kind: 'post', title: 'A post failed', link: null })
  const list = await app.call(listNotices, { params: home.params }, { as: editor })
  expect(list).toMatchObject({ unread: 2, notices: [{ title: 'A post failed', link: null, read: false }, { title: 'Reconnect @rook', body: 'Its token has ended.', link: '/channels', read: false }] })
  const noticeId = list.notices[0]?.noticeId ?? ''
  await app.call(readNotice, { params: { ...home.params, noticeId } }, { as: editor })
  expect(await app.call(listNotices, { params: home.params }, { as: editor })).toMatchObject({ unread: 1, notices: [{ read: true }, { read: false }] })
  expect((await app.call(listNotices, { params: home.params }, { as: home.person })).unread).toBe(2)
  expect(await app.call(listNotices, { params: home.params }, { as: user })).toEqual({ notices: [], unread: 0 })
})

it('are one per matter: what comes again is unread again', async () => {
  const home = await app.signedInOwner()
  await raise(home)
  const [first] = (await app.call(listNotices, { params: home.params }, { as: home.person })).notices
  await app.call(readNotice, { params: { ...home.params, noticeId: first?.noticeId ?? '' } }, { as: home.person })
  app.clock.advance({ hours: 1 })
  await raise(home, { title: 'Reconnect @rook again' })
  expect(await app.call(listNotices, { params: home.params }, { as: home.person })).toMatchObject({ unread: 1, notices: [{ noticeId: first?.noticeId, title: 'Reconnect @rook again', read: false }] })
})

it('of a colleague are not found, and stay unread', async () => {
  const home = await app.signedInOwner()
  const editor = await app.colleague(home, 'editor')
  await raise(home, { people: [editor.personId] })
  const [theirs] = (await app.call(listNotices, { params: home.params }, { as: editor })).notices
  await expect(app.call(readNotice, { params: { ...home.params, noticeId: theirs?.noticeId ?? '' } }, { as: home.person })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await app.call(listNotices, { params: home.params }, { as: editor })).unread).toBe(1)
})

it('of a channel reach only those whose role reaches it', async () => {
  const home = await app.signedInOwner()
  const [mine, other] = [randomUUIDv7(), randomUUIDv7()]
  const [scoped, everywhere] = [await app.colleague(home, 'editor', { channelIds: [mine] }), await app.colleague(home, 'editor')]
  const unread = async (as: typeof scoped) => (await app.call(listNotices, { params: home.params }, { as })).unread
  await raise(home, { matter: 'other', channelIds: [other] })
  expect([await unread(scoped), await unread(everywhere), await unread(home.person)]).toEqual([0, 1, 1])
  await raise(home, { matter: 'both', channelIds: [other, mine] })
  await raise(home, { matter: 'project', channelIds: null })
  expect([await unread(scoped), await unread(everywhere)]).toEqual([2, 3])
})
