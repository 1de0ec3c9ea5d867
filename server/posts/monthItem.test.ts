import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saveDraft } from '#contract/drafts.ts'
import { listPosts, rowsOf, type PostRow } from '#contract/postLists.ts'
import { submitPost } from '#contract/submit.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { at, draftBody, NOW, postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

/* Posts are stored as items of the month (functions/month_item.sql): the month shows what the full list shows. */

const RANGE = { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' }
let app: TestApp
let home: TestHome
let owner: TestApp['database']['owner']
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  owner = app.database.owner
  await everyKind()
})
afterAll(() => app.close())

async function everyKind(): Promise<void> {
  const [content, posts] = [contentOn(app.parts), postsOn(app, app.database)]
  const [one, two] = [await content.channel(home), await content.channel(home)]
  const asset = await content.picture(home)
  const published = await posts.post(home, one, { text: 'Live', schedule: NOW, media: [{ assetId: asset }] })
  await posts.put(published, 'PUBLISHED')
  // published a moment after it was due
  await owner.query("update post set shown_at = shown_at + interval '2.345 seconds' where id = $1", [published])
  const failed = await posts.post(home, two, { text: 'Failed with a "quote", a \\ and\na line' })
  await posts.put(failed, 'FAILED')
  await posts.post(home, one, { text: 'Elsewhere', schedule: at('2026-11-24T09:00:00.000Z', 'America/New_York') })
  await posts.post(home, two, { text: `Longer than forty characters ${'🐦'.repeat(40)}` })
  const seconds = await posts.post(home, two, { text: 'Due with a fraction of a second' })
  await owner.query("update post set due_at = due_at + interval '1.5 seconds' where id = $1", [seconds])
  const utc = ['2026-11-25T09:00:00.000Z', '2026-11-26T09:00:00.000Z']
  await app.call(
    submitPost,
    {
      params: home.params,
      body: {
        intent: 'SCHEDULE',
        channels: [{ channelId: one, postType: 'post', contents: [{ text: 'In a series', media: [] }] }],
        schedule: { type: 'RECURRING_CUSTOM', details: { utc, timezone: 'Europe/London' } },
      },
    },
    { as: home.person },
  )
  for (const channelIds of [[two, one], []])
    await app.call(
      saveDraft,
      {
        params: { ...home.params, postId: randomUUID() },
        body: { version: 0, draft: draftBody({ text: `For ${channelIds.length}`, channelIds }) },
      },
      { as: home.person },
    )
}

const rows = async (view?: 'month'): Promise<PostRow[]> =>
  rowsOf(
    await app.call(listPosts, { params: home.params, query: { ...RANGE, ...(view && { view }) } }, { as: home.person }),
  )
const inSeconds = (time: string | null) => time && time.replace(/\.\d+Z$/, '.000Z')
/** By code points, as PostgreSQL counts. */
function cut(text: string): string {
  const points = Array.from(text)
  return points.length > 40 ? `${points.slice(0, 39).join('')}…` : text
}

/** What the month shows of a post in the full list. */
const inMonth = (post: PostRow) => ({
  postId: post.postId,
  status: post.status,
  at: post.status === 'PUBLISHED' ? inSeconds(post.at) : post.at,
  dueAt: post.status === 'PUBLISHED' ? inSeconds(post.at) : post.dueAt,
  timezone: post.timezone,
  excerpt: cut(post.excerpt),
  images: post.images,
  version: post.images > 0 ? post.version : 1,
  channel: post.channel,
  draftChannels: post.draftChannels,
  series: post.series,
  failure: post.failure,
})

describe('the month', () => {
  it('shows the same posts as the full list, of every kind', async () => {
    const [month, full] = [await rows('month'), await rows()]
    expect(full).toHaveLength(9)
    expect(month).toEqual(full.map((post) => expect.objectContaining(inMonth(post))))
  })

  it('shows the same when nothing is stored yet, as after an update', async () => {
    const before = await rows('month')
    await owner.query('alter table post disable trigger write_month_item')
    await owner.query('update post set month_item = null')
    await owner.query('alter table post enable trigger write_month_item')
    expect(await rows('month')).toEqual(before)
    await owner.query('update post set version = version')
    const { rows: missing } = await owner.query('select from post where month_item is null')
    expect(missing).toEqual([])
  })
})
