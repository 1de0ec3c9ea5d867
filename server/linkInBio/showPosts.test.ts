import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AdditionalDetails } from '#contract/content.ts'
import { BIO } from '#contract/linkInBio/limits.ts'
import * as contract from '#contract/linkInBio/pages.ts'
import { editPost, getPost, reschedulePost } from '#contract/posts.ts'
import { submitPost } from '#contract/submit.ts'
import { composeJobs } from '../composeJobs.ts'
import { contentOn, drawPicture, testPlatform } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome } from '../testing/people.ts'
import { at, postsOn, TOMORROW } from '../testing/posts.ts'
import { runJobs } from '../testing/runJobs.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'

/* Posts that come to a page by themselves when they're published, and pictures of posts that were published elsewhere. */

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let home: TestHome
let channel: string
let pageId: string
const asked: string[] = []
beforeAll(async () => {
  const picture = await drawPicture({ width: 900, height: 700, type: 'jpeg' })
  app = await startApp({
    platforms: { bluesky: testPlatform() },
    fetch: async (url) => {
      asked.push(url)
      const isGone = url.endsWith('gone.jpg')
      return {
        kind: 'answer',
        status: isGone ? 404 : 200,
        headers: {},
        url,
        body: isGone ? Buffer.alloc(0) : picture,
      }
    },
  })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())
let made = 0
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  channel = await content.channel(home)
  const body = { name: 'Rooks', slug: `shown-${++made}` }
  ;({ pageId } = await app.call(contract.createBioPage, { params: home.params, body }, { as: home.person }))
})

const jobs = () => composeJobs(app.parts).filter(({ name }) => name.startsWith('linkInBio.'))
const items = async (id = pageId) =>
  (await app.call(contract.getBioPage, { params: { ...home.params, pageId: id } }, { as: home.person })).items
const submit = (channelIds: readonly string[], bioLink: AdditionalDetails['bioLink'], text = 'New shoes') => ({
  params: home.params,
  body: {
    intent: 'SCHEDULE' as const,
    channels: channelIds.map((channelId) => ({
      channelId,
      postType: 'post' as const,
      contents: [{ text, media: [] }],
      additionalDetails: bioLink ? { bioLink } : {},
    })),
    schedule: TOMORROW,
  },
})
const compose = async (channelIds: readonly string[], bioLink: AdditionalDetails['bioLink'], text?: string) =>
  (await app.call(submitPost, submit(channelIds, bioLink, text), { as: home.person })).posts.map(({ postId }) => postId)
const publish = async (...postIds: string[]) => {
  for (const postId of postIds) await posts.put(postId, 'PUBLISHED')
  await runJobs(app, jobs())
}
const bioLink = () => ({ pageId, url: 'https://shop.example/shoes' })

describe('a post that asks for a place on a page', () => {
  it('is there once it is published, with its link', async () => {
    const [postId = ''] = await compose([channel], bioLink())
    expect(
      (await app.call(getPost, { params: { ...home.params, postId } }, { as: home.person })).additionalDetails,
    ).toEqual({
      bioLink: bioLink(),
    })
    await runJobs(app, jobs())
    expect(await items()).toEqual([])
    await publish(postId)
    expect(await items()).toMatchObject([
      { number: 1, kind: 'post', label: 'New shoes', url: 'https://shop.example/shoes', post: { postId } },
    ])
    // published again, after it was deleted and restored: it isn't there twice
    await posts.put(postId, 'DELETED')
    await publish(postId)
    expect(await items()).toHaveLength(1)
  })

  it('is there once for all channels of a submit, before older ones', async () => {
    const both = [channel, await content.channel(home)]
    await publish(...(await compose(both, bioLink(), 'First')))
    await publish(...(await compose(both, bioLink(), 'Second')))
    expect((await items()).map(({ number, label }) => [number, label])).toEqual([
      [2, 'Second'],
      [1, 'First'],
    ])
  })

  it('takes the place of the last one in a full grid', async () => {
    const ids = await compose([channel], bioLink(), 'Newest')
    let left = ''
    for (let i = 0; i < BIO.posts; i += 1) {
      const postId = await figuresOn(app.database).elsewhere(home, channel, '2026-11-01T10:00:00Z')
      left = `${home.orgId}/${postId}`
      await app.database.owner.query(
        "insert into bio_item (org_id, page_id, number, kind, position, label, url, post_id, picture_key) values ($1, $2, $3, 'post', $3, $4, 'https://a.example/', $5, $6)",
        [home.orgId, pageId, i + 1, `Old ${i + 1}`, postId, left],
      )
    }
    await app.parts.media.put(left, Buffer.from('picture'))
    await app.database.owner.query('update bio_page set next_number = 100 where id = $1', [pageId])
    await publish(...ids)
    const labels = (await items()).map(({ label }) => label)
    expect([labels.length, labels[0], labels.at(-1)]).toEqual([BIO.posts, 'Newest', 'Old 59'])
    // its picture isn't kept
    await runJobs(app, jobs())
    await expect(app.parts.media.read(left)).rejects.toThrow(/ENOENT|no such|does not exist/i)
  })

  it.each([
    [
      'a page that was deleted meanwhile',
      async () => void (await app.database.owner.query('delete from bio_page where id = $1', [pageId])),
    ],
    [
      'what the database has garbled',
      async () =>
        void (await app.database.owner.query(
          `update post set details = '{"bioLink": {"pageId": 3}}' where org_id = $1`,
          [home.orgId],
        )),
    ],
  ])('is published without a place on %s', async (_, spoil) => {
    const [postId = ''] = await compose([channel], bioLink())
    await spoil()
    await publish(postId)
    expect(await posts.row(postId)).toMatchObject({ state: 'PUBLISHED' })
    expect((await app.database.owner.query('select from bio_item where post_id = $1', [postId])).rows).toEqual([])
  })

  it('is refused for a page of someone else, and for a link that is none', async () => {
    const other = await app.signedInOwner()
    const body = { name: 'Theirs', slug: `theirs-${++made}` }
    const theirs = await app.call(contract.createBioPage, { params: other.params, body }, { as: other.person })
    const send = (link: { pageId: string; url: string }) =>
      app.send(submitPost, submit([channel], link), { as: home.person })
    expect((await send({ ...bioLink(), pageId: theirs.pageId })).json()).toMatchObject({
      code: 'POST_REFUSED',
      errors: { 'channels.0.additionalDetails.bioLink': ['This link in bio page no longer exists.'] },
    })
    expect((await send({ ...bioLink(), url: 'javascript:alert(1)' })).json()).toMatchObject({
      code: 'POST_REFUSED',
      errors: { 'channels.0.additionalDetails.bioLink': ['enter the link of the post on your link in bio page'] },
    })
    expect((await send({ ...bioLink(), url: `${app.parts.env.publicUrl}/s/abcdefg` })).json()).toMatchObject({
      code: 'POST_REFUSED',
      errors: { 'channels.0.additionalDetails.bioLink': [expect.stringContaining('leads on through Rookery')] },
    })
  })

  it('can still be moved when its page is gone, and changed once it asks for none', async () => {
    const [postId = ''] = await compose([channel], bioLink())
    await app.call(contract.deleteBioPage, { params: { ...home.params, pageId } }, { as: home.person })
    const params = { ...home.params, postId }
    const schedule = at('2026-11-25T12:00:00.000Z')
    await app.call(reschedulePost, { params, body: { schedule } }, { as: home.person })
    const { version } = await app.call(getPost, { params }, { as: home.person })
    const edit = (url: string | null) =>
      app.call(
        editPost,
        {
          params,
          body: {
            version,
            scope: 'this',
            contents: [{ text: 'Other', media: [] }],
            additionalDetails: url === null ? {} : { bioLink: { pageId, url } },
          },
        },
        { as: home.person },
      )
    await expect(edit('https://other.example/')).rejects.toMatchObject({ code: 'POST_REFUSED' })
    await edit(null)
    await publish(postId)
    expect(await posts.row(postId)).toMatchObject({ state: 'PUBLISHED', details: {} })
  })
})

describe('the picture of a post published elsewhere', () => {
  const rows = async () =>
    (
      await app.database.owner.query<{ number: number; picture_key: string | null }>(
        'select number, picture_key from bio_item where page_id = $1 order by number',
        [pageId],
      )
    ).rows
  const add = (postId: string) =>
    app.call(
      contract.addPostToBioPage,
      { params: { ...home.params, pageId }, body: { postId, url: 'https://a.example/' } },
      { as: home.person },
    )

  it('is copied once, and goes with its item', async () => {
    const postId = await figuresOn(app.database).elsewhere(home, channel, '2026-11-01T10:00:00Z')
    await add(postId)
    await runJobs(app, jobs())
    const key = (await rows())[0]?.picture_key ?? ''
    expect((await app.parts.media.read(key)).subarray(8, 12)).toEqual(Buffer.from('WEBP'))
    const before = asked.length
    await add(
      await figuresOn(app.database).elsewhere(home, channel, '2026-11-02T10:00:00Z', { remoteId: `${made}-gone` }),
    )
    await runJobs(app, jobs())
    expect(asked.slice(before)).toEqual([`https://platform.example/${made}-gone.jpg`])
    expect((await rows()).map((row) => row.picture_key)).toEqual([key, null])
    await app.call(
      contract.saveBioPage,
      {
        params: { ...home.params, pageId },
        body: { version: 1, name: 'Rooks', theme: 'paper', live: true, items: [], removed: [1] },
      },
      { as: home.person },
    )
    await runJobs(app, jobs())
    await expect(app.parts.media.read(key)).rejects.toThrow(/ENOENT|does not exist/)
  })
})
