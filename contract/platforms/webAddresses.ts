import { isKnownDomain } from './domains.ts'

/*
 * What counts as one URL, following the open source of those who count (twitter/twitter-text, src/regexp;
 * mastodon/mastodon, config/initializers/twitter_regex.rb): it ends at the first character that can't be part of one,
 * so words in a script without spaces may follow directly.
 */

/** Latin letters with accents, as a part of a character class. */
export const accents = String.raw`\xc0-\xd6\xd8-\xf6\xf8-\u024f\u0253\u0254\u0256\u0257\u0259\u025b\u0263\u0268\u026f\u0272\u0289\u028b\u02bb\u0300-\u036f\u1e00-\u1eff`
const part = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?`
const latinPart = `[a-z0-9${accents}](?:[a-z0-9${accents}-]{0,61}[a-z0-9${accents}])?`
const latinTop = String.raw`(?:xn--[a-z0-9-]{1,59}|[a-z]{2,63})`
const ends = String.raw`(?![a-z0-9@+-]|:\/\/)`
const port = String.raw`(?::\d{1,5})?`
const host = String.raw`(?<![a-z0-9@＠$#＃])https?:\/\/(?:${part}\.)+(?:${latinTop}|\p{Script=Cyrillic}{2,63})${ends}${port}`
// a bare name can't follow a character that would make it part of something else, such as an email address
const bareHost = String.raw`(?<![a-z0-9@＠$#＃${accents}_.\/-])((?:${latinPart}\.)+${latinTop}${ends})${port}`

/** A path and a query made of these characters, ending with some of them. */
const after = (inPath: string, endsPath: string, inQuery: string, endsQuery: string) =>
  String.raw`(?:\/(?:(?:${inPath}|\(${inPath}+\))*(?:${endsPath}|\(${inPath}+\)))?)?(?:\?${inQuery}*${endsQuery})?`
const latinOnly = after(
  String.raw`[a-z0-9!*';:=+,.$\/%#\[\]\u2013_~@|&\u0400-\u04ff${accents}-]`,
  String.raw`[a-z0-9=_#\/+\u0400-\u04ff${accents}-]`,
  String.raw`[a-z0-9!?*'@();:&=+$\/%#\[\]_.,~|-]`,
  String.raw`[a-z0-9_&=#\/-]`,
)
const anyScript = after(
  String.raw`[^\s<>()?]`,
  String.raw`[^\s<>()?!*"'「」;:=,.$%\[\]~&|@]`,
  String.raw`[^\s<>"]`,
  String.raw`[^\s<>()?!*"'「」;:,.$%\[\]~|@]`,
)

const patterns = {
  /** With a protocol or, if the end of its name is a known domain, without one. */
  named: new RegExp(`${host}${latinOnly}|${bareHost}${latinOnly}`, 'giu'),
  /** With a protocol; what follows its name may be in any script. */
  written: new RegExp(`${host}${anyScript}`, 'giu'),
} as const
export type AddressKind = keyof typeof patterns

/** RFC 1035, 2.3.4: longer names are invalid. */
const LONGEST_NAME = 253

/** How much of a match is a URL: for a bare name, as much as ends in a known domain, as in "example.com.Then". */
function lengthOf(match: string, name: string | undefined): number {
  if (name === undefined) return match.length
  if (name.length > LONGEST_NAME) return 0
  if (isKnownDomain(name)) return match.length
  const parts = name.split('.')
  while (parts.length > 2) {
    parts.pop()
    if (isKnownDomain(parts.join('.'))) return parts.join('.').length
  }
  return 0
}

/** The URLs of a text, in order. */
export function addressesIn(text: string, kind: AddressKind): string[] {
  return [...text.matchAll(patterns[kind])].flatMap(([match, name]) => match.slice(0, lengthOf(match, name)) || [])
}

/** Where the URLs of a text are, in order. Offsets are UTF-16 indices. */
export function addressPlaces(text: string, kind: AddressKind): { start: number; end: number }[] {
  return [...text.matchAll(patterns[kind])].flatMap((match) => {
    const length = lengthOf(match[0], match[1])
    return length === 0 ? [] : [{ start: match.index, end: match.index + length }]
  })
}

/** The text without its URLs, and how many there were. */
export function withoutAddresses(text: string, kind: AddressKind): { rest: string; addresses: number } {
  const places = addressPlaces(text, kind)
  let [rest, at] = ['', 0]
  for (const { start, end } of places) {
    rest += text.slice(at, start)
    at = end
  }
  return { rest: rest + text.slice(at), addresses: places.length }
}
