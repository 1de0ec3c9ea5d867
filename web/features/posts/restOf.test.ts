import { expect, it } from 'vitest'
import { inWords, restOf } from './restOf.ts'

const item = { text: 'A thought', media: [] }
const lost = { status: 'UNCONFIRMED', contents: [item], firstComment: '', additionalDetails: {} } as const

it('is nothing for a single post', () => {
  expect(restOf({ ...lost, contents: [item] })).toEqual([])
})

it("names what won't be sent when a person confirms a lost post", () => {
  expect(inWords(restOf({ ...lost, contents: [item, item], firstComment: 'More' }))).toBe(
    '1 more post of its thread and a first comment',
  )
  expect(inWords(restOf({ ...lost, contents: [item, item, item], additionalDetails: { playlistId: 'p1' } }))).toBe(
    '2 more posts of its thread and a place in a playlist',
  )
})

it('is nothing for a live post, whose follow-ups continue automatically', () => {
  expect(restOf({ ...lost, status: 'PUBLISHED', contents: [item, item], firstComment: 'More' })).toEqual([])
})
