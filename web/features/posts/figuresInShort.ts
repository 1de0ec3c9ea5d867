import type { FigureName } from '#contract/analytics/catalog/names.ts'
import { figureName, termOf } from '#contract/analytics/labels.ts'
import type { PostMetrics } from '#contract/metrics.ts'
import { shortNumber } from '#contract/format.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

/** How often a post was seen, in the platform's way of counting, then what people did. */
const shown: readonly FigureName[] = ['views', 'impressions', 'reactions', 'comments', 'clicks']

export type ShortFigure = { name: FigureName; label: string; value: number; text: string }

/** The few figures that a post is known by, as far as its platform reports them, in its words if it's known. */
export const figuresInShort = (figures: PostMetrics, platform?: PlatformKey): ShortFigure[] =>
  shown.flatMap((name) => {
    const value = figures[name]
    return value === undefined
      ? []
      : [{ name, label: platform ? termOf(platform, 'post', name) : figureName(name), value, text: shortNumber(value) }]
  })

/** "1.2K views, 34 reactions, 1 comment" */
export const figuresText = (figures: PostMetrics, platform?: PlatformKey): string =>
  figuresInShort(figures, platform)
    .map(({ label, value, text }) => `${text} ${value === 1 ? oneOf(label.toLowerCase()) : label.toLowerCase()}`)
    .join(', ')

/** "view", "reply" */
const oneOf = (label: string): string => label.replace(/ies$/, 'y').replace(/s$/, '')
