import type { Reason } from '#contract/failures/catalog.ts'
import { postWithDelivery } from '../testing/deliveries.ts'
import { saying } from '../testing/reasons.ts'
import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { deletePost, editPost, restorePost, retryPost, settlePost } from '#contract/posts.ts'
import { submitPost } from '#contract/submit.ts'
import type { Publish } from '../platforms/platform.ts'
import type { Publishing } from '../publishing/start.ts'
import { contentOn } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { scriptedPlatform, type Scripted } from '../testing/scriptedPlatform.ts'
import { publishingOf } from '../testing/publishingOf.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { contentHash, type Content } from '../approvals/content.ts'

/* People's actions and the engine on the same post at once, through the API, with a clock that the test moves. */

type SendPart = NonNullable<Publish['sendFollowUp']>

let app: TestApp
let platform: Scripted
let publishing: Publishing
let home: TestHome
let channelId: string
/** Intercepts requests between the engine and the platform. */
let send: Publish['send'] | undefined
let sendFollowUp: SendPart | undefined
let remove: NonNullable<Publish['remove']>

const reason: Reason = saying('A reason.', 'An advice.')
const LOST = { kind: 'unknown', reason } as const

beforeAll(async () => {
  platform = scriptedPlatform()
  const { publish } = platform
  const take = publish.sendFollowUp
  if (!take) throw new Error('the platform takes parts')
  const between = {
    ...platform,
    publish: {
      ...publish,
      send: (...call: Parameters<Publish['send']>) => (send ?? publish.send)(...call),
      sendFollowUp: (...call: Parameters<SendPart>) => (sendFollowUp ?? take)(...call),
      remove: (...call: Parameters<typeof remove>) => remove(...call),
      edit: async (...call: Parameters<NonNullable<Publish['edit']>>) => ({
        kind: 'edited' as const,
        remoteId: call[4],
      }),
    },
  }
  app = await startApp({ platforms: { bluesky: between } })
  publishing = await publishingOf(app, [between])
})
afterAll(async () => {
  await publishing.stop({ drain: 50 })
  await app.close()
})
beforeEach(async () => {
  home = await app.signedInOwner()
  await app.database.owner.query("update plan set status = 'ACTIVE' where org_id = $1", [home.orgId])
  channelId = await contentOn(app.parts).channel(home)
  send = undefined
  sendFollowUp = undefined
  remove = async () => ({ kind: 'removed' })
  platform.there.length = 0
  platform.asked.length = 0
})

/** The platform's own answer to a follow-up: accepted. */
const taken: SendPart = async (...call) =>
  await (platform.publish.sendFollowUp?.(...call) ?? Promise.reject(new Error('no parts')))
const on = (postId: string) => ({ ...home.params, postId })
const row = (postId: string) => postWithDelivery(app.database.owner, postId)
const isFollowing = async (postId: string, at: string) => {
  const { subject, step } = await row(postId)
  return subject === 'follow-up' && step === at
}
const comments = () => platform.there.filter(({ text }) => text === 'The comment')
const isIdle = async () =>
  (await app.database.owner.query('select from delivery where channel_id = $1 and lease_id is not null', [channelId]))
    .rowCount === 0

async function publish(): Promise<string> {
  const channels = [
    { channelId, postType: 'post' as const, contents: [{ text: 'The post', media: [] }], firstComment: 'The comment' },
  ]
  const reply = await app.call(
    submitPost,
    { params: home.params, body: { intent: 'PUBLISH', channels, schedule: { type: 'NOW' } } },
    { as: home.person },
  )
  return reply.posts[0]?.postId ?? ''
}

/** An approval round for the post's current content, approved. */
async function approve(postId: string): Promise<void> {
  const { rows } = await app.database.owner.query<Content>('select * from post where id = $1', [postId])
  if (!rows[0]) throw new Error('no post')
  const steps = JSON.stringify([
    { needs: 'any', approvers: [{ kind: 'member', userId: home.person.personId, name: 'Ada' }] },
  ])
  await app.database.owner.query(
    "insert into approval (org_id, id, post_id, workflow_name, steps, content_hash, state, sent_by, sent_at, step_at) values ($1, $2, $3, 'Any Admin', $4, $5, 'approved', $6, $7, $7)",
    [home.orgId, randomUUIDv7(), postId, steps, contentHash(rows[0]), home.person.personId, app.clock.now()],
  )
}

/** Waits, while the clock advances, until no follow-ups remain. */
const followed = (postId: string) =>
  until(async () => {
    app.clock.advance({ seconds: 1 })
    const { state, step } = await row(postId)
    return state === 'PUBLISHED' && step === null
  })

it('looks up an unconfirmed post again after its deletion was undone', async () => {
  send = async (...call) => {
    await platform.publish.send(...call)
    return LOST
  }
  const id = await publish()
  await until(async () => (await row(id)).state === 'UNCONFIRMED' && (await isIdle()))
  await app.call(deletePost, { params: on(id) }, { as: home.person })
  await app.call(restorePost, { params: on(id) }, { as: home.person })
  // not before the send can no longer arrive
  expect(await row(id)).toMatchObject({
    state: 'UNCONFIRMED',
    step: 'reconcile',
    step_at: new Date(app.clock.now().getTime() + 180_000),
  })
  app.clock.advance({ minutes: 3 })
  await followed(id)
  expect(platform.there.filter(({ text }) => text === 'The post')).toHaveLength(1)
})

it('looks up a comment before sending it again if its post was deleted and restored while it was being sent', async () => {
  let answer: () => void = () => {}
  // it's there, and the answer is on its way
  sendFollowUp = async (...call) => {
    const sent = await taken(...call)
    await new Promise<void>((resolve) => (answer = resolve))
    return sent
  }
  const id = await publish()
  await until(() => comments().length === 1)
  await app.call(deletePost, { params: on(id) }, { as: home.person })
  await app.call(restorePost, { params: on(id) }, { as: home.person })
  sendFollowUp = undefined
  answer()
  await followed(id)
  expect(comments()).toHaveLength(1)
  expect(platform.asked).toContain('settlePart The comment')
})

it('sends what a person asks to send again without another lookup', async () => {
  sendFollowUp = async () => ({ kind: 'rejected', reason })
  const id = await publish()
  await followed(id)
  await app.database.owner.query(
    "update delivery set doubted = true, state = 'unsure' where subject_id = $1 and subject = 'follow-up'",
    [id],
  )
  sendFollowUp = undefined
  await app.call(settlePost, { params: on(id), body: { outcome: 'send_again' } }, { as: home.person })
  await followed(id)
  expect(comments()).toHaveLength(1)
  expect(platform.asked).not.toContain('settlePart The comment')
})

it('looks up a comment whose answer was lost after deleting its post on the platform failed', async () => {
  sendFollowUp = async (...call) => {
    await taken(...call)
    return LOST
  }
  remove = async () => ({ kind: 'retry', reason })
  const id = await publish()
  await until(async () => (await isFollowing(id, 'reconcile')) && (await isIdle()))
  await expect(
    app.call(deletePost, { params: on(id), query: { platform: 'delete' } }, { as: home.person }),
  ).rejects.toMatchObject({ code: 'CHANNEL_UNREACHABLE' })
  sendFollowUp = undefined
  app.clock.advance({ minutes: 2 })
  await followed(id)
  expect(comments()).toHaveLength(1)
})

it('pauses follow-ups while a post is being deleted on its platform, and continues if that request died', async () => {
  const asked = () => platform.asked.filter((line) => line === 'part The comment').length
  sendFollowUp = async (...call) =>
    asked() < 1
      ? (platform.asked.push('part The comment'), { kind: 'retry', afterSeconds: 30, reason })
      : await taken(...call)
  let answer: (() => void) | undefined
  remove = async () => {
    await new Promise<void>((resolve) => (answer = resolve))
    return { kind: 'retry', reason }
  }
  const id = await publish()
  await until(async () => asked() === 1 && (await isFollowing(id, 'send')))
  const deleting = app
    .call(deletePost, { params: on(id), query: { platform: 'delete' } }, { as: home.person })
    .catch((error: unknown) => error)
  await until(() => answer !== undefined)
  await expect(app.call(retryPost, { params: on(id) }, { as: home.person })).rejects.toMatchObject({
    code: 'POST_LOCKED',
  })
  expect((await row(id)).step_at).toEqual(new Date(app.clock.now().getTime() + 120_000))
  // as when the process died: no sign of it for two minutes
  app.clock.advance({ minutes: 2 })
  await followed(id)
  expect(comments()).toHaveLength(1)
  answer?.()
  expect(await deleting).toMatchObject({ code: 'CHANNEL_UNREACHABLE' })
})

it('continues follow-ups immediately if the platform did not delete the post', async () => {
  sendFollowUp = async () => ({ kind: 'retry', afterSeconds: 600, reason })
  remove = async () => ({ kind: 'rejected', reason })
  const id = await publish()
  await until(async () => {
    // a lane whose post is locked at that moment is looked at again some milliseconds later
    app.clock.advance({ ms: 5 })
    const { subject, step, step_at: at } = await row(id)
    return subject === 'follow-up' && step === 'send' && at instanceof Date && at > app.clock.now()
  })
  await expect(
    app.call(deletePost, { params: on(id), query: { platform: 'delete' } }, { as: home.person }),
  ).rejects.toMatchObject({ code: 'CHANNEL_REFUSED' })
  expect(await row(id)).toMatchObject({ wanted_at: app.clock.now() })
  sendFollowUp = undefined
  await followed(id)
  expect(comments()).toHaveLength(1)
})

it('asks nobody to confirm the comment of a deleted post', async () => {
  sendFollowUp = async () => ({ kind: 'rejected', reason })
  const id = await publish()
  await followed(id)
  const open = async () =>
    (
      await app.database.owner.query(
        "select from notice where dedupe_key = 'post:' || $1 || ':parts' and read_at is null",
        [id],
      )
    ).rowCount
  expect(await open()).toBe(1)
  await app.call(deletePost, { params: on(id) }, { as: home.person })
  expect(await open()).toBe(0)
})

it('publishes the follow-ups of an approved post even after the live post was changed', async () => {
  sendFollowUp = async () => ({ kind: 'rejected', reason })
  const id = await publish()
  await followed(id)
  await approve(id)
  await app.call(
    editPost,
    { params: on(id), body: { version: 1, contents: [{ text: 'The post, corrected', media: [] }] } },
    { as: home.person },
  )
  sendFollowUp = undefined
  await app.call(retryPost, { params: on(id) }, { as: home.person })
  await followed(id)
  expect(await row(id)).toMatchObject({ warning: null })
  expect(comments()).toHaveLength(1)
})
