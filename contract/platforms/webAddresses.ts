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

/** What a top-level domain looks like, known or not. */
const anyDomain = /(?:xn--[a-z0-9-]{1,59}|[a-z]{2,63}|\p{Script=Cyrillic}{2,63})(?![a-z0-9@+-]|:\/\/)/iuy
function anyDomainEnd(text: string, start: number): number {
  const end = domainEnd(text, start)
  if (end > start) return end
  anyDomain.lastIndex = start
  return anyDomain.test(text) ? anyDomain.lastIndex : start
}

/** With a protocol; what follows its name may be in any script. */
function addressesWith(text: string, domainEndIn: typeof domainEnd): Place[] {
  const places: Place[] = []
  host.lastIndex = 0
  for (let found = host.exec(text); found; found = host.exec(text)) {
    const start = found.index
    const name = start + found[0].indexOf('//') + 2
    for (let dot = host.lastIndex - 1; dot > name; dot = text.lastIndexOf('.', dot - 1)) {
      const end = domainEndIn(text, dot + 1)
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
  /** With a protocol, whatever their top-level domain: what people mean as a link. */
  written: (text: string) => addressesWith(text, anyDomainEnd),
  /** Those among them whose top-level domain is known, which alone count as one on Mastodon. */
  known: (text: string) => addressesWith(text, domainEnd),
} as const
export type AddressKind = keyof typeof finders

/** Where the URLs of a text are, in order. Offsets are UTF-16 indices. */
export const addressPlaces = (text: string, kind: AddressKind): Place[] => finders[kind](text)

/** The URLs of a text, in order. */
export const addressesIn = (text: string, kind: AddressKind): string[] =>
  addressPlaces(text, kind).map(({ start, end }) => text.slice(start, end))
