import { randomUUIDv7 } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { asTenant } from '../db/tenant.ts'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { applyCampaignPauses } from './holdPosts.ts'

/* What the engine does with posts of a disabled campaign. */

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll())

const inTenant = <T>(work: Parameters<typeof asTenant<T>>[2]) =>
  asTenant(room.database.databases.web, room.house.orgId, work)
async function campaignOf(postIds: readonly string[]): Promise<string> {
  const id = randomUUIDv7()
  const { orgId, projectId, personId } = room.house
  await room.database.owner.query(
    "insert into campaign (org_id, id, project_id, name, color, created_at, created_by) values ($1, $2, $3, 'Launch', 'blue', $4, $5)",
    [orgId, id, projectId, room.clock.now(), personId],
  )
  for (const postId of postIds)
    await room.database.owner.query('insert into post_campaign (org_id, post_id, campaign_id) values ($1, $2, $3)', [
      orgId,
      postId,
      id,
    ])
  return id
}
async function set(campaignId: string, enabled: boolean, postIds: readonly string[]) {
  await room.database.owner.query('update campaign set enabled = $1 where id = $2', [enabled, campaignId])
  return await inTenant((tx) => applyCampaignPauses(tx, postIds, room.clock.now()))
}

test("holds them at their time, and publishes them once they're released", async () => {
  const platform = scriptedPlatform()
  await room.start({ platforms: [platform] })
  const [kept = '', other = ''] = await room.posts([
    { minutes: 5, text: 'kept' },
    { minutes: 5, text: 'other' },
  ])
  const campaignId = await campaignOf([kept])
  expect((await set(campaignId, false, [kept, other])).held).toEqual([kept])
  room.clock.advance({ minutes: 10 })
  await room.reaches(other, 'PUBLISHED')
  expect(await room.row(kept)).toMatchObject({
    state: 'SCHEDULED',
    step_at: null,
    failure: { class: 'paused', code: 'campaign-disabled', params: { campaign: 'Launch' } },
  })
  expect((await set(campaignId, true, [kept])).released).toMatchObject([{ postId: kept, late: false }])
  await room.reaches(kept, 'PUBLISHED')
  expect(platform.there.map(({ text }) => text)).toEqual(['other', 'kept'])
})

test('leaves one that is released too late to a person, with the reason', async () => {
  await room.start()
  const [late = ''] = await room.posts([{ minutes: 5, text: 'late' }])
  const campaignId = await campaignOf([late])
  await set(campaignId, false, [late])
  room.clock.advance({ hours: 2 })
  expect((await set(campaignId, true, [late])).released).toMatchObject([{ postId: late, late: true }])
  await room.reaches(late, 'FAILED')
  expect((await room.row(late)).failure).toMatchObject({
    class: 'late',
    params: { because: { code: 'campaign-was-disabled' } },
  })
})
