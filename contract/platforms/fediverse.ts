import type { Span } from './rules.ts'
import { inOrder } from './spans.ts'
import { addressPlaces } from './webAddresses.ts'

/*
 * How Mastodon reads a text before counting it (mastodon/mastodon: app/validators/status_length_validator.rb,
 * app/lib/extractor.rb, app/models/account.rb): all URLs have the same length, and mentions of accounts on other
 * servers count as @name.
 */

const word = String.raw`[\p{L}\p{M}\p{Nd}\p{Pc}]`
const mention = new RegExp(
  String.raw`(?<!${word}|[=/])(@[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*)(@${word}+(?:[.-]+${word}+)*)?`,
  'giu',
)
/** What can't follow a mention: another @, an accented letter, or the rest of a URL. */
const isNoEnd = /^(?:[@＠\xc0-\xd6\xd8-\xf6\xf8-\u024f]|:\/\/)/
/** Longer server names and longer URLs aren't recognized. */
const LONGEST_SERVER = 253
const LONGEST_ADDRESS = 4096

/** `name` is the visible part of a mention: @name. Its end is that of the whole mention. */
type Place = { start: number; end: number; name?: string }

function mentionPlaces(text: string): Place[] {
  return [...text.matchAll(mention)].flatMap((match) => {
    const [whole, name = '', server = ''] = match
    const end = match.index + whole.length
    return isNoEnd.test(text.slice(end, end + 3)) || server.length - 1 > LONGEST_SERVER
      ? []
      : [{ start: match.index, end, name }]
  })
}

/*
 * A hashtag follows the beginning or white space. It consists of letters, digits, marks and _, and between two of them of
 * separators, with a letter or a separator in it (app/models/concerns/tag/naming.rb; Ruby's word and alpha classes).
 */
const tagRun = new RegExp(String.raw`(?<=^|\p{White_Space})[#＃]((?:${word}|[·・\u200c])+)`, 'gu')
const tagWord = new RegExp(word, 'u')
const tagMiddle = /[\p{Alphabetic}_·・\u200c]/u

function tagOf(run: string): string | undefined {
  const characters = Array.from(run)
  const last = characters.findLastIndex((character) => tagWord.test(character))
  const inner = characters.slice(1, last)
  if (tagWord.test(characters[0] ?? '') && inner.some((character) => tagMiddle.test(character)))
    return characters.slice(0, last + 1).join('')
  const [start = ''] = new RegExp(`^${word}*`, 'u').exec(run) ?? []
  return /\p{Alphabetic}/u.test(start) ? start : undefined
}

/** Links, mentions and hashtags as Mastodon finds them, in order and without overlaps. */
export function findSpans(text: string): Span[] {
  const links = addressPlaces(text, 'known').map(({ start, end }): Span => {
    return { kind: 'link', start, end, value: text.slice(start, end) }
  })
  const mentions = mentionPlaces(text).map(({ start, end }): Span => {
    return { kind: 'mention', start, end, value: text.slice(start + 1, end) }
  })
  const tags = [...text.matchAll(tagRun)].flatMap(({ 1: run = '', index }): Span[] => {
    const value = tagOf(run)
    return value === undefined ? [] : [{ kind: 'tag', start: index, end: index + 1 + value.length, value }]
  })
  return inOrder([...links, ...mentions, ...tags])
}

/**
 * The text with each mention as its server shows it: @name@example.com is @name. In lower case, to be compared: servers
 * write names as people do themselves, however they were written (app/services/process_mentions_service.rb).
 */
export function withShownMentions(text: string): string {
  const places = mentionPlaces(text).map(({ name = '', ...place }) => ({ ...place, name: name.toLowerCase() }))
  return rewritten(text, places).text
}

/** The text with @ in place of each mention. */
export function withoutNames(text: string): string {
  const places = mentionPlaces(text).map((place) => ({ ...place, name: '@' }))
  return rewritten(text, places).text
}

/** The text as Mastodon counts it, with one character in place of each URL, and how many URLs there are. */
export function asCounted(text: string): { text: string; addresses: number } {
  const addresses = addressPlaces(text, 'known').filter(({ start, end }) => end - start <= LONGEST_ADDRESS)
  return rewritten(text, [...addresses, ...mentionPlaces(text)])
}

/** A match that begins inside the previous one is skipped. */
function rewritten(text: string, places: readonly Place[]): { text: string; addresses: number } {
  let [whole, at, addresses] = ['', 0, 0]
  for (const { start, end, name } of places.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue
    whole += `${text.slice(at, start)}${name ?? 'x'}`
    if (name === undefined) addresses += 1
    at = end
  }
  return { text: whole + text.slice(at), addresses }
}

/** The text with mentions of those whom it doesn't mention already, in front, as people write it. */
export function mentioning(text: string, handles: readonly string[]): string {
  const missing = handles.filter((handle) => !names(text, handle))
  return [...missing.map((handle) => `@${handle}`), text].join(' ').trim()
}

/** Whether a text mentions the handle: in full, or by its name alone where the text gives no server. */
function names(text: string, handle: string): boolean {
  const [name = ''] = handle.split('@')
  return [...text.matchAll(/@([\w.-]*\w)(@[\w.-]*\w)?/g)].some(
    ([, found = '', server = '']) =>
      found.toLowerCase() === name.toLowerCase() &&
      (server === '' || `${found}${server}`.toLowerCase() === handle.toLowerCase()),
  )
}

/** The names that a text mentions, without their servers. */
export const mentionsIn = (text: string): string[] => mentionPlaces(text).map(({ name = '' }) => name.slice(1))
