import { spanText } from '#contract/days.ts'
import type { BlockOf } from '#contract/reports/content.ts'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { seesText } from '../aiTexts.ts'
import { nothing, type Built } from './block.ts'
import { paragraphsOf } from './paragraphs.ts'

/** The title page: the report's name unless it has a title of its own. */
export function coverOf(
  { heading, subtitle }: BlockOf<'cover'>,
  { name, range, filtered, logo }: { name: string; range: InsightsRange; filtered: string | null; logo: boolean },
): Built {
  return {
    heading: null,
    parts: [
      {
        kind: 'cover',
        title: heading || name,
        subtitle,
        lines: [
          spanText(range),
          ...(range.compare ? [`Compared with ${spanText(range.compare)}`] : []),
          ...(filtered === null ? [] : [filtered]),
        ],
        logo,
      },
    ],
    notes: [],
  }
}

/** Paragraphs and lists as they were written. */
export const textOf = ({ text }: Pick<BlockOf<'text'>, 'text'>): Built => ({
  heading: null,
  parts: text.trim() === '' ? [] : [{ kind: 'text', paragraphs: paragraphsOf(text) }],
  notes: [],
})

/** The text of an AI block, for readers who may see all channels that it was written about. */
export function aiTextOf(
  { text, about }: BlockOf<'ai'>,
  { range, channelIds }: { range: InsightsRange; channelIds: readonly string[] | null },
): Built {
  const heading = 'Analysis'
  if (!seesText({ channelIds }, about)) return nothing(heading, "This text is about channels that aren't shown here.")
  if (about === null || text.trim() === '') return nothing(heading, "This text hasn't been written yet.")
  const isOfRange = about.from === range.from && about.to === range.to
  return {
    heading,
    about: isOfRange ? null : `Written about ${spanText(about)}`,
    parts: [{ kind: 'text', paragraphs: paragraphsOf(text) }],
    notes: ['Written by AI from the figures of these days.'],
  }
}
