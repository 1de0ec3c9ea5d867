import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteChannel } from '#contract/channels.ts'
import { deleteOrganization, keepOrganization } from '#contract/dataRights.ts'
import { channelJobs } from '../channels/jobs.ts'
import { PromotionHarness } from '../testing/promotionHarness.ts'
import { runJobs } from '../testing/runJobs.ts'
import { storedNotifications } from '../testing/notifications.ts'

/* Deleting a channel or an organization ends its promotions at once. */

let room: PromotionHarness
beforeAll(async () => {
  room = await PromotionHarness.open()
})
beforeEach(() => room.clear())
afterAll(() => room.close())

const remove = (channelId: string) =>
  room.app.call(deleteChannel, { params: { ...room.home.params, channelId } }, room.as())
/** Runs the deletion's next check, regardless of how long it wanted to wait. */
const deletion = () => runJobs(room.app, channelJobs(room.app.parts), { once: true })
const isGone = async (channelId: string) =>
  (await room.app.database.owner.query('select 1 from channel where id = $1 and deleted_at is not null', [channelId]))
    .rowCount === 1
const notices = async () => {
  const about = "org_id = $1 and kind in ('boost-trouble', 'boost-unstopped')"
  const found = await storedNotifications(room.app.database.owner, about, [room.home.orgId])
  return found.map(({ title }) => ({ title }))
}

test('ends a promotion on the platform before its channel is deleted, even after a lost answer', async () => {
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

test('deletes what was only started, and what was started while the channel was being deleted', async () => {
  const { postId, channelId, boostId } = await room.begun()
  room.facebook.faults.add({ on: 'POST graph.facebook.com/v25.0/act_*/adsets', drop: 'after' })
  await room.run()
  await remove(channelId)
  // a start that had read the channel before
  await room.app.database.owner.query("update boost set state = 'PENDING' where id = $1", [boostId])
  await deletion()
  expect(await room.boost(postId)).toMatchObject({ status: 'STOPPING' })
  await room.pass(4)
  await deletion()
  expect(await isGone(channelId)).toBe(true)
  expect(await room.boost(postId)).toMatchObject({ status: 'STOPPED' })
  expect(room.counted()).toMatchObject({ campaign: 0, ad: 0 })
})

test('deletes the channel after a while anyway, and notifies people of promotions that may continue', async () => {
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

test('ends the promotions of an organization that is being deleted at once, not after 7 days', async () => {
  const { postId } = await room.begun()
  await room.run()
  await room.pass(10)
  expect(await room.boost(postId)).toMatchObject({ status: 'ACTIVE' })
  await room.app.call(deleteOrganization, { params: room.home.params }, room.as())
  await room.run()
  expect(room.things().find(({ kind }) => kind === 'campaign')).toMatchObject({ status: 'PAUSED' })
  expect(await room.boost(postId)).toMatchObject({ status: 'STOPPED', problem: null })
  // only a person spends money again
  await room.app.call(keepOrganization, { params: room.home.params, body: {} }, room.as())
  await room.pass(10)
  expect(await room.boost(postId)).toMatchObject({ status: 'STOPPED' })
})
