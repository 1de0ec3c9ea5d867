import { expect, it } from 'vitest'
import { figuresInShort, figuresText } from './figuresInShort.ts'

it('says what the platform reports, in few words, and leaves out what it doesn’t', () => {
  expect(figuresText({ views: 12_400, reactions: 34, comments: 1, clicks: 0, saves: 9 })).toBe(
    '12.4K views, 34 reactions, 1 comment, 0 clicks',
  )
  expect(figuresText({ impressions: 1, reactions: 1 })).toBe('1 impression, 1 reaction')
  expect(figuresText({ reactions: 2, comments: 1 }, 'mastodon')).toBe('2 favorites, 1 reply')
  expect(figuresText({})).toBe('')
  expect(figuresInShort({ comments: 0 })).toEqual([{ name: 'comments', label: 'Comments', value: 0, text: '0' }])
})
