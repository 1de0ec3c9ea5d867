import { expect, it } from 'vitest'
import { hashTagsError, hashTagsIn, hashTagWords } from './hashtags.ts'

it('are read between commas, once each, ignoring case and #', () => {
  expect(hashTagsIn('#coffee, roastery,, Coffee,\n＃Kaffee ')).toEqual(['coffee', 'roastery', 'Kaffee'])
})

it("are refused with the reason if a group can't have them", () => {
  expect(hashTagsError([])).toBe('Add at least one hashtag')
  expect(hashTagsError(Array.from({ length: 30 }, (_, i) => `tag${i}`))).toBeUndefined()
  expect(hashTagsError(Array.from({ length: 31 }, (_, i) => `tag${i}`))).toBe('Cannot add more than 30 hashtags')
  expect(hashTagsError(['two words'])).toMatch(/^two words: /)
})

it("are only added if the text doesn't contain them", () => {
  expect(hashTagWords(['coffee', 'tea'], 'Our #Coffee, again')).toBe('#tea')
})
