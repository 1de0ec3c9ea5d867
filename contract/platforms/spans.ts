import { TAG_LETTERS, TAG_OTHERS, TAG_SIGNS } from '../hashtag.ts'
import { trimEndWhere } from '../trimEnd.ts'
import { accents } from './latinAccents.ts'
import type { Span } from './rules.ts'
import { addressPlaces } from './webAddresses.ts'

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
function findTags(text: string): Span[] {
  const tags: Span[] = []
  let before = -1
  for (const { 0: whole, 1: value = '', index: start } of text.matchAll(tag)) {
    const end = start + whole.length
    if (start > before && tagLetter.test(value) && !isNoTagEnd.test(text.slice(end, end + 3)))
      tags.push({ kind: 'tag', start, end, value })
    before = end
  }
  return tags
}

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

// no i flag: with u it would take ſ for s
const xMention =
  /(?<=^|[^A-Za-z0-9_!#$%&*@＠]|(?:^|[^A-Za-z0-9_+~.-])[rR][tT]:?)[@＠]([A-Za-z0-9_]{1,20}(?:\/[A-Za-z][A-Za-z0-9_-]{0,24})?)/gu
/** What can't follow a mention: another @, an accented letter, or the rest of a URL. */
const isNoMentionEnd = new RegExp(String.raw`^(?:[@＠${accents}]|:\/\/)`)

function findXMentions(text: string): Span[] {
  const mentions: Span[] = []
  let before = -1
  for (const { 0: whole, 1: value = '', index: start } of text.matchAll(xMention)) {
    const end = start + whole.length
    if (start > before && !isNoMentionEnd.test(text.slice(end, end + 3)))
      mentions.push({ kind: 'mention', start, end, value })
    before = end
  }
  return mentions
}

/** Links, mentions (also of lists) and hashtags as X finds them, in order and without overlaps (twitter/twitter-text, src). */
export function findXSpans(text: string): Span[] {
  const links = addressPlaces(text, 'named').map(({ start, end }): Span => {
    const written = text.slice(start, end)
    return { kind: 'link', start, end, value: /^https?:/i.test(written) ? written : `https://${written}` }
  })
  return inOrder([...links, ...findXMentions(text), ...findTags(text)])
}

const cashtag = /(?<=^|[\s\x85\u180e])\$[A-Za-z]{1,6}(?:[._][A-Za-z]{1,2})?(?=$|[\s!#-/:-@[-^_{-~])/g

/** How many stock symbols, such as $ABC, X finds in a text (twitter/twitter-text, src/regexp/validCashtag). */
export const cashtagsIn = (text: string): number => [...text.matchAll(cashtag)].length
