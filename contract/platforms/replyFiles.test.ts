import { describe, expect, it } from 'vitest'
import { mediaErrors } from '../checkMedia.ts'
import { conversationKinds } from '../inbox/terms.ts'
import { inboxRules } from './inboxRegistry.ts'
import { platformRules } from './registry.ts'
import { replyFiles } from './replyFiles.ts'
import { platformKeys } from './rules.ts'

const everyKind = platformKeys.flatMap((platform) => conversationKinds.map((kind) => ({ platform, kind })))
const file = (contentType: string) => ({ contentType, bytes: 20_000, width: 800, height: 800, seconds: 10 })

describe('the files of a reply', () => {
  it.each(everyKind)('to a $kind on $platform are pictures that its posts take, or none', ({ platform, kind }) => {
    const pictures = inboxRules[platform].kinds[kind]?.reply?.pictures ?? 0
    const files = replyFiles(platform, kind, null)
    expect(files?.rules.images.most ?? 0).toBe(pictures)
    if (!files) return
    const post = platformRules[platform].posts.find(({ postType }) => postType === files.postType)
    for (const type of ['image/jpeg', 'image/png', 'image/gif', 'image/heic'])
      expect(mediaErrors(files.rules, file(type), 'media').length > 0).toBe(!post?.images.types.includes(type))
    for (const type of ['video/mp4', 'application/pdf'])
      expect(mediaErrors(files.rules, file(type), 'media')).not.toEqual([])
  })

  it('are limited by the account where it takes fewer or smaller ones, and never more than a reply has', () => {
    const of = (limits: Parameters<typeof replyFiles>[2]) => replyFiles('mastodon', 'comment', limits)?.rules.images
    expect(of({ images: 2, imageBytes: 500, altText: 40 })).toMatchObject({ most: 2, bytes: 500, altText: { max: 40 } })
    expect(of({ images: 16 })).toMatchObject({ most: 4 })
  })
})
