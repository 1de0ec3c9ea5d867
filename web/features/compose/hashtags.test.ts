import { expect, it } from 'vitest'
import { hashTagsError, hashTagsIn, hashTagWords } from './hashtags.ts'

it('reads hashtags between commas, each once, whatever their case and signs', () => {
  expect(hashTagsIn('#coffee, roastery,, Coffee,\n＃Kaffee ')).toEqual(['coffee', 'roastery', 'Kaffee'])
})

it('says what a group cannot hold', () => {
  expect(hashTagsError([])).toBe('Add at least one hashtag')
  expect(hashTagsError(Array.from({ length: 30 }, (_, i) => `tag${i}`))).toBeUndefined()
  expect(hashTagsError(Array.from({ length: 31 }, (_, i) => `tag${i}`))).toBe('Cannot add more than 30 hashtags')
  expect(hashTagsError(['two words'])).toMatch(/^two words: /)
})

it('puts only those into the text that do not stand there', () => {
  expect(hashTagWords(['coffee', 'tea'], 'Our #Coffee, again')).toBe('#tea')
})
