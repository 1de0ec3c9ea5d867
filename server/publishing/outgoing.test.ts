import { afterAll, beforeAll, expect, it } from 'vitest'
import { submitPost } from '#contract/submit.ts'
import { openMedia } from '../media/open.ts'
import { contentOn } from '../testing/content.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import type { Going } from './claim.ts'
import { buildOutgoing } from './outgoing.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

it('says what was counted: blanks around texts, titles and comments are not sent', async () => {
  const home = await app.signedInOwner()
  const channelId = await contentOn(app.parts).channel(home)
  const text = 'a'.repeat(300)
  const body = {
    intent: 'SCHEDULE' as const,
    channels: [
      {
        channelId,
        postType: 'post' as const,
        contents: [
          { text: `\n ${text} \n`, media: [] },
          { text: ' more ', media: [] },
        ],
        firstComment: ` ${text} `,
      },
    ],
    schedule: { type: 'ONCE' as const, details: { utc: '2026-11-22T09:30:00.000Z', timezone: 'Europe/London' } },
  }
  const { posts } = await app.call(submitPost, { params: home.params, body }, { as: home.person })
  const { rows } = await app.database.owner.query<Going>('select p.*, p.id as post_id from post p where id = $1', [
    posts[0]?.postId,
  ])
  const post = rows[0] && (await buildOutgoing(rows[0], openMedia(app.parts.databases.background, app.parts.media)))
  expect(post?.contents.map((item) => item.text)).toEqual([text, 'more'])
  expect(post?.firstComment).toBe(text)
})
