import type { DocumentFigure, DocumentPost, ReportDocument } from '../document.ts'

/* What the PDF and the shared page have in common. */

/** What readers have to know about the whole report before they read its figures. */
export function introOf({ blocks, filtered, notFinal }: ReportDocument): string[] {
  const said = blocks[0]?.parts.flatMap((part) => (part.kind === 'cover' ? part.lines : [])) ?? []
  return [
    ...(filtered === null || said.includes(filtered) ? [] : [filtered]),
    ...(notFinal.length === 0 ? [] : [notFinalText(notFinal)]),
  ]
}

/** Below the title: what the report covers, and whose it is. */
export const coverLines = ({ organization }: ReportDocument, lines: readonly string[]): string[] =>
  [...lines, ...(lines.includes(organization) ? [] : [organization])].filter((line) => line.trim() !== '')

const notFinalText = (channels: readonly string[]): string =>
  channels.length === 1
    ? `Figures of ${channels[0]} aren't final: the platform can still change them.`
    : `Figures of ${channels.length} channels aren't final: the platforms can still change them. These are ${channels.join(', ')}.`

/** Heights of charts in pixels, without their legends. */
export const chartHeights = { s: 150, m: 210, l: 300 } as const

/** What all figures cover, so that it's said once; null if they differ or there's only one. */
export const sharedBase = (figures: readonly DocumentFigure[]): string | null => {
  const [first] = figures
  return first && figures.length > 1 && figures.every(({ base }) => base === first.base) ? sentence(first.base) : null
}
const sentence = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** In characters: Typst refuses links of more than 8,000 bytes, and browsers long ones too. */
const LONGEST_LINK = 2_000

/** An address that may be a link: whatever it came from, nothing but a web page. */
export const safeLink = (link: string | null | undefined): string | null =>
  link && link.length <= LONGEST_LINK && /^https?:\/\/[^\s"<>\\]+$/i.test(link) ? link : null

/** In place of a post's picture, for those who don't see it: its text is beside it. */
export const pictureText = ({ channel, published }: DocumentPost): string =>
  `Picture of the post of ${published} on ${channel}`

/** Of a post's text in its card: the whole is where it was published. In characters. */
const EXCERPT = 240

/** The beginning of a text, by whole characters as people see them. */
export function excerptOf(text: string): string {
  if (text.length <= EXCERPT) return text
  const characters = [...new Intl.Segmenter('en').segment(text.slice(0, EXCERPT))].map(({ segment }) => segment)
  return `${characters.slice(0, -1).join('').trimEnd()}…`
}
