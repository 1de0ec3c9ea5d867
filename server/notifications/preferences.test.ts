import { afterAll, beforeAll, expect, it } from 'vitest'
import { listNotices, noticePreferences, noticeTopics, setNoticePreference } from '#contract/notices.ts'
import { asSystem } from '../db/system.ts'
import { asTenant } from '../db/tenant.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { failedPost } from '../testing/notifications.ts'
import { createNotification } from './create.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const create = (home: TestHome) =>
  asTenant(app.parts.databases.web, home.orgId, (tx) => createNotification(tx, failure(home), app.clock.now()))
const failure = ({ orgId, projectId }: TestHome) => ({
  orgId,
  projectId,
  dedupeKey: 'post:1:FAILED',
  ...failedPost(),
  people: 'project-editors' as const,
  channelIds: null,
})
const choose = (as: TestPerson, inApp: boolean, mail: boolean, topic: (typeof noticeTopics)[number] = 'failed_posts') =>
  app.call(setNoticePreference, { body: { topic, inApp, mail } }, { as })
const list = (home: TestHome, as: TestPerson) => app.call(listNotices, { params: home.params }, { as })
const rows = async (as: TestPerson) =>
  (
    await app.database.owner.query<{ in_app: boolean; mailed: boolean; count: number }>(
      'select in_app, mail_due_at is not null as mailed, count from notice where person_id = $1',
      [as.personId],
    )
  ).rows

it('are on by default, but for emails about unassigned conversations, low reviews and insights', async () => {
  const person = await app.person()
  expect(await app.call(noticePreferences, {}, { as: person })).toEqual({
    topics: noticeTopics.map((topic) => ({
      topic,
      inApp: true,
      mail: topic !== 'inbox_unassigned' && topic !== 'low_reviews' && topic !== 'insights',
    })),
  })
  const changed = await choose(person, true, false, 'channels')
  expect(changed.topics).toContainEqual({ topic: 'channels', inApp: true, mail: false })
  expect(changed.topics.filter(({ inApp, mail }) => inApp && mail)).toHaveLength(noticeTopics.length - 4)
  expect(await app.call(noticePreferences, {}, { as: person })).toEqual(changed)
  await expect(
    app
      .send(setNoticePreference, { body: { topic: 'gossip', inApp: true, mail: true } }, { as: person })
      .then((reply) => reply.json<{ code: string }>().code),
  ).resolves.toBe('BAD_INPUT')
})

it("can't turn off emails of invitations", async () => {
  const home = await app.signedInOwner()
  expect((await choose(home.person, false, false, 'invitations')).topics).toContainEqual({
    topic: 'invitations',
    inApp: false,
    mail: true,
  })
  expect(await list(home, home.person)).toMatchObject({ showsInvites: false })
})

it('belong to one person: colleagues are notified as before', async () => {
  const home = await app.signedInOwner()
  const editor = await app.colleague(home, 'editor')
  await choose(editor, true, false)
  await create(home)
  expect([await rows(editor), await rows(home.person)]).toEqual([
    [{ in_app: true, mailed: false, count: 1 }],
    [{ in_app: true, mailed: true, count: 1 }],
  ])
})

it('hide email-only notifications in the app: one row, neither listed nor counted', async () => {
  const home = await app.signedInOwner()
  await choose(home.person, false, true)
  await create(home)
  await create(home)
  expect(await rows(home.person)).toEqual([{ in_app: false, mailed: true, count: 2 }])
  expect(await list(home, home.person)).toMatchObject({ notices: [], unread: 0, pagination: { totalCount: 0 } })
  const { rows: told } = await app.database.owner.query('select from event where kind = $1 and person_id = $2', [
    'notice',
    home.person.personId,
  ])
  expect(told).toEqual([])
  // turned on again, the same notification is shown
  await choose(home.person, true, true)
  await create(home)
  expect(await list(home, home.person)).toMatchObject({ unread: 1, notices: [{ count: 3 }] })
})

it('create nothing if both are off', async () => {
  const home = await app.signedInOwner()
  await choose(home.person, false, false)
  await create(home)
  expect(await rows(home.person)).toEqual([])
})

it('apply to what the engine creates as the system role too', async () => {
  const home = await app.signedInOwner()
  await choose(home.person, true, false)
  await asSystem(app.parts.databases.system, (tx) => createNotification(tx, failure(home), app.clock.now()))
  expect(await rows(home.person)).toEqual([{ in_app: true, mailed: false, count: 1 }])
})

it('are visible to a tenant for its own people alone', async () => {
  const home = await app.signedInOwner()
  const stranger = await app.person()
  await choose(stranger, false, false)
  await choose(home.person, true, false)
  const seen = await asTenant(app.parts.databases.web, home.orgId, (tx) =>
    tx.selectFrom('notice_preference').select('person_id').execute(),
  )
  expect(seen).toEqual([{ person_id: home.person.personId }])
})
