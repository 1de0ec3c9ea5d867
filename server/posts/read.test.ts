import { expect, it } from 'vitest'
import { getPost } from '#contract/posts.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { postsOn } from '../testing/posts.ts'
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
  // what is not there yet cannot be changed there
  expect(await read()).toBe(false)
  await posts.put(postId, 'PUBLISHED')
  expect(await read()).toBe(takes)
  await app.close()
})
