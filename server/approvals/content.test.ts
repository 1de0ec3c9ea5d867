import { describe, expect, it } from 'vitest'
import { changesBetween } from '../workflows/changes.ts'
import { contentHash, keptContent, type Content } from './content.ts'

const post = (more: Partial<Content> = {}): Content => ({
  contents: [{ text: 'Hello', media: [{ assetId: '01920000-0000-7000-8000-000000000001', altText: 'A cat' }] }],
  details: { privacy: 'public', madeForKids: false },
  first_comment: '',
  mentions: [],
  channel_id: '01920000-0000-7000-8000-00000000000c',
  post_type: 'post',
  ...more,
})

describe("a content's hash", () => {
  it("doesn't depend on the order in which a database keeps its keys", () => {
    const other = post({
      contents: [{ media: [{ altText: 'A cat', assetId: '01920000-0000-7000-8000-000000000001' }], text: 'Hello' }],
      details: { madeForKids: false, privacy: 'public' },
    })
    expect(contentHash(other)).toEqual(contentHash(post()))
  })

  it.each<[string, Partial<Content>]>([
    ['text', { contents: [{ text: 'Hello ', media: [] }] }],
    [
      'order of files',
      {
        contents: [
          { text: 'Hello', media: [] },
          { text: '', media: [] },
        ],
      },
    ],
    ['details', { details: { privacy: 'private', madeForKids: false } }],
    ['first comment', { first_comment: 'First' }],
    ['mentions', { mentions: [{ userId: 'u', name: 'U' }] }],
    ['channel', { channel_id: null }],
    ['post type', { post_type: 'reel' }],
  ])('changes with the %s', (_, more) => {
    expect(contentHash(post(more))).not.toEqual(contentHash(post()))
  })
})

describe('what changed', () => {
  it('is listed field by field', () => {
    const names = new Map([['01920000-0000-7000-8000-000000000001', 'cat.png']])
    const after = keptContent(
      post({
        contents: [
          { text: 'Hello there', media: [] },
          { text: 'More', media: [] },
        ],
        details: { privacy: 'private', madeForKids: true },
        first_comment: 'First',
      }),
    )
    expect(changesBetween(keptContent(post()), after, names)).toEqual([
      { field: 'Text', before: 'Hello', after: 'Hello there' },
      { field: 'Files', before: 'cat.png: A cat', after: '' },
      { field: 'First comment', before: '', after: 'First' },
      { field: 'Privacy', before: 'public', after: 'private' },
      { field: 'Made for kids', before: 'No', after: 'Yes' },
      { field: 'Text of part 2', before: '', after: 'More' },
    ])
  })

  it('is empty if nothing differs', () => {
    expect(changesBetween(keptContent(post()), keptContent(post()), new Map())).toBeNull()
  })
})
