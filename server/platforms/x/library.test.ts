import * as fc from 'fast-check'
import twitter from 'twitter-text'
import { describe, expect, it } from 'vitest'
import { storedText } from '#contract/storedText.ts'
import { countText } from '#contract/platforms/countText.ts'
import { cashtagsIn, findXSpans } from '#contract/platforms/spans.ts'
import { addressPlaces } from '#contract/platforms/webAddresses.ts'

/*
 * X's own open source as a judge, in its newest version: what a text weighs, and what becomes a link, a mention, a hashtag
 * or a cashtag. Where we differ on purpose, the kind is named below.
 */

const parts = [
  'a b1 Rooks é ß ı ſ K Ω хорошо 日本 हिन्दी ไทย שלום می\u200cخواهم 한국 か',
  '・ · _ . , ! ? : ; / - ( ) [ ] { } " ” ’ 「 」 。 … & % * ~ + = | < > – — \u200b \u200d \ufe0f \ufe0e',
  '# ＃ @ ＠ $ rt RT: rook rook_1 AAPL ABC.D',
  'http:// https:// HTTPS:// www. example.com a.co monday.com ASP.NET Booking.com t.co bbc.co.uk 日本.com münchen.de',
  'пример.рф xn--p1ai не.notadomain /path /p(a)th ?q=1&r=2 #frag :8080',
  '😀 👍🏽 👩‍👩‍👧‍👦 🇩🇪 🇽🇽 🏽 ❤️ ❤ ☺\ufe0e © ™️ 1️⃣ 1⃣ *️⃣ 👩🏽‍🚀 ↔️ ‼ 〰',
]
  .flatMap((some) => some.split(' '))
  .concat(' ', '\n', '\t', '\u3000', '\u00a0')
const texts = fc
  .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 9 })
  .map((some) => storedText(some.join('')))

/** A label of a name that its encoding makes longer than 63 characters: X takes no URL then, and we do. */
const mayBeTooLong = (text: string): boolean => /[^ -~]{12}/.test(text)

const urlsOf = (text: string) => twitter.extractUrlsWithIndices(text, { extractUrlsWithoutProtocol: true })

/** It mistakes the length of a URL whose name has another one, of another script, directly before its path. */
const mistakesLength = (text: string): boolean =>
  urlsOf(text).some(({ url, indices }) => text.slice(...indices) !== url)

describe('as twitter-text has it,', () => {
  it('a text weighs as much', () => {
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(!mayBeTooLong(text) && !mistakesLength(text))
        expect(countText(text, 'weighted')).toBe(twitter.parseTweet(text).weightedLength)
      }),
    )
  })

  it('the same parts are URLs', () => {
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(!mayBeTooLong(text))
        const [theirs, ours] = [urlsOf(text), addressPlaces(text, 'named')]
        expect(ours.length).toBe(theirs.length)
        // it takes the first place where the letters of a name stand, whichever is the URL
        if (theirs.every(({ url }) => text.split(url).length === 2))
          expect(ours.map(({ start, end }) => [start, end])).toEqual(theirs.map(({ indices }) => indices))
      }),
    )
  })

  it('the same parts are mentions and hashtags', () => {
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(!mayBeTooLong(text) && urlsOf(text).length === 0)
        const entities = twitter.extractEntitiesWithIndices(text).filter((one) => !('cashtag' in one))
        expect(findXSpans(text).map(({ start, end }) => [start, end])).toEqual(entities.map(({ indices }) => indices))
      }),
    )
  })

  it('as many are cashtags', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(cashtagsIn(text)).toBe(twitter.extractCashtags(text).length)
      }),
    )
  })

  it('a stored text has no character that X refuses', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        expect(twitter.hasInvalidCharacters(storedText(`\ufeff${text}\uffff`))).toBe(false)
      }),
    )
  })
})

describe('unlike twitter-text,', () => {
  it.each([
    ['emoji that are newer than its list of 2019 count 2, as X documents for all emoji', '❤️‍🔥🐦‍🔥', 4, 10],
    ['an emoji may have all its selectors where its list has fewer', '👁️‍🗨️', 2, 5],
    ['endings of names that are newer than its list count as such', 'rook.music', 23, 10],
    ['endings that no longer exist do not', 'rook.mcdonalds', 14, 23],
  ])('%s', (_kind, text, ours, theirs) => {
    expect(countText(text, 'weighted')).toBe(ours)
    expect(twitter.parseTweet(text).weightedLength).toBe(theirs)
  })
})
