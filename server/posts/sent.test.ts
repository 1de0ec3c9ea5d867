import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectBluesky, disableChannel, enableChannel } from '#contract/channels.ts'
import { shownOnBluesky } from '#contract/platforms/blueskySpans.ts'
import { deletePost, editPost, getPost, reschedulePost } from '#contract/posts.ts'
import { submitPost } from '#contract/submit.ts'
import { systemClock } from '../clock.ts'
import { openMedia } from '../media/open.ts'
import { createNotification } from '../notifications/create.ts'
import { composePlatforms } from '../platforms/registry.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { startPublishing, type Publishing } from '../publishing/start.ts'
import { isAsApproved } from '../approvals/guard.ts'
import { contentOn } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { startBlueskySimulator, type Simulator } from '../simulators/bluesky/start.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'

/* Actions and the engine together: the real adapter, against the simulator, by the real clock. */

let simulator: Simulator
let app: TestApp
let publishing: Publishing
let home: TestHome
let channelId: string
let accounts = 0

beforeAll(async () => {
  simulator = await startBlueskySimulator()
  const fetch = createSafeFetch({ allow: [simulator.allow] })
  const platforms = composePlatforms({ plcDirectory: simulator.origin })
  app = await startApp({
    fetch,
    env: { OUTGOING_ALLOW: simulator.allow },
    parts: (own) => ({ ...own, clock: systemClock, platforms }),
  })
  const { databases, secrets, media, log } = app.parts
  publishing = await startPublishing({
    isAsApproved,
    databases,
    clock: systemClock,
    platforms: [platforms('bluesky')].flatMap((platform) => platform ?? []),
    secrets,
    media: openMedia(databases.background, media),
    fetch,
    notify: createNotification,
    log,
    options: { poll: 50 },
  })
})
afterAll(async () => {
  await publishing.stop({ drain: 5000 })
  await app.close()
  await simulator.stop()
})
beforeEach(async () => {
  home = await app.signedInOwner()
  // a plan without the trial's cap of ten
  await app.database.owner.query("update plan set status = 'ACTIVE' where org_id = $1", [home.orgId])
  channelId = await connect()
})

async function connect(): Promise<string> {
  accounts += 1
  const body = { handle: `rook${accounts}.sim.test`, appPassword: 'abcd-efgh-ijkl-mnop', service: simulator.origin }
  return (await app.call(connectBluesky, { params: home.params, body }, { as: home.person })).channel.channelId
}

const publish = async (text: string, channel = channelId, media: { assetId: string; altText?: string }[] = []) => {
  const reply = await app.call(
    submitPost,
    {
      params: home.params,
      body: {
        intent: 'PUBLISH',
        channels: [{ channelId: channel, postType: 'post', contents: [{ text, media }] }],
        schedule: { type: 'NOW' },
      },
    },
    { as: home.person },
  )
  return reply.posts[0]?.postId ?? ''
}
const read = (postId: string) => app.call(getPost, { params: { ...home.params, postId } }, { as: home.person })
const settled = (postId: string) =>
  until(async () => {
    const post = await read(postId)
    return !['SCHEDULED', 'PROCESSING'].includes(post.status) && post
  })
// links are shown shortened there
const sentTimes = (text: string) => simulator.ledger.filter((entry) => entry.text === shownOnBluesky(text).text).length

it('makes a post that is published now live a moment later, with its permalink and timeline', async () => {
  const content = contentOn(app.parts)
  const text = `The rooks are back, https://rooks.example #rooks ${home.orgId}`
  const postId = await publish(text, channelId, [{ assetId: await content.picture(home), altText: 'A rook on an elm' }])
  const post = await settled(postId)
  expect(post).toMatchObject({
    status: 'PUBLISHED',
    failure: null,
    objectId: expect.stringContaining('app.bsky.feed.post'),
    permalink: expect.stringMatching(/^https:\/\/bsky\.app\/profile\//),
  })
  expect(post.timeline.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['created', 'scheduled', 'sent', 'confirmed']),
  )
  expect(sentTimes(text)).toBe(1)
})

it("publishes nothing on a disabled channel until it's enabled again, while others continue", async () => {
  await app.call(disableChannel, { params: { ...home.params, channelId } }, { as: home.person })
  const other = await connect()
  await expect(publish('not now')).rejects.toMatchObject({ code: 'POST_REFUSED' })
  const first = await publish(`elsewhere ${home.orgId}`, other)
  expect((await settled(first)).status).toBe('PUBLISHED')
  await app.call(enableChannel, { params: { ...home.params, channelId }, body: {} }, { as: home.person })
  expect((await settled(await publish(`and now ${home.orgId}`))).status).toBe('PUBLISHED')
})

it('deletes a published post on the platform when the person asks for it', async () => {
  const postId = await publish(`short-lived ${home.orgId}`)
  await settled(postId)
  await app.call(deletePost, { params: { ...home.params, postId }, query: { platform: 'delete' } }, { as: home.person })
  expect(await read(postId)).toMatchObject({ status: 'DELETED', permalink: null, objectId: null })
  expect(simulator.calls.get('com.atproto.repo.deleteRecord')).toBe(1)
})

describe('people and the engine acting on one post at once', () => {
  const texts = Array.from({ length: 25 }, (_, i) => `contested ${i}`)

  it('either delete or send it, never both', async () => {
    const ids = await Promise.all(texts.map((text) => publish(`${text} deleted ${home.orgId}`)))
    const outcomes = await Promise.allSettled(
      ids.map((postId) => app.call(deletePost, { params: { ...home.params, postId } }, { as: home.person })),
    )
    for (const [i, postId] of ids.entries()) {
      const post = await settled(postId)
      const times = sentTimes(`${texts[i]} deleted ${home.orgId}`)
      expect(times).toBeLessThanOrEqual(1)
      const outcome = outcomes[i]
      // refused while it was being sent; or deleted, before or after
      if (outcome?.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'POST_LOCKED' })
      expect(post.status).toBe(outcome?.status === 'rejected' ? 'PUBLISHED' : 'DELETED')
      if (post.status === 'DELETED') expect(times).toBe(post.timeline.some(({ kind }) => kind === 'sent') ? 1 : 0)
    }
  })

  it('publish the text that was stored last', async () => {
    const ids = await Promise.all(texts.map((text) => publish(`${text} first ${home.orgId}`)))
    const outcomes = await Promise.allSettled(
      ids.map((postId, i) =>
        app.call(
          editPost,
          {
            params: { ...home.params, postId },
            body: { version: 1, contents: [{ text: `${texts[i]} second ${home.orgId}`, media: [] }] },
          },
          { as: home.person },
        ),
      ),
    )
    for (const [i, postId] of ids.entries()) {
      const post = await settled(postId)
      expect(post.status).toBe('PUBLISHED')
      const [first, second] = [
        sentTimes(`${texts[i]} first ${home.orgId}`),
        sentTimes(`${texts[i]} second ${home.orgId}`),
      ]
      expect([first, second]).toEqual(outcomes[i]?.status === 'fulfilled' ? [0, 1] : [1, 0])
    }
  })

  it("don't send it if it was rescheduled just in time", async () => {
    const ids = await Promise.all(texts.map((text) => publish(`${text} moved ${home.orgId}`)))
    const later = {
      type: 'ONCE',
      details: { utc: new Date(systemClock.now().getTime() + 86_400_000).toISOString(), timezone: 'Europe/London' },
    } as const
    const outcomes = await Promise.allSettled(
      ids.map((postId) =>
        app.call(
          reschedulePost,
          { params: { ...home.params, postId }, body: { schedule: later } },
          { as: home.person },
        ),
      ),
    )
    for (const [i, postId] of ids.entries()) {
      const moved = outcomes[i]?.status === 'fulfilled'
      const post = moved ? await read(postId) : await settled(postId)
      expect([post.status, sentTimes(`${texts[i]} moved ${home.orgId}`)]).toEqual(
        moved ? ['SCHEDULED', 0] : ['PUBLISHED', 1],
      )
    }
  })
})
