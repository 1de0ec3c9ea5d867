import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { asTenant } from '../db/tenant.ts'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { seeded } from '../simulators/bluesky/faults.ts'
import { until } from '../testing/until.ts'
import { pauseLane } from '../delivery/lane.ts'
import { resumeLane, scheduleOnLane, takeOffLane } from './lane.ts'

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll())

const inTenant = <T>(work: Parameters<typeof asTenant<T>>[2]) =>
  asTenant(room.database.databases.web, room.house.orgId, work)
/** Lanes that would oversleep one of their posts. */
const oversleeping = async () =>
  (
    await room.database.owner.query(
      "select 1 from lane l where not exists (select from delivery d where d.channel_id = l.channel_id and d.lease_id is not null) and exists (select from delivery p where p.org_id = l.org_id and p.channel_id = l.channel_id and p.step_at < coalesce(l.wake_at, p.step_at + interval '1 second'))",
    )
  ).rowCount

test('wakes each lane in time for its posts, however changes and claims overlap', async () => {
  const platform = scriptedPlatform()
  const random = seeded(7)
  await room.start({ platforms: [platform] })
  await room.start({ platforms: [platform] })
  const channels = [room.channel, ...(await Promise.all([1, 2, 3].map(() => room.moreChannels())))]
  const ids = await room.posts(
    Array.from({ length: 80 }, (_, i) => ({
      minutes: 1 + (i % 5),
      text: `post ${i}`,
      channelId: channels[i % 4]?.channelId ?? '',
    })),
  )
  const channelOf = new Map(ids.map((id, i) => [id, channels[i % 4]?.channelId ?? '']))
  const verb = async (i: number) => {
    const postId = ids[Math.floor(random() * ids.length)] ?? ''
    const minutes = Math.floor(random() * 4)
    await inTenant(async (tx) => {
      // as every action does: the post is locked first, and only one that may be changed is changed
      const post = await tx
        .selectFrom('post')
        .select('state')
        .where('org_id', '=', room.house.orgId)
        .where('id', '=', postId)
        .forUpdate()
        .executeTakeFirst()
      if (post?.state !== 'SCHEDULED' || !(await takeOffLane(tx, room.house.orgId, postId))) return
      await scheduleOnLane(tx, [
        {
          postId,
          channelId: channelOf.get(postId) ?? '',
          dueAt: room.inMinutes(minutes),
          needsPrepare: random() < 0.3,
        },
      ])
    })
    if (i % 30 === 0) room.clock.advance({ seconds: 20 })
  }
  // 20 people at once: 300 would only wait for a connection, and time out on a slow machine
  let next = 0
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      while (next < 300) await verb((next += 1) - 1)
    }),
  )
  for (let minute = 0; minute < 12; minute++) {
    room.clock.advance({ seconds: 30 })
    await until(async () => (await oversleeping()) === 0, { what: 'no lane to oversleep' })
  }
  for (const id of ids) await room.reaches(id, 'PUBLISHED')
  expect(platform.there.map(({ text }) => text).toSorted()).toEqual(ids.map((_, i) => `post ${i}`).toSorted())
})

test('keeps the posts of a paused lane, and sends them immediately when it resumes', async () => {
  await room.start()
  await inTenant((tx) => pauseLane(tx, room.house.orgId, room.channel.channelId))
  const id = await room.post(0, 'paused')
  await until(async () => (await room.row(id)).failure !== null)
  await inTenant((tx) => resumeLane(tx, room.house.orgId, room.channel.channelId))
  await room.reaches(id, 'PUBLISHED')
})

test('starts sending a post scheduled for now without waiting for the next poll', async () => {
  // a node that sleeps for an hour unless it is nudged
  await room.start({ options: { poll: 3_600_000 } })
  await room.reaches(await room.post(0, 'now'), 'PUBLISHED')
})
