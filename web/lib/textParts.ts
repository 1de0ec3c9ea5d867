import { addressPlaces } from '#contract/platforms/webAddresses.ts'

type Mark = readonly [from: number, to: number]
/** A piece of a text: where its link leads, and whether it's marked. */
export type TextPart = { text: string; href?: string; marked?: true }

/**
 * A text in pieces, with its links that begin with http:// or https:// and what is marked. A link that a mark divides is
 * several pieces. URLs that name a user are no links: what they show isn't where they lead.
 */
export function textParts(text: string, marks: readonly Mark[] = []): TextPart[] {
  const links = addressPlaces(text, 'written').flatMap(({ start, end }) => {
    const href = hrefOf(text.slice(start, end))
    return href === undefined ? [] : [{ start, end, href }]
  })
  const cuts = [0, text.length, ...links.flatMap(({ start, end }) => [start, end]), ...marks.flat()]
  const places = [...new Set(cuts)].filter((at) => at >= 0 && at <= text.length).toSorted((a, b) => a - b)
  return places.slice(1).flatMap((end, i) => {
    const start = places[i] ?? 0
    const href = links.find((link) => link.start <= start && end <= link.end)?.href
    const isMarked = marks.some(([from, to]) => from <= start && end <= to)
    return [{ text: text.slice(start, end), ...(href !== undefined && { href }), ...(isMarked && { marked: true }) }]
  })
}

function hrefOf(address: string): string | undefined {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  return url.href
}
