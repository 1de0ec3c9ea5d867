import { expect, it } from 'vitest'
import { getPost } from '#contract/posts.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { postsOn } from '../testing/posts.ts'
import { countRoundTrips } from '../testing/roundTrips.ts'
import { startApp } from '../testing/startApp.ts'

it.each([[true], [false]])('a published post says whether its platform takes changes: %s', async (takes) => {
  const platform = testPlatform()
  const app = await startApp({
    platforms: {
      bluesky: takes
        ? { ...platform, publish: { ...platform.publish, edit: async () => ({ kind: 'edited', remoteId: 'x' }) } }
        : platform,
    },
  })
  const home = await app.signedInOwner()
  const posts = postsOn(app, app.database)
  const postId = await posts.post(home, await contentOn(app.parts).channel(home))
  const read = async () =>
    (await app.call(getPost, { params: { ...home.params, postId } }, { as: home.person })).changesThere
  // what doesn't exist yet can't be changed there
  expect(await read()).toBe(false)
  await posts.put(postId, 'PUBLISHED')
  expect(await read()).toBe(takes)
  await app.close()
})

it('reads a post in one round trip to the database', async () => {
  const app = await startApp({ platforms: { bluesky: testPlatform() } })
  const home = await app.signedInOwner()
  const content = contentOn(app.parts)
  const postId = await postsOn(app, app.database).post(home, await content.channel(home), {
    media: [{ assetId: await content.picture(home) }],
  })
  const roundTrips = countRoundTrips(app.parts.databases.web)
  const trips = []
  for (let i = 0; i < 3; i++) {
    const post = await app.call(getPost, { params: { ...home.params, postId } }, { as: home.person })
    expect(post).toMatchObject({ contents: [{ media: [{ width: expect.any(Number) }] }], timeline: [{}, {}] })
    trips.push(roundTrips())
  }
  expect(trips).toEqual([1, 1, 1])
  await app.close()
})

it('shows a post whose stored schedule lacks its time with the time that the post has', async () => {
  const app = await startApp({ platforms: { bluesky: testPlatform() } })
  const home = await app.signedInOwner()
  const postId = await postsOn(app, app.database).post(home, await contentOn(app.parts).channel(home))
  const read = () => app.call(getPost, { params: { ...home.params, postId } }, { as: home.person })
  for (const type of ['ONCE', 'RECURRING_WEEKLY']) {
    await app.database.owner.query('update post set schedule = $1 where id = $2', [{ type }, postId])
    const { schedule, at, timezone } = await read()
    expect(schedule).toEqual({ type: 'ONCE', details: { utc: at, timezone } })
  }
  await app.close()
})
