import { harmless, writeCsv } from '#contract/csv.ts'
import { baseText, cardTitle, columnTitle, figureText, shownValue } from '#contract/analytics/labels.ts'
import type { ComparedFigure } from '#contract/analytics/filter.ts'
import type { FigureBase, FigureKey } from '#contract/analytics/names.ts'
import type { InsightsChannel, insightsChannels } from '#contract/analytics/overview.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import type { BenchmarkGroup } from './benchmarks.ts'

type Of = ReplyOf<typeof insightsChannels>['mediansOf']

/** Whose channels medians are made of. */
const ofWhom: Record<Of, string> = {
  organization: 'of your organization',
  project: 'that you can see in this project',
}

/** What a group of one platform is compared with, in a sentence. */
export function medianText({ platform, isRanked, median }: BenchmarkGroup, name: FigureKey, of: Of): string | null {
  if (platform === null) return null
  if (!isRanked)
    return `${platformName(platform)}'s terms don't allow comparing its figures: its channels have no rank and no median.`
  if (!median) return `No median: fewer than 3 ${platformName(platform)} channels ${ofWhom[of]} have this figure.`
  const text = (value: number) => figureText(name, value)
  return `Median of the ${median.channels} ${platformName(platform)} channels ${ofWhom[of]}: ${text(median.value)}. The middle half is between ${text(median.q1)} and ${text(median.q3)}.`
}

/** On how many days a channel's value is known, if not on all; the others may still come. */
export const knownDaysText = ({ coverage: { days, reportedDays } }: Pick<ComparedFigure, 'coverage'>): string | null =>
  reportedDays === null || reportedDays >= days ? null : `${reportedDays} of ${days} days known`

/** All channels with what they're compared with, as a file. */
export function benchmarkCsv(
  groups: readonly BenchmarkGroup[],
  { base, name }: { base: FigureBase; name: FigureKey },
  nameOf: (channel: InsightsChannel) => string,
): string {
  const title = `${cardTitle('inTheseDays', name)} ${baseText(base, name)}`
  const number = (value: number | null | undefined) => String(shownValue(name, value ?? null) ?? '')
  return `\uFEFF${writeCsv([
    [
      'Platform',
      'Channel',
      'Handle',
      columnTitle(title, name),
      'Before',
      'Change (%)',
      'Change (percentage points)',
      'Median',
      'First quartile',
      'Third quartile',
      'Channels in the median',
    ],
    ...groups.flatMap(({ rows, median }) =>
      rows.map(({ channel, figure }) => [
        platformName(channel.platformName),
        harmless(nameOf(channel)),
        harmless(channel.handle),
        number(figure.value),
        number(figure.before),
        String(figure.changePercent ?? ''),
        String(figure.changePoints ?? ''),
        number(median?.value),
        number(median?.q1),
        number(median?.q3),
        String(median?.channels ?? ''),
      ]),
    ),
  ])}`
}
