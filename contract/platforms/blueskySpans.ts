import { trimEndWhere } from '../trimEnd.ts'
import { isKnownDomain } from './domains.ts'
import { countGraphemes } from './graphemes.ts'
import type { Span } from './rules.ts'
import { inOrder } from './spans.ts'

// What the official app finds in a text (bluesky-social/atproto, packages/api/src/rich-text), so that a post looks the
// same wherever it was written: links with or without https://, mentions, hashtags and cashtags after a space, a line
// break or "(". A test compares it with the newest @atproto/api.

/** A handle: at least two labels, the last one not starting with a digit (atproto.com/specs/handle), after an ASCII @ as in the official app. */
const mention =
  /(^|[\s(])@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)(?![\w-]|\.[a-z0-9])/giu
const link =
  /(^|[\s(])((?:https?:\/\/[^\s<>"]+)|(?:((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63})(?![\w@-]|\.[a-z0-9])(?::\d{1,5})?(?:[/?#][^\s<>"]*)?))/giu
const tag =
  /(^|\s)[#＃]((?!\ufe0f)[^\u20e2\s\u00ad\u2060\u200a-\u200d]*[^\u20e2\d\s\p{P}\u00ad\u2060\u200a-\u200d][^\u20e2\s\u00ad\u2060\u200a-\u200d]*)/gu

/** A cashtag is a tag that keeps its sign, in upper case. */
const cashtag = /(^|\s|\()\$([A-Za-z][A-Za-z0-9]{0,4})(?=\s|$|[.,;:!?)"'\u2019])/gu

const MAX_TAG = 64

/** Punctuation that ends a sentence isn't part of a link; a closing parenthesis is if one was opened in it. */
function trimLink(text: string): string {
  const opens = text.includes('(')
  return trimEndWhere(text, (char) => (char === ')' ? !opens : ENDS.includes(char)))
}
const ENDS = '.,;:!?\'"’”…*'

function findLinks(text: string): Span[] {
  return [...text.matchAll(link)].flatMap((match): Span[] => {
    const domain = match[3]
    if (domain && !isKnownDomain(domain)) return []
    const start = match.index + (match[1]?.length ?? 0)
    const whole = trimLink(match[2] ?? '')
    // a bracket can end an address, but not a name
    const isName = !/[^/:]\/|[?#]/.test(whole)
    const written = isName ? trimEndWhere(whole, (char) => ']}'.includes(char)) : whole
    const value = domain ? `https://${written}` : written
    return URL.canParse(value) ? [{ kind: 'link', start, end: start + written.length, value }] : []
  })
}

function findMentions(text: string): Span[] {
  return [...text.matchAll(mention)].flatMap((match) => {
    const value = match[2] ?? ''
    const start = match.index + (match[1]?.length ?? 0)
    // a name ends in a real domain, or in the one for tests
    return isKnownDomain(value) || /\.test$/i.test(value)
      ? [{ kind: 'mention', start, end: start + value.length + 1, value: value.toLowerCase() }]
      : []
  })
}

/** A tag has no more characters than code units, of which most have few. */
const isShort = (value: string): boolean => value.length <= MAX_TAG || countGraphemes(value) <= MAX_TAG

function findTags(text: string): Span[] {
  return [...text.matchAll(tag)].flatMap((match) => {
    const value = trimEndWhere(match[2] ?? '', (char) => /\p{P}/u.test(char))
    const start = match.index + (match[1]?.length ?? 0)
    return value && isShort(value) ? [{ kind: 'tag', start, end: start + value.length + 1, value }] : []
  })
}

function findCashtags(text: string): Span[] {
  return [...text.matchAll(cashtag)].map((match) => {
    const value = `$${match[2] ?? ''}`
    const start = match.index + (match[1]?.length ?? 0)
    return { kind: 'tag', start, end: start + value.length, value: value.toUpperCase() }
  })
}

/** The links, mentions, hashtags and cashtags of a text, in order and without overlaps. */
export function findSpans(text: string): Span[] {
  return inOrder([...findLinks(text), ...findMentions(text), ...findTags(text), ...findCashtags(text)])
}

const MOST_AFTER_HOST = 15

/** A link as Bluesky's app shows it: the host and the first characters of the rest (bluesky-social/social-app, toShortUrl). */
export function shortLink(written: string): string {
  // a name without https:// stays as it is
  if (!/^https?:/i.test(written) || !URL.canParse(written)) return written
  const url = new URL(written)
  const rest = `${url.pathname === '/' ? '' : url.pathname}${url.search}${url.hash}`
  return url.host + (rest.length > MOST_AFTER_HOST ? `${rest.slice(0, MOST_AFTER_HOST - 2)}...` : rest)
}

/**
 * A text as it's published and counted, with its links shortened: their whole addresses are in the spans, whose offsets are
 * those of the shown text.
 */
export function shownOnBluesky(text: string): { text: string; spans: Span[] } {
  let [shown, at] = ['', 0]
  const spans = findSpans(text).map((span): Span => {
    shown += text.slice(at, span.start)
    at = span.end
    const start = shown.length
    const written = text.slice(span.start, span.end)
    shown += span.kind === 'link' ? shortLink(written) : written
    return { ...span, start, end: shown.length }
  })
  return { text: shown + text.slice(at), spans }
}
