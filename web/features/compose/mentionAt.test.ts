import { expect, it } from 'vitest'
import { mentionAt, withMention } from './mentionAt.ts'

it.each([
  ['Thanks @ada', { from: 7, words: 'ada' }],
  ['@ada.te', { from: 0, words: 'ada.te' }],
  ['(@ada', { from: 1, words: 'ada' }],
  ['write to me@ada', undefined],
  ['Thanks @', undefined],
  ['Thanks @ada and', undefined],
])('in %s', (text, found) => expect(mentionAt(text, text.length)).toEqual(found))

it('only looks before the caret', () => expect(mentionAt('@ada @ben', 4)).toEqual({ from: 0, words: 'ada' }))

it('replaces the typed text with the person and one space', () => {
  expect(withMention('Thanks @ad for it', 10, 7, '@ada.test')).toEqual({ text: 'Thanks @ada.test for it', caret: 17 })
  expect(withMention('@ad', 3, 0, 'Ada Lovelace')).toEqual({ text: 'Ada Lovelace ', caret: 13 })
})
