import { TAG_LETTERS, TAG_OTHERS, TAG_SIGNS } from '../hashtag.ts'
import { trimEndWhere } from '../trimEnd.ts'
import type { Span } from './rules.ts'
import { accents, addressPlaces } from './webAddresses.ts'

const link = /https?:\/\/[^\s<>"]+/giu
const ENDS = '.,;:!?\'"’”…)]}'

const name = String.raw`[\p{L}\p{M}\p{N}_]`
const mention = new RegExp(
  String.raw`(?<=^|[^\w@/])@${name}(?:[\p{L}\p{M}\p{N}_.·-]*${name})?(?:@[a-z0-9.-]+\.[a-z]{2,})?`,
  'giu',
)

// an emoji that ends with a variation selector may come directly before a hashtag; #️⃣ is an emoji itself
const tag = new RegExp(
  String.raw`(?<=^|[\ufe0e\ufe0f]|[^${TAG_LETTERS}${TAG_OTHERS}&])[${TAG_SIGNS}](?![\ufe0f\u20e3])([${TAG_LETTERS}${TAG_OTHERS}]+)`,
  'gu',
)
const tagLetter = new RegExp(`[${TAG_LETTERS}]`, 'u')
/** What can't follow a hashtag: another one, or the rest of a URL. */
const isNoTagEnd = /^(?:[#＃]|:\/\/)/

/** Hashtags as X finds them, in any script. */
const findTags = (text: string): Span[] =>
  [...text.matchAll(tag)].flatMap(({ 0: whole, 1: value = '', index }) => {
    const end = index + whole.length
    return tagLetter.test(value) && !isNoTagEnd.test(text.slice(end, end + 3))
      ? [{ kind: 'tag', start: index, end, value }]
      : []
  })

const findLinks = (text: string): Span[] =>
  [...text.matchAll(link)].map((match) => {
    // punctuation that ends a sentence isn't part of a link
    const value = trimEndWhere(match[0], (char) => ENDS.includes(char))
    return { kind: 'link', start: match.index, end: match.index + value.length, value }
  })

const findMentions = (text: string): Span[] =>
  [...text.matchAll(mention)].map(({ 0: whole, index }) => ({
    kind: 'mention',
    start: index,
    end: index + whole.length,
    value: whole.slice(1),
  }))

/** What was found, in the text's order; one that begins inside another is left out. */
export function inOrder(found: readonly Span[]): Span[] {
  const kept: Span[] = []
  for (const span of found.toSorted((a, b) => a.start - b.start))
    if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span)
  return kept
}

/** How links, mentions and hashtags are found on a platform that has its own rule for hashtags. */
export const findSpansWith =
  (tags: (text: string) => Span[]) =>
  (text: string): Span[] => {
    // the fragment of a URL without https:// isn't a hashtag
    const found = tags(text).filter(({ start }) => text[start - 1] !== '/')
    return inOrder([...findLinks(text), ...findMentions(text), ...found])
  }

/** Links, mentions and hashtags as most platforms show them, in order and without overlaps. */
export const findCommonSpans = findSpansWith(findTags)

const xMention =
  /(?<=^|[^a-z0-9_!#$%&*@＠]|(?:^|[^a-z0-9_+~.-])rt:?)[@＠]([a-z0-9_]{1,20}(?:\/[a-z][a-z0-9_-]{0,24})?)/giu
/** What can't follow a mention: another @, an accented letter, or the rest of a URL. */
const isNoMentionEnd = new RegExp(String.raw`^(?:[@＠${accents}]|:\/\/)`, 'i')

/** Links, mentions (also of lists) and hashtags as X finds them, in order and without overlaps (twitter/twitter-text, src). */
export function findXSpans(text: string): Span[] {
  const links = addressPlaces(text, 'named').map(({ start, end }): Span => {
    const written = text.slice(start, end)
    return { kind: 'link', start, end, value: /^https?:/i.test(written) ? written : `https://${written}` }
  })
  const mentions = [...text.matchAll(xMention)].flatMap(({ 0: whole, 1: value = '', index }): Span[] => {
    const end = index + whole.length
    return isNoMentionEnd.test(text.slice(end, end + 3)) ? [] : [{ kind: 'mention', start: index, end, value }]
  })
  return inOrder([...links, ...mentions, ...findTags(text)])
}

const cashtag = /(?<=^|\s)\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?=$|[\s!-/:-@[-^_{-~])/giu

/** How many stock symbols, such as $ABC, X finds in a text (twitter/twitter-text, src/regexp/validCashtag). */
export const cashtagsIn = (text: string): number => [...text.matchAll(cashtag)].length
