import { addressPlaces } from './webAddresses.ts'

/*
 * X's count (twitter/twitter-text, js/src/parseTweet; docs.x.com, counting characters): a URL is 23, with or without
 * https://; an emoji with all its parts is 2; other characters are 1 or 2.
 */

const ADDRESS_LENGTH = 23

/** Code points that count as one; all others count as two. */
const light = (point: number): boolean =>
  point <= 0x10ff ||
  (point >= 0x2000 && point <= 0x200d) ||
  (point >= 0x2010 && point <= 0x201f) ||
  (point >= 0x2032 && point <= 0x2037)

const element = String.raw`(?:\p{RI}{2}|[0-9#*]\ufe0f?\u20e3|\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f}|\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)`
/** What may be one emoji: parts with joiners in between. */
const candidates = new RegExp(`${element}(?:\\u200d${element})*`, 'gu')
/** The most code points of an emoji: two people of two skin colors with a heart and a kiss. */
const LONGEST_EMOJI = 10
const JOINER = '\u200d'
/** Text by default: without U+FE0F it's an emoji only among others. */
const unqualified =
  /(?!\p{Emoji_Presentation})\p{Extended_Pictographic}(?![\ufe0f\p{Emoji_Modifier}])|[0-9#*](?=\u20e3)/gu

/** What is one emoji by Unicode's own list; undefined in browsers from before 2023. */
const listed = ((): RegExp | undefined => {
  try {
    return new RegExp(String.raw`^\p{RGI_Emoji}$`, 'v')
  } catch {
    return undefined
  }
})()
const isEmoji = (text: string): boolean => !listed || listed.test(text.replace(unqualified, '$&\ufe0f'))

function weightOf(text: string): number {
  let weight = 0
  for (const character of text) weight += light(character.codePointAt(0) ?? 0) ? 1 : 2
  return weight
}

/** What may be one emoji, as those that it consists of: letters of a flag that doesn't exist are none. */
function emojiWeight(candidate: string): number {
  const points = Array.from(candidate)
  let weight = 0
  for (let at = 0; at < points.length;) {
    let length = points[at] === JOINER ? 1 : Math.min(LONGEST_EMOJI, points.length - at)
    while (length > 1 && (points[at + length - 1] === JOINER || !isEmoji(points.slice(at, at + length).join(''))))
      length -= 1
    weight += length > 1 ? 2 : weightOf(points[at] ?? '')
    at += length
  }
  return weight
}

function wordsWeight(text: string): number {
  let [weight, at] = [0, 0]
  for (const { 0: candidate, index } of text.matchAll(candidates)) {
    weight += weightOf(text.slice(at, index)) + emojiWeight(candidate)
    at = index + candidate.length
  }
  return weight + weightOf(text.slice(at))
}

/** The length of a text on X. */
export function countWeighted(text: string): number {
  let [weight, at] = [0, 0]
  for (const { start, end } of addressPlaces(text, 'named')) {
    weight += wordsWeight(text.slice(at, start)) + ADDRESS_LENGTH
    at = end
  }
  return weight + wordsWeight(text.slice(at))
}
