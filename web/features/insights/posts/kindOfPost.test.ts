import { describe, expect, it } from 'vitest'
import { kindOfPost } from './kindOfPost.ts'

describe('the mark of a post without a picture', () => {
  it.each([
    [{ postType: 'reel', media: null }, 'video'],
    [{ postType: 'shorts', media: 'video' }, 'video'],
    [{ postType: 'story', media: 'picture' }, 'story'],
    [{ postType: 'pin', media: 'picture' }, 'picture'],
    [{ postType: 'pin', media: 'video' }, 'video'],
    [{ postType: 'post', media: 'video' }, 'video'],
    [{ postType: 'post', media: 'mixed' }, 'pictures'],
    [{ postType: 'post', media: 'document' }, 'document'],
    [{ postType: 'post', media: 'text' }, 'text'],
    // published elsewhere: nobody knows
    [{ postType: 'post', media: null }, 'post'],
  ] as const)('of %o is that of its kind: %s', (post, kind) => {
    expect(kindOfPost(post)).toBe(kind)
  })
})
