import type { FigureName } from '#contract/analytics/catalog/names.ts'
import { figureName } from '#contract/analytics/labels.ts'
import type { PostMetrics } from '#contract/metrics.ts'
import { shortNumber } from '#contract/format.ts'

/** How often a post was seen, in the platform's way of counting, then what people did. */
const shown: readonly FigureName[] = ['views', 'impressions', 'reactions', 'comments', 'clicks']

export type ShortFigure = { name: FigureName; label: string; value: number; text: string }

/** The few figures that a post is known by, as far as its platform reports them. */
export const figuresInShort = (figures: PostMetrics): ShortFigure[] =>
  shown.flatMap((name) => {
    const value = figures[name]
    return value === undefined ? [] : [{ name, label: figureName(name), value, text: shortNumber(value) }]
  })

/** "1.2K views, 34 reactions, 1 comment" */
export const figuresText = (figures: PostMetrics): string =>
  figuresInShort(figures)
    .map(
      ({ label, value, text }) =>
        `${text} ${value === 1 ? label.toLowerCase().replace(/s$/, '') : label.toLowerCase()}`,
    )
    .join(', ')
