import { describe, expect, it } from 'vitest'
import { fittingResponses, replaced, typedAt } from './replyTyping.ts'

describe('what is typed after a sign', () => {
  it.each([
    ['/', { sign: '/', from: 0, words: '' }],
    ['Hi /open', { sign: '/', from: 3, words: 'open' }],
    ['/opening ho', { sign: '/', from: 0, words: 'opening ho' }],
    ['Thanks @ma', { sign: '@', from: 7, words: 'ma' }],
    ['Thanks\n@', { sign: '@', from: 7, words: '' }],
  ])('is found in %j', (text, typed) => expect(typedAt(text, text.length)).toEqual(typed))

  it.each(['https://example.com', 'and/or', 'and / or', 'ada@example.com', '/one\ntwo', ''])(
    'is nothing in %j',
    (text) => expect(typedAt(text, text.length)).toBeUndefined(),
  )

  it('is replaced, with the caret behind it', () => {
    const text = 'Hi /op there'
    expect(replaced(text, 6, { from: 3 }, 'We open at nine.')).toEqual({ text: 'Hi We open at nine. there', caret: 19 })
  })
})

it('finds canned responses by the beginnings of words, by name first', () => {
  const all = [
    { name: 'Delivery', text: 'We deliver when we open.' },
    { name: 'Opening hours', text: 'From nine to six.' },
    { name: 'Refund', text: 'Sorry about that.' },
  ]
  expect(fittingResponses(all, 'op').map(({ name }) => name)).toEqual(['Opening hours', 'Delivery'])
  expect(fittingResponses(all, 'opening six').map(({ name }) => name)).toEqual(['Opening hours'])
  expect(fittingResponses(all, 'pening')).toEqual([])
  expect(fittingResponses(all, '')).toHaveLength(3)
})
