import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteChannel } from '#contract/channels.ts'
import { deleteOrganization, keepOrganization } from '#contract/dataRights.ts'
import { channelJobs } from '../channels/jobs.ts'
import { PromotionHarness } from '../testing/promotionHarness.ts'
import { runJobs } from '../testing/runJobs.ts'
import { storedNotifications } from '../testing/notifications.ts'

/* A channel that is deleted takes its promotions with it, and so does an organization, at once. */

let room: PromotionHarness
beforeAll(async () => {
  room = await PromotionHarness.open()
})
beforeEach(() => room.clear())
afterAll(() => room.close())

const remove = (channelId: string) =>
  room.app.call(deleteChannel, { params: { ...room.home.params, channelId } }, room.as())
/** The deletion looks again; whatever time it wanted to wait. */
const deletion = () => runJobs(room.app, channelJobs(room.app.parts), { once: true })
const isGone = async (channelId: string) =>
  (await room.app.database.owner.query('select 1 from channel where id = $1 and deleted_at is not null', [channelId]))
    .rowCount === 1
const notices = async () => {
  const about = "org_id = $1 and kind in ('boost-trouble', 'boost-unstopped')"
  const found = await storedNotifications(room.app.database.owner, about, [room.home.orgId])
  return found.map(({ title }) => ({ title }))
}

test('a promotion is ended at the platform before its channel goes, also when an answer is lost', async () => {
  const { postId, channelId } = await room.begun()
  await room.run()
  await room.pass(10)
  expect(await room.boost(postId)).toMatchObject({ status: 'ACTIVE' })
  await remove(channelId)
  expect(await room.boost(postId)).toMatchObject({ status: 'STOPPING' })
  room.facebook.faults.add({ on: 'POST graph.facebook.com/v25.0/1*', drop: 'before' })
  await room.run()
  await deletion()
  expect(await isGone(channelId)).toBe(false)
  await room.pass(3)
  expect(room.things().find(({ kind }) => kind === 'campaign')).toMatchObject({ status: 'PAUSED' })
  await deletion()
  expect(await isGone(channelId)).toBe(true)
  expect(await room.boost(postId)).toMatchObject({ status: 'STOPPED', problem: null })
  expect(await notices()).toEqual([])
})

test('what was only begun is taken away, and so is what was begun while the channel went', async () => {
  const { postId, channelId, boostId } = await room.begun()
  room.facebook.faults.add({ on: 'POST graph.facebook.com/v25.0/act_*/adsets', drop: 'after' })
  await room.run()
  await remove(channelId)
  // somebody's start that had read the channel before
  await room.app.database.owner.query("update boost set state = 'PENDING' where id = $1", [boostId])
  await deletion()
  expect(await room.boost(postId)).toMatchObject({ status: 'STOPPING' })
  await room.pass(4)
  await deletion()
  expect(await isGone(channelId)).toBe(true)
  expect(await room.boost(postId)).toMatchObject({ status: 'STOPPED' })
  expect(room.counted()).toMatchObject({ campaign: 0, ad: 0 })
})

test('a channel does not wait forever: people are told of what may go on', async () => {
  const { postId, channelId } = await room.begun()
  await room.run()
  await room.pass(10)
  for (const token of room.facebook.state.tokens.values()) if (token.kind === 'long') token.revoked = true
  await remove(channelId)
  await room.run()
  await runJobs(room.app, channelJobs(room.app.parts))
  expect(await isGone(channelId)).toBe(true)
  expect(await notices()).toEqual([{ title: 'A promotion on Facebook may still be running' }])
  await room.pass(61)
  expect(await room.boost(postId)).toMatchObject({
    status: 'STOPPING',
    problem: { text: expect.stringContaining('before the platform confirmed the end') },
  })
})

test('promotions of an organization that is being deleted end at once, not in 7 days', async () => {
  const { postId } = await room.begun()
  await room.run()
  await room.pass(10)
  expect(await room.boost(postId)).toMatchObject({ status: 'ACTIVE' })
  await room.app.call(deleteOrganization, { params: room.home.params }, room.as())
  await room.run()
  expect(room.things().find(({ kind }) => kind === 'campaign')).toMatchObject({ status: 'PAUSED' })
  expect(await room.boost(postId)).toMatchObject({ status: 'STOPPED', problem: null })
  // money is spent again by a person only
  await room.app.call(keepOrganization, { params: room.home.params, body: {} }, room.as())
  await room.pass(10)
  expect(await room.boost(postId)).toMatchObject({ status: 'STOPPED' })
})
