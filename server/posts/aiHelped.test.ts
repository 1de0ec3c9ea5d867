import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { saveDraft } from '#contract/drafts.ts'
import { editPost, getPost } from '#contract/posts.ts'
import { submitPost } from '#contract/submit.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { draftBody, postsOn, TOMORROW } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let home: TestHome

beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
})

const helped = async (postId: string) =>
  (await app.call(getPost, { params: { ...home.params, postId } }, { as: home.person })).timeline.flatMap(
    ({ kind, by, note }) => (kind === 'ai' ? [{ by, note }] : []),
  )

it('is noted in the timeline of the posts whose text it helped with, and of no others', async () => {
  const [a, b] = [await content.channel(home), await content.channel(home)]
  const contents = [{ text: 'Hello', media: [] }]
  const { posts } = await app.call(
    submitPost,
    {
      params: home.params,
      body: {
        intent: 'SCHEDULE',
        channels: [
          { channelId: a, postType: 'post', contents, aiHelp: ['hashtags', 'shorten', 'shorten'] },
          { channelId: b, postType: 'post', contents },
        ],
        schedule: TOMORROW,
      },
    },
    { as: home.person },
  )
  expect(await helped(posts[0]?.postId ?? '')).toEqual([
    { by: 'Olive Owner', note: 'AI shortened the text, found hashtags.' },
  ])
  expect(await helped(posts[1]?.postId ?? '')).toEqual([])
})

it('is noted in the timeline of an edited post', async () => {
  const postId = await postsOn(app, app.database).post(home, await content.channel(home))
  const { version } = await app.call(getPost, { params: { ...home.params, postId } }, { as: home.person })
  await app.call(
    editPost,
    {
      params: { ...home.params, postId },
      body: { version, contents: [{ text: 'Other words', media: [] }], aiHelp: ['write'] },
    },
    { as: home.person },
  )
  expect(await helped(postId)).toEqual([{ by: 'Olive Owner', note: 'AI wrote the text.' }])
})

it('is noted once for a draft, however often it is saved', async () => {
  const channelId = await content.channel(home)
  const params = { ...home.params, postId: randomUUID() }
  const save = (version: number, draft: ReturnType<typeof draftBody>) =>
    app.call(saveDraft, { params, body: { version, draft } }, { as: home.person })
  await save(0, draftBody({ aiHelp: ['write'] }))
  await save(1, draftBody({ aiHelp: ['write'], text: 'Changed by hand' }))
  await save(
    2,
    draftBody({ aiHelp: ['write'], channelIds: [channelId], variants: { [channelId]: { aiHelp: ['adapt'] } } }),
  )
  expect((await helped(params.postId)).map(({ note }) => note)).toEqual([
    'AI wrote the text.',
    'AI adapted the text to the channel.',
  ])
})
