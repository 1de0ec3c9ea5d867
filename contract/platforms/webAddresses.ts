import { domainEnd } from './domains.ts'
import { xAddresses } from './xAddresses.ts'

/*
 * What counts as one URL, following the open source of those who count (twitter/twitter-text; mastodon/mastodon,
 * config/initializers/twitter_regex.rb): it ends at the first character that can't be part of one, so words in a script
 * without spaces may follow directly.
 */

type Place = { start: number; end: number }

const part = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?`
const host = new RegExp(String.raw`(?<![A-Za-z0-9@＠$#＃])[hH][tT][tT][pP][sS]?:\/\/(?:${part}\.)+`, 'gu')
/** A port, a path and a query, ending with some of these characters. */
const after =
  /(?::\d{1,5})?(?:\/(?:(?:[^\s<>()?]|\([^\s<>()?]+\))*(?:[^\s<>()?!*"'「」;:=,.$%[\]~&|@]|\([^\s<>()?]+\)))?)?(?:\?[^\s<>"]*[^\s<>()?!*"'「」;:,.$%[\]~|@])?/uy

/** With a protocol; what follows its name may be in any script. */
function writtenAddresses(text: string): Place[] {
  const places: Place[] = []
  host.lastIndex = 0
  for (let found = host.exec(text); found; found = host.exec(text)) {
    const start = found.index
    const name = start + found[0].indexOf('//') + 2
    for (let dot = host.lastIndex - 1; dot > name; dot = text.lastIndexOf('.', dot - 1)) {
      const end = domainEnd(text, dot + 1)
      if (end === dot + 1) continue
      after.lastIndex = end
      after.test(text)
      host.lastIndex = after.lastIndex
      places.push({ start, end: after.lastIndex })
      break
    }
  }
  return places
}

const finders = {
  /** With a protocol or, if the end of its name is a known domain, without one. */
  named: xAddresses,
  written: writtenAddresses,
} as const
export type AddressKind = keyof typeof finders

/** Where the URLs of a text are, in order. Offsets are UTF-16 indices. */
export const addressPlaces = (text: string, kind: AddressKind): Place[] => finders[kind](text)

/** The URLs of a text, in order. */
export const addressesIn = (text: string, kind: AddressKind): string[] =>
  addressPlaces(text, kind).map(({ start, end }) => text.slice(start, end))
