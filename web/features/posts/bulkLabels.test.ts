import { describe, expect, it } from 'vitest'
import { carriedBy, takingBack } from './bulkLabels.ts'

const label = (labelId: string) => ({ labelId, labelName: labelId, color: 'blue' as const })
const posts = [
  { postId: '1', labels: [label('a')] },
  { postId: '2', labels: [label('b')] },
  { postId: '3', labels: [] },
]

describe('labels of many posts', () => {
  it('are on all, some or none', () => {
    expect(carriedBy(posts, 'a')).toBe('some')
    expect(carriedBy(posts, 'c')).toBe('none')
    expect(carriedBy(posts.slice(0, 1), 'a')).toBe('all')
  })

  it('are undone without touching what a post had before', () => {
    expect(takingBack(posts, { add: ['a'], remove: ['b'] })).toEqual([
      { postIds: ['2'], add: ['b'], remove: ['a'] },
      { postIds: ['3'], add: [], remove: ['a'] },
    ])
  })
})
