import type { ComparedFigure } from '#contract/analytics/filter.ts'
import { addsOf, cardTitle, figureText } from '#contract/analytics/labels.ts'
import type { InsightsCard } from '#contract/analytics/overview.ts'
import { figureSource } from '#contract/analytics/sources.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { knownText } from '#contract/analytics/coverageText.ts'

type Card = ComparedFigure & Partial<Pick<InsightsCard, 'holds'>>

/**
 * Why posts that were published in these days have more of something than these days themselves, where they do: people would take
 * one of the two for wrong. Undefined if they don't.
 */
export function moreThanDaysText(cards: readonly Card[], platform?: PlatformKey): string | undefined {
  const both = cards.flatMap((posts) => {
    const days = cards.find(({ base, name }) => base === 'inTheseDays' && name === posts.name)
    const isMore =
      posts.base === 'postsPublished' &&
      addsOf(posts.name) === 'sum' &&
      posts.value !== null &&
      days !== undefined &&
      days.value !== null &&
      posts.value > days.value
    return isMore ? [{ posts, days }] : []
  })
  const [first, ...others] = both
  if (!first) return undefined
  const { posts, days } = first
  const title = (one: Card) => `${cardTitle(one.base, one.name, platform)} (${figureText(one.name, one.value)})`
  const known = knownText(days.coverage)
  const isSeries = platform
    ? figureSource(platform, 'inTheseDays', days.name, { postsOnly: days.subject === 'post' })?.kind === 'series'
    : days.holds?.some(({ source }) => source === 'series')
  return [
    `${title(posts)} can be more than ${title(days)}${others.length > 0 ? ', and so can others' : ''}:`,
    "posts are counted from their publishing until their last reading, also on days that aren't in this range or aren't known yet.",
    ...(known === undefined ? [] : [`Of these days, ${known}.`]),
    ...(isSeries
      ? [
          `${platform ? platformName(platform) : 'Most platforms'} ${platform ? 'reports' : 'report'} the channel's days apart from its posts, and can count the two differently.`,
        ]
      : []),
  ].join(' ')
}
