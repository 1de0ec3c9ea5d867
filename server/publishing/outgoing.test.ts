import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { postErrors } from '#contract/checkPost.ts'
import { rulesFor } from '#contract/platforms/registry.ts'
import { submitPost } from '#contract/submit.ts'
import { shortCodes } from '../links/codes.ts'
import { openMedia } from '../media/open.ts'
import type { MediaFile } from '../platforms/platform.ts'
import { contentOn } from '../testing/content.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import type { LoadedPost } from './loaded.ts'
import { buildOutgoing, outgoingOf } from './outgoing.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

it('sends the text that was counted, without spaces around texts, titles and comments', async () => {
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
  const { rows } = await app.database.owner.query<LoadedPost>('select * from post where id = $1', [posts[0]?.postId])
  const post =
    rows[0] &&
    (await buildOutgoing(
      { orgId: home.orgId, postId: posts[0]?.postId ?? '', platform: 'bluesky', post: { ...rows[0], progress: {} } },
      openMedia(app.parts.databases.background, app.parts.media),
      shortCodes(app.parts.databases.background, app.clock),
    ))
  expect(post?.contents.map((item) => item.text)).toEqual([text, 'more'])
  expect(post?.firstComment).toBe(text)
})

const text = fc.string({ maxLength: 320, unit: fc.constantFrom(' ', '\n', 'a', 'é', '👩‍👧') })
const content = fc.record(
  {
    title: text,
    text,
    media: fc.array(
      fc.record({ assetId: fc.constantFrom('one', 'two'), altText: text }, { requiredKeys: ['assetId'] }),
      {
        maxLength: 2,
      },
    ),
  },
  { requiredKeys: ['text', 'media'] },
)
const file = (assetId: string): MediaFile => ({
  assetId,
  fileName: `${assetId}.png`,
  contentType: 'image/png',
  bytes: 1,
  width: 1,
  height: 1,
  seconds: null,
  altText: `of ${assetId}`,
  read: () => Promise.resolve(new Uint8Array()),
  async *stream() {},
  url: () => null,
})

it('sends what was checked: the same texts and every file with its alt text, or nothing if a file is gone', () => {
  const rules = rulesFor('bluesky', 'post')
  if (!rules) throw new Error('Bluesky has rules')
  const errorsOf = (texts: readonly string[]) =>
    postErrors(
      rules,
      texts.map((one) => ({ text: one, media: [] })),
    )
  fc.assert(
    fc.property(
      fc.array(content, { minLength: 1, maxLength: 3 }),
      fc.subarray(['one', 'two']),
      fc.constantFrom(undefined, ''),
      text,
      (contents, kept, altText, firstComment) => {
        const sent = outgoingOf(
          {
            postId: 'p',
            postType: 'post',
            contents,
            details: {},
            firstComment,
            createdAt: new Date(0),
            sendKey: '',
            progress: {},
            ...(altText !== undefined && { altText }),
          },
          new Map(kept.map((id) => [id, file(id)])),
        )
        const isWhole = contents.every(({ media }) => media.every(({ assetId }) => kept.includes(assetId)))
        expect(sent !== undefined).toBe(isWhole)
        if (!sent) return
        expect(sent.contents.map((one) => one.media.map(({ assetId, altText: words }) => [assetId, words]))).toEqual(
          contents.map((one) =>
            one.media.map(({ assetId, altText: own }) => [assetId, own ?? altText ?? `of ${assetId}`]),
          ),
        )
        expect(errorsOf(sent.contents.map((one) => one.text))).toEqual(errorsOf(contents.map((one) => one.text)))
      },
    ),
  )
})
