import { expect, it } from 'vitest'
import { inWords, restOf } from './restOf.ts'

const item = { text: 'A thought', media: [] }
const lost = { status: 'UNCONFIRMED', contents: [item], firstComment: '', additionalDetails: {} } as const

it('is nothing for a post of one piece', () => {
  expect(restOf({ ...lost, contents: [item] })).toEqual([])
})

it('names what a person ends by saying that a lost post is there', () => {
  expect(inWords(restOf({ ...lost, contents: [item, item], firstComment: 'More' }))).toBe(
    '1 more post of its thread and a first comment',
  )
  expect(inWords(restOf({ ...lost, contents: [item, item, item], additionalDetails: { playlistId: 'p1' } }))).toBe(
    '2 more posts of its thread and a place in a playlist',
  )
})

it('is nothing for a live post, whose rest goes on by itself', () => {
  expect(restOf({ ...lost, status: 'PUBLISHED', contents: [item, item], firstComment: 'More' })).toEqual([])
})
