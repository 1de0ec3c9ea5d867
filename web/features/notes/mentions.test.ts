import { describe, expect, it } from 'vitest'
import { fittingPeople, mentionAt, mentionedIn, partsOf, withMention } from './mentions.ts'

const people = [
  { userId: '1', name: 'Ada Lovelace' },
  { userId: '2', name: 'Ada Love' },
  { userId: '3', name: 'Béla Kun' },
]

describe('a mention being typed', () => {
  it('starts at an @ at the beginning of a word', () => {
    expect(mentionAt('see @ad', 7)).toEqual({ from: 4, words: 'ad' })
    expect(mentionAt('mail@ad', 7)).toBeUndefined()
    expect(mentionAt('@ada\nmore', 9)).toBeUndefined()
  })
  it('finds people by any part of their name and inserts the whole name', () => {
    expect(fittingPeople(people, 'kun')).toEqual([people[2]])
    expect(withMention('see @ad now', 7, 4, { userId: '1', name: 'Ada Lovelace' })).toEqual({
      text: 'see @Ada Lovelace now',
      caret: 18,
    })
  })
})

describe('mentions in a text', () => {
  it('are those whose whole name is there', () => {
    expect(mentionedIn('@Ada Lovelace and @Béla Kun, please', people)).toEqual(['1', '3'])
    expect(mentionedIn('@Ada Love!', people)).toEqual(['2'])
    expect(mentionedIn('Ada Lovelace, @Béla Kunst', people)).toEqual([])
  })
  it('split the text without losing any of it', () => {
    const text = 'a @Béla Kun b'
    expect(partsOf(text, people)).toEqual([{ text: 'a ' }, { text: '@Béla Kun', userId: '3' }, { text: ' b' }])
  })
})
