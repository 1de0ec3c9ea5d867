import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem } from '../db/system.ts'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { until } from '../testing/until.ts'
import { pausePublishing, activeKillSwitches, resumePublishing } from '../delivery/killSwitch.ts'
import { storedNotifications } from '../testing/notifications.ts'

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll())

/** As a database looks that was restored from a copy: it remembers another system identifier. */
async function pretendRestored(): Promise<void> {
  await room.database.owner.query("update instance set system_identifier = 'another'")
}

test('sends nothing after a restore until a person resumes, and first looks up what was due since the backup', async () => {
  const first = await room.start()
  const out = await room.post(5, 'published after the backup')
  const notOut = await room.post(6, 'not published')
  const later = await room.post(60, 'later')
  await first.stop({ drain: 1000 })
  await room.database.owner.query('update delivery set send_key = $2 where subject_id = $1', [out, '3kkeyofthatpost2'])
  await room.database.owner.query('update delivery set send_key = $2 where subject_id = $1', [
    notOut,
    '3kkeyoftheother2',
  ])
  // the installation that the copy was made from continued and sent the first one
  await fetch(`${room.simulator.origin}/xrpc/com.atproto.repo.createRecord`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken()}` },
    body: JSON.stringify({
      rkey: '3kkeyofthatpost2',
      collection: 'app.bsky.feed.post',
      record: { $type: 'app.bsky.feed.post', text: 'published after the backup', createdAt: '2026-11-21T12:05:00Z' },
    }),
  })
  await pretendRestored()
  room.clock.advance({ minutes: 30 })

  await room.start()
  await room.reaches(out, 'PUBLISHED')
  expect(await room.timeline(out)).toEqual(['unconfirmed', 'settled', 'confirmed'])
  expect(await room.timelineNotes(out)).toEqual([
    "Rookery's database was restored from a backup or copied.",
    expect.stringMatching(/^Found on /),
    null,
  ])
  expect(await activeKillSwitches(room.database.databases.system)).toMatchObject([
    { scope: 'all', reason: expect.stringContaining('backup') },
  ])
  // read as absent, but publishing is paused: it isn't sent
  await until(async () => (await room.row(notOut)).step === 'send')
  room.clock.advance({ minutes: 29 })
  await until(async () => (await room.row(notOut)).failure !== null)
  expect(room.commits('not published')).toBe(0)

  await resumePublishing(room.database.databases.system, 'all', '')
  room.clock.advance({ minutes: 2 })
  await room.reaches(notOut, 'PUBLISHED')
  await room.reaches(later, 'PUBLISHED')
  expect(room.commits('published after the backup')).toBe(1)
  expect(await activeKillSwitches(room.database.databases.system)).toEqual([])
})

test('marks posts that may be published as unconfirmed once after a restore, even if publishing was already paused', async () => {
  const first = await room.start()
  const id = await room.post(5, 'may be out')
  await first.stop({ drain: 1000 })
  await asSystem(room.database.databases.system, (tx) =>
    pausePublishing(tx, { scope: 'all', name: '', reason: 'an incident', since: room.clock.now() }),
  )
  await pretendRestored()
  room.clock.advance({ minutes: 30 })
  const second = await room.start()
  await room.reaches(id, 'UNCONFIRMED')
  expect(second.stats().held).toBe(1)
  expect(await storedNotifications(room.database.owner)).toMatchObject([
    { kind: 'publishing-held', title: 'Publishing is paused' },
  ])
  // a person says that it is to be sent again, and a restart respects that
  await room.database.owner.query("update post set state = 'SCHEDULED', failure = null where id = $1", [id])
  await room.database.owner.query(
    "update delivery set step = 'send', step_at = wanted_at, failure = null where subject_id = $1",
    [id],
  )
  await second.stop({ drain: 1000 })
  await room.start()
  expect(await room.row(id)).toMatchObject({ state: 'SCHEDULED' })
  await resumePublishing(room.database.databases.system, 'all', '')
  room.clock.advance({ minutes: 2 })
  await room.reaches(id, 'PUBLISHED')
  expect(room.commits('may be out')).toBe(1)
})

test('marks posts as unconfirmed after every restore, even if publishing is still paused from the last one', async () => {
  await (await room.start()).stop({ drain: 1000 })
  await pretendRestored()
  await (await room.start()).stop({ drain: 1000 })
  const id = await room.post(0, 'since the first')
  await pretendRestored()
  await room.start()
  await room.reaches(id, 'UNCONFIRMED')
})

test('looks up a post that was about to be sent again, and ignores lookups from before the restore', async () => {
  const platform = scriptedPlatform()
  await (await room.start({ platforms: [platform] })).stop({ drain: 1000 })
  const [again, looked] = [await room.post(-1, 'again'), await room.post(-1, 'looked for once')]
  // as they were when the copy was made: an answer was lost, and the account was read once or twice
  await room.database.owner.query("update post set state = 'UNCONFIRMED' where id = any($1)", [[again, looked]])
  await room.database.owner.query(
    "update delivery set step = 'send', send_key = 'key of again', tries = 1 where subject_id = $1",
    [again],
  )
  await room.database.owner.query(
    "update delivery set step = 'reconcile', send_key = 'key of looked', absent_at = $2 where subject_id = $1",
    [looked, new Date(room.clock.now().getTime() - 300_000)],
  )
  // the other installation sent the first since
  platform.there.push({ key: 'key of again', text: 'again' })
  await pretendRestored()
  await room.start({ platforms: [platform] })
  await room.reaches(again, 'PUBLISHED')
  await until(async () => (await room.row(looked)).absent_at !== null)
  expect((await room.row(looked)).step).toBe('reconcile')
  await resumePublishing(room.database.databases.system, 'all', '')
  room.clock.advance({ minutes: 2 })
  await room.reaches(looked, 'PUBLISHED')
  expect(platform.there.map(({ text }) => text)).toEqual(['again', 'looked for once'])
  expect(platform.asked.filter((line) => line === 'settle looked for once')).toHaveLength(2)
})

test('reports in the metrics that publishing is paused', async () => {
  const publishing = await room.start({ options: { watchdog: 20 } })
  expect(publishing.stats().held).toBe(0)
  await asSystem(room.database.databases.system, (tx) =>
    pausePublishing(tx, { scope: 'platform', name: 'bluesky', reason: 'an incident', since: room.clock.now() }),
  )
  await until(() => publishing.stats().held === 1)
  await resumePublishing(room.database.databases.system, 'platform', 'bluesky')
  await until(() => publishing.stats().held === 0)
})

test('leaves a post without a send key to a person', async () => {
  const first = await room.start()
  const id = await room.post(5, 'without a key')
  await first.stop({ drain: 1000 })
  await pretendRestored()
  room.clock.advance({ minutes: 30 })
  await room.start()
  await room.reaches(id, 'UNCONFIRMED')
  expect(await room.row(id)).toMatchObject({ step: null, failure: { class: 'unknown' } })
})

test('pauses one organization without affecting others', async () => {
  await asSystem(room.database.databases.system, (tx) =>
    pausePublishing(tx, {
      scope: 'organization',
      name: '00000000-0000-4000-8000-000000000000',
      reason: 'someone else',
      since: room.clock.now(),
    }),
  )
  await room.start()
  await room.reaches(await room.post(0, 'free'), 'PUBLISHED')
  await asSystem(room.database.databases.system, (tx) =>
    pausePublishing(tx, { scope: 'organization', name: room.house.orgId, reason: 'this one', since: room.clock.now() }),
  )
  const held = await room.post(0, 'held')
  await until(async () => (await room.row(held)).failure !== null)
  expect(room.commits('held')).toBe(0)
  // true for every pause: an operator's, the one after a restore, the one of an organization that is being deleted
  expect(await room.row(held)).toMatchObject({
    failure: { class: 'paused', code: 'publishing-paused' },
  })
})

test('looks up each follow-up of a live post after a restore, because the other installation may have sent it', async () => {
  const platform = scriptedPlatform({ sendFollowUp: () => new Promise<never>(() => {}) })
  const first = await room.start({ platforms: [platform] })
  const [id = ''] = await room.posts([{ minutes: 0, text: 'one', thread: ['two', 'three'] }])
  await until(() => platform.asked.includes('part two'))
  await first.stop({ drain: 10 })
  const key = String(
    (await room.database.owner.query("select send_key from delivery where subject_id = $1 and subject = 'post'", [id]))
      .rows[0].send_key,
  )
  await pretendRestored()
  const other = scriptedPlatform()
  // what the other one sent since then, under keys derived from the post's
  other.there.push({ key: `${key}/item 1`, text: 'two' })
  await room.start({ platforms: [other] })
  await until(async () => (await room.row(id)).key === 'item 2')
  await resumePublishing(room.database.databases.system, 'all', '')
  await room.passesUntil(async () => (await room.row(id)).step === null)
  expect(other.there.map(({ text }) => text)).toEqual(['two', 'three'])
  expect(other.asked).toEqual(['settlePart two', 'settlePart three', 'settlePart three', 'part three'])
})

function accessToken(): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({})}.${part({ scope: 'com.atproto.access', sub: room.channel.did, exp: 4_102_444_800 })}.simulated`
}
