import { addressPlaces } from '#contract/platforms/webAddresses.ts'
import { decoded } from './entities.ts'
import { sameText } from './findSent.ts'

/*
 * What platforms may do to a text, documented or not: capitals of names and tags, names that lead to another name, other
 * quotation marks, composed or compatible characters, invisible ones, white space, rewritten links, escapes, and cuts. A
 * text that differs by nothing else may be the one that was sent, so it never proves that nothing was.
 */

/** Whether something listed is what was sent: `maybe` if only a person can tell. */
export type Match = boolean | 'maybe'

/** One that holds only if both do. */
export const both = (one: Match, other: Match): Match =>
  one === false || other === false ? false : one === 'maybe' || other === 'maybe' ? 'maybe' : true

/** Whether a platform that shows the first text may have been given the second one. */
export function isText(shown: string | null | undefined, written: string | null | undefined): Match {
  if (sameText(shown, written)) return true
  return isAltered(shown ?? '', written ?? '') ? 'maybe' : false
}

/** Whether the first text may be what a platform made of the second one. */
export function isAltered(shown: string, written: string): boolean {
  const [there, ours] = [readingOf(shown), readingOf(written)]
  return isRun(there.signs, ours.signs)
    ? there.links === ours.links && there.names === ours.names
    : beginningsIn(shown).some((start) => isRun(start, ours.signs.slice(0, start.length)))
}

/** How long a text must be to say whose beginning it is: before an ellipsis, and without one. */
const TELLING_CUT = 20
const TELLING_START = 100
/** How many letters of it must be left without links and names. */
const TELLING_SIGNS = 5

/** What of a text may be the beginning of a longer one. Its last word may be cut. */
function beginningsIn(shown: string): Reading['signs'][] {
  const whole = shown.trimEnd()
  const start = whole.replace(/(?:…|\.{3})$/, '').trimEnd()
  if (start.length < (start === whole ? TELLING_START : TELLING_CUT)) return []
  const readings = [start, start.split(/\s/).slice(0, -1).join(' ')].map((text) => readingOf(text).signs)
  return readings.filter(({ length }) => length >= TELLING_SIGNS)
}

/** Any text: what a template of a mention becomes, such as Facebook's @[123] or LinkedIn's @[Name](urn). */
const ANYTHING = '*'
const templates = /@\[[^\]\n]{1,200}\](?:\(urn:li:[\w:-]+\))?/g
/** Links to names whose end we don't know as a top-level domain. */
const unknownLinks = /https?:\/\/[^\s<>"]+/giu
const mentions =
  /(?<![\p{L}\p{N}_@])@[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?(?:@[\p{L}\p{N}.-]*[\p{L}\p{N}])?/gu
/** Letters, numbers as a whole (what differs by a number is another text), and pictures. */
const telling = /\*|[\p{L}\p{M}]|\p{N}+|\p{Extended_Pictographic}|\p{RI}/gu

type Reading = { signs: string[]; links: number; names: number }

/** What is left of a text whatever a platform did to it. If only marks are left, they count. */
function readingOf(text: string): Reading {
  const plain = decoded(text)
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll('*', ' ')
  const links = addressPlaces(plain, 'named')
  const nameless = links
    .toReversed()
    .reduce((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, plain)
  const linkless = nameless.replace(unknownLinks, ' ').replace(templates, ANYTHING)
  const words = linkless.replace(mentions, ' ').toLowerCase()
  const signs = words.match(telling) ?? []
  return {
    signs: signs.length > 0 ? signs : (words.match(/\S/gu) ?? []),
    links: links.length + (nameless.match(unknownLinks)?.length ?? 0),
    names: linkless.match(mentions)?.length ?? 0,
  }
}

/** Whether the signs are the wanted ones, where ANYTHING stands for any. */
function isRun(signs: readonly string[], wanted: readonly string[]): boolean {
  const [first = [], ...rest] = segmentsOf(wanted)
  if (rest.length === 0) return signs.length === first.length && first.every((sign, index) => sign === signs[index])
  const last = rest.at(-1) ?? []
  if (!first.every((sign, index) => sign === signs[index])) return false
  let at = first.length
  for (const segment of rest) {
    const from = segment === last ? Math.max(at, signs.length - segment.length) : at
    const found = signs.findIndex(
      (_, index) => index >= from && segment.every((sign, place) => sign === signs[index + place]),
    )
    if (segment.length > 0 && found === -1) return false
    at = segment.length > 0 ? found + segment.length : at
  }
  return true
}

function segmentsOf(signs: readonly string[]): string[][] {
  const segments: string[][] = [[]]
  for (const sign of signs) {
    if (sign === ANYTHING) segments.push([])
    else segments.at(-1)?.push(sign)
  }
  return segments
}
