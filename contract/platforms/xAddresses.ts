import { domainEnd } from './domains.ts'
import { accents } from './latinAccents.ts'

/*
 * The URLs that X finds in a text, with and without https://, following its open source step by step, in time linear in
 * the text's length (twitter/twitter-text, js/src/extractUrlsWithIndices and its regular expressions).
 */

type Place = { start: number; end: number }

const invisible = String.raw`\ufffe\ufeff\uffff\u202a-\u202e\u061c\u200e\u200f\u2066-\u2069`
const spaces = String.raw`\x09-\x0d\x20\x85\xa0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`
const punctuation = String.raw`!'#%&()*+,\-./:;<=>?@[\]^_{|}~$\\`
/** What labels of a name begin and end with: letters of every script, and whatever isn't punctuation. */
const sign = new RegExp(`[^${punctuation}${spaces}${invisible}]`)
/** A stretch of text that may contain names. */
const stretches = new RegExp(`(?:[^${punctuation}${spaces}${invisible}]|[._-])+`, 'g')
/** What a URL can't follow. */
const isJoined = /[A-Za-z0-9@＠$#＃\ufffe\ufeff\uffff]/
const protocol = /https?:\/\/$/i
/** What a name without a protocol can't follow. */
const isInside = /[-_./]/

const inPath = String.raw`[a-z0-9!*';:=+,.$\/%#\[\]\u2013_~@|&\u0400-\u04ff${accents}-]`
const nested = String.raw`\((?:${inPath}+|${inPath}*\(${inPath}+\)${inPath}*)\)`
const path = new RegExp(
  String.raw`\/(?:(?:${inPath}|${nested})*(?:[a-z0-9=_#\/+\u0400-\u04ff${accents}-]|${nested}))?`,
  'iy',
)
const inQuery = String.raw`[a-z0-9!?*'@();:&=+$\/%#\[\]_.,~|-]`
const query = new RegExp(String.raw`\?${inQuery}*[a-z0-9_&=#\/-]`, 'iy')
const port = /:\d+/y
const shortLink = new RegExp(String.raw`^https?:\/\/t\.co\/([a-z0-9]+)(?:\?${inQuery}*[a-z0-9_&=#\/-])?`, 'i')

const LONGEST_URL = 4096
const LONGEST_LABEL = 63
const LONGEST_SHORT_LINK = 40

/** Where a pattern that is tried only there ends; where it began if there is no match. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}

/** A part of a name between dots. `domain`: how long the top-level domain is that it begins with; 0 if none. */
type Label = { start: number; end: number; whole: boolean; lastLine: number; domain: number }

function labelsOf(text: string, { start, end }: Place): Label[] {
  const labels: Label[] = []
  for (let from = start; from <= end;) {
    const dot = text.indexOf('.', from)
    const to = dot === -1 || dot >= end ? end : dot
    // within the label: looking further back would take the square of the text's length
    const line = text.slice(from, to).lastIndexOf('_')
    labels.push({
      start: from,
      end: to,
      whole: to > from && sign.test(text.charAt(from)) && sign.test(text.charAt(to - 1)),
      lastLine: line === -1 ? -1 : from + line,
      domain: from > start ? domainEnd(text, from) - from : 0,
    })
    from = to + 1
  }
  return labels
}

/** For each label, the last one after the next that can be the end of a name which begins in it. */
function farthestEnds(labels: readonly Label[]): number[] {
  const ends: number[] = []
  for (let at = labels.length - 3; at >= 0; at -= 1) {
    const next = labels[at + 1]
    if (!next?.whole) continue
    const isName = next.lastLine < next.start && (labels[at + 2]?.domain ?? 0) > 0
    const end = ends[at + 1] ?? (isName ? at + 2 : undefined)
    if (end !== undefined) ends[at] = end
  }
  return ends
}

/** Where the longest name ends that begins there, in a stretch of text. */
type NameEnd = (start: number) => number | undefined

function namesIn(text: string, stretch: Place): NameEnd | undefined {
  const labels = labelsOf(text, stretch)
  // most stretches are words
  if (!labels.some(({ domain }) => domain > 0)) return undefined
  const farthest = farthestEnds(labels)
  let at = 0
  return (start) => {
    while ((labels[at]?.end ?? Infinity) < start) at += 1
    const own = labels[at]
    if (!own || start >= own.end || !sign.test(text.charAt(start)) || !sign.test(text.charAt(own.end - 1)))
      return undefined
    const end = farthest[at] ?? (own.lastLine < start ? at + 1 : undefined)
    const last = end === undefined ? undefined : labels[end]
    return last && last.domain > 0 ? last.start + last.domain : undefined
  }
}

/** A label is too long, or a name begins as if it was encoded and isn't. */
const isInvalid = (name: string): boolean =>
  name.split('.').some((label) => label.length > LONGEST_LABEL) ||
  (name.startsWith('xn--') && latinNames(name).length === 0)

const chain = new RegExp(String.raw`(?:[-A-Za-z0-9${accents}]+\.)+`, 'g')
/** The parts of a name in Latin letters, which alone are URLs without a protocol. */
function latinNames(name: string): Place[] {
  const places: Place[] = []
  chain.lastIndex = 0
  for (let found = chain.exec(name); found; found = chain.exec(name)) {
    const start = found.index
    for (let dot = chain.lastIndex - 1; dot > start; dot = name.lastIndexOf('.', dot - 1)) {
      const end = domainEnd(name, dot + 1)
      if (end === dot + 1) continue
      places.push({ start, end })
      chain.lastIndex = end
      break
    }
  }
  return places
}

/** Where the URLs of a text are, in order. Offsets are UTF-16 indices. */
export function xAddresses(text: string): Place[] {
  const places: Place[] = []
  /** Where the search goes on. */
  let from = 0
  for (const { 0: words, index } of text.matchAll(stretches)) {
    const stretch = { start: index, end: index + words.length }
    if (stretch.end <= from || !words.includes('.')) continue
    const nameEnd = namesIn(text, stretch)
    if (!nameEnd) continue
    const before = protocol.exec(text.slice(Math.max(from, index - 8), index))?.[0] ?? ''
    const begin = index - before.length
    if (before && begin >= from && (begin === 0 || (begin > from && !isJoined.test(text.charAt(begin - 1))))) {
      const end = nameEnd(index)
      if (end !== undefined) {
        from = restOf(text, end).end
        const place = written(text, { start: begin, end: from }, text.slice(index, end))
        if (place) places.push(place)
      }
    }
    for (let at = Math.max(index - 1, from, 0); at < stretch.end; at += 1) {
      const follows = !isJoined.test(text.charAt(at)) ? at + 1 : at === 0 ? 0 : undefined
      const start = follows === 1 && at === 0 && nameEnd(1) === undefined ? 0 : follows
      if (start === undefined || start < index) continue
      const end = nameEnd(start)
      if (end === undefined) continue
      const rest = restOf(text, end)
      if (start === 0 || !isInside.test(text.charAt(start - 1))) places.push(...bare(text, { start, end }, rest))
      from = rest.end
      at = from - 1
    }
  }
  return places
}

function restOf(text: string, name: number): { hasPath: boolean; end: number } {
  const ported = endOf(port, text, name)
  const pathed = endOf(path, text, ported)
  return { hasPath: pathed > ported, end: endOf(query, text, pathed) }
}

function written(text: string, place: Place, name: string): Place | undefined {
  if (isInvalid(name) || place.end - place.start > LONGEST_URL) return undefined
  const short = shortLink.exec(text.slice(place.start, place.end))
  if (!short) return place
  const [whole, code = ''] = short
  return code.length > LONGEST_SHORT_LINK ? undefined : { ...place, end: place.start + whole.length }
}

function bare(text: string, { start, end }: Place, rest: { hasPath: boolean; end: number }): Place[] {
  const name = text.slice(start, end)
  if (isInvalid(name) || 'https://'.length + rest.end - start > LONGEST_URL) return []
  const places = latinNames(name).map((place) => ({ start: start + place.start, end: start + place.end }))
  // a path belongs to the last one, and a query only with a path
  const last = places.at(-1)
  if (last && rest.hasPath) last.end = rest.end
  return places
}
