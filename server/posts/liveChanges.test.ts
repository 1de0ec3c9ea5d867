import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { deletePost, editPost, getPost } from '#contract/posts.ts'
import type { Publish } from '../platforms/platform.ts'
import type { Publishing } from '../publishing/start.ts'
import { contentOn } from '../testing/content.ts'
import { putDelivery } from '../testing/deliveries.ts'
import type { TestHome } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { saying } from '../testing/reasons.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { publishingOf } from '../testing/publishingOf.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { shortCodes } from '../links/codes.ts'
import { deletionDetails, deletionSubject, editDetails, editSubject } from './liveSubjects.ts'

/*
 * Edits and deletions of a live post whose request dies during the platform's call or before it. A call that never
 * returns looks to everyone else like a killed process; one that returns late was only stopped.
 */

let app: TestApp
let publishing: Publishing
let home: TestHome
let channelId: string
let edit: NonNullable<Publish['edit']>
let remove: NonNullable<Publish['remove']>
/** The calls to the platform, in order. */
const asked: string[] = []

beforeAll(async () => {
  const scripted = scriptedPlatform()
  const platform = {
    ...scripted,
    publish: {
      ...scripted.publish,
      edit: async (...call: Parameters<typeof edit>) => {
        asked.push(`edit ${call[3].contents[0]?.text}`)
        return await edit(...call)
      },
      remove: async (...call: Parameters<typeof remove>) => {
        asked.push(`remove ${call[3]}`)
        return await remove(...call)
      },
    },
  }
  app = await startApp({ platforms: { bluesky: platform } })
  publishing = await publishingOf(app, [platform], {
    subjects: [editSubject({ shortCodes: shortCodes(app.parts.databases.background, app.clock) }), deletionSubject()],
  })
})
afterAll(async () => {
  await publishing.stop({ drain: 50 })
  await app.close()
})
beforeEach(async () => {
  home = await app.signedInOwner()
  await app.database.owner.query("update plan set status = 'ACTIVE' where org_id = $1", [home.orgId])
  channelId = await contentOn(app.parts).channel(home)
  edit = async (...call) => ({ kind: 'edited', remoteId: call[4] })
  remove = async () => ({ kind: 'removed' })
  asked.length = 0
})

const on = (postId: string) => ({ ...home.params, postId })
const read = (postId: string) => app.call(getPost, { params: on(postId) }, { as: home.person })
const say = (postId: string, text: string) =>
  app
    .call(editPost, { params: on(postId), body: { version: 1, contents: [{ text, media: [] }] } }, { as: home.person })
    .catch((error: unknown) => error)
const deleteThere = (postId: string) =>
  app
    .call(deletePost, { params: on(postId), query: { platform: 'delete' } }, { as: home.person })
    .catch((error: unknown) => error)

async function live(): Promise<string> {
  const posts = postsOn(app, app.database)
  const id = await posts.post(home, channelId)
  await posts.put(id, 'PUBLISHED')
  await app.database.owner.query("update post set version = 1, remote_id = 'remote' where id = $1", [id])
  await putDelivery(app.database.owner, id, { step: null, step_at: null, send_key: 'key', state: 'sent' })
  return id
}

/** A call that reached the platform, and whose answer comes when it's released. */
function hanging<T>(answer: T): { call: () => Promise<T>; release: () => void } {
  const released = Promise.withResolvers<T>()
  return { call: () => released.promise, release: () => released.resolve(answer) }
}

const delivery = async (postId: string, subject: string): Promise<Record<string, unknown>> => {
  const { rows } = await app.database.owner.query<Record<string, unknown>>(
    'select * from delivery where subject_id = $1 and subject = $2',
    [postId, subject],
  )
  return rows[0] ?? {}
}
/** Until the nodes have nothing left to do with it. */
const isOver = (postId: string, subject: string) =>
  until(async () => (await delivery(postId, subject)).step === null, { what: `the end of the ${subject}` })
const audited = async (postId: string) =>
  (await app.database.owner.query('select action from audit where entity_id = $1 order by at', [postId])).rows.map(
    ({ action }) => action,
  )

/** What a request wrote before it died without having called the platform. */
const reservation = (postId: string, subject: string, details: object) =>
  app.database.owner.query(
    "insert into delivery (org_id, channel_id, subject, subject_id, details, step, step_at, wanted_at) values ($1, $2, $3, $4, $5, 'send', $6, $6)",
    [home.orgId, channelId, subject, postId, JSON.stringify(details), app.clock.now()],
  )
const wakeLane = () =>
  app.database.owner.query('update lane set wake_at = $2 where channel_id = $1', [channelId, app.clock.now()])

it('applies an edit once when its process dies during the call, and shows it as unconfirmed', async () => {
  const id = await live()
  const { call, release } = hanging({ kind: 'edited' as const, remoteId: 'remote' })
  edit = call
  const editing = say(id, 'after')
  await until(() => asked.length === 1)
  app.clock.advance({ minutes: 2 })
  await isOver(id, 'edit')
  expect(asked).toEqual(['edit after'])
  expect(await read(id)).toMatchObject({
    version: 1,
    warning: "We don't know whether the last change to this post reached its platform. Save it again.",
  })
  // a process that was only stopped writes nothing anymore
  release()
  expect(await editing).toMatchObject({ code: 'CHANNEL_UNREACHABLE' })
  expect(await read(id)).toMatchObject({ version: 1, warning: expect.stringContaining('Save it again') })
  edit = async () => ({ kind: 'edited', remoteId: 'remote' })
  expect(await say(id, 'again')).toMatchObject({ version: 2 })
  expect(await read(id)).toMatchObject({ contents: [{ text: 'again' }], warning: null })
})

it('finishes a deletion whose process died during the call, and records it once', async () => {
  const id = await live()
  const { call, release } = hanging({ kind: 'removed' as const })
  remove = call
  const deleting = deleteThere(id)
  await until(() => asked.length === 1)
  // by now it's gone there, and deleting it again succeeds
  remove = async () => ({ kind: 'removed' })
  app.clock.advance({ minutes: 2 })
  await isOver(id, 'deletion')
  expect(await read(id)).toMatchObject({ status: 'DELETED', objectId: null, permalink: null })
  release()
  await deleting
  const { timeline } = await read(id)
  expect(timeline.filter(({ kind }) => kind === 'deleted')).toHaveLength(1)
  expect((await audited(id)).filter((action) => action === 'deleted')).toHaveLength(1)
})

it('lets a node make an edit whose process died before the call', async () => {
  const id = await live()
  const says = { contents: [{ text: 'after', media: [] }], details: {}, firstComment: '', mentions: [] }
  await reservation(id, 'edit', editDetails(home.person.personId, says))
  await wakeLane()
  await isOver(id, 'edit')
  expect(asked).toEqual(['edit after'])
  expect(await read(id)).toMatchObject({ contents: [{ text: 'after' }], version: 2, warning: null })
  expect(await audited(id)).toContain('edited')
})

it.each([
  ['edit', "Your last change to this post didn't reach its platform. Not that. Save it again."],
  ['deletion', "We couldn't delete this post on its platform. Not that. Delete it again."],
])('shows on the post why an %s failed that nobody waited for', async (subject, warning) => {
  const id = await live()
  edit = async () => ({ kind: 'rejected', reason: saying('Not that.') })
  remove = async () => ({ kind: 'rejected', reason: saying('Not that.') })
  const says = { contents: [{ text: 'after', media: [] }], details: {}, firstComment: '', mentions: [] }
  const { personId } = home.person
  await reservation(id, subject, subject === 'edit' ? editDetails(personId, says) : deletionDetails(personId))
  await wakeLane()
  await isOver(id, subject)
  expect(await read(id)).toMatchObject({ status: 'PUBLISHED', version: 1, warning })
})

it('sends nothing after a person saw that it failed', async () => {
  const id = await live()
  edit = async () => ({ kind: 'retry', reason: saying('Away.') })
  remove = async () => ({ kind: 'unknown', reason: saying('Lost.') })
  expect(await say(id, 'after')).toMatchObject({ code: 'CHANNEL_UNREACHABLE' })
  expect(await deleteThere(id)).toMatchObject({ code: 'CHANNEL_UNREACHABLE' })
  expect(await delivery(id, 'edit')).toMatchObject({ step: null, state: 'waiting', details: {} })
  expect(await delivery(id, 'deletion')).toMatchObject({ step: null, state: 'waiting', details: {} })
  expect(await read(id)).toMatchObject({ status: 'PUBLISHED', warning: null })
})

it("doesn't keep a person waiting for a paused channel", async () => {
  const id = await live()
  await app.database.owner.query('update lane set paused = true where channel_id = $1', [channelId])
  await deleteThere(id)
  expect(await read(id)).toMatchObject({ status: 'DELETED' })
})
