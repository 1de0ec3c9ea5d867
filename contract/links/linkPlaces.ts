import type { PlatformRules } from '../platforms/rules.ts'
import { addressPlaces } from '../platforms/webAddresses.ts'

/** A link of a text. Offsets are UTF-16 indices. */
export type LinkPlace = { start: number; end: number }
/** The part of a platform's rules that finds links. */
export type LinkFinder = Pick<PlatformRules, 'addresses' | 'findSpans'>

const written = /^https?:\/\//i

/** The links of a text that begin with http:// or https://, in order. Each ends where the platform ends it. */
export function linkPlaces(text: string, { addresses, findSpans }: LinkFinder): LinkPlace[] {
  const places = addresses ? addressPlaces(text, addresses) : findSpans(text).filter(({ kind }) => kind === 'link')
  return places.filter(({ start, end }) => written.test(text.slice(start, end)))
}

/** The most that follows a link and may decide where a platform ends it. */
const AFTER = 200

/**
 * The text with other addresses in place of its links; `of` returns undefined for a link that stays. So does one where
 * the platform would no longer end it in the same place, because of what follows it.
 */
export function withLinks(text: string, finder: LinkFinder, of: (address: string) => string | undefined): string {
  let [whole, at] = ['', 0]
  for (const { start, end } of linkPlaces(text, finder)) {
    const address = of(text.slice(start, end))
    if (address === undefined || !endsAlike(text, { start, end }, address, finder)) continue
    whole += text.slice(at, start) + address
    at = end
  }
  return whole + text.slice(at)
}

function endsAlike(text: string, { start, end }: LinkPlace, address: string, finder: LinkFinder): boolean {
  const before = text.slice(Math.max(0, start - 1), start)
  const around = `${before}${address}${text.slice(end, end + AFTER)}`
  const [first] = linkPlaces(around, finder)
  return first?.start === before.length && first.end === before.length + address.length
}
