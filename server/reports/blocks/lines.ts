import { partsOf } from '#contract/analytics/sources.ts'
import type { FigureBase, FigureKey } from '#contract/analytics/names.ts'
import type { BlockOf } from '#contract/reports/content.ts'
import { hasLines, readSeries } from '../../analytics/series.ts'
import type { Scope } from '../../analytics/scope.ts'
import { subjectOf } from '../../analytics/totals.ts'
import { baseFor } from './figureWords.ts'
import { narrowKey } from './narrow.ts'
import type { Reading } from './reading.ts'

export type Lines = Awaited<ReturnType<typeof readSeries>>
type Asked = { base: FigureBase; name: FigureKey; by: BlockOf<'chart'>['by'] }

/** As many as one call of the insights takes. */
const AT_ONCE = 12

/**
 * The lines of a figure by day. Of chosen posts, such as a campaign's, every call goes through all of their readings: the figures of
 * charts with the same lines are read together then.
 */
export async function readLines(
  reading: Reading,
  block: BlockOf<'chart'>,
  { scope, asked }: { scope: Scope; asked: Asked },
): Promise<Lines> {
  const { base, name, by } = asked
  const subject = subjectOf(scope, base)
  const names = scope.posts === null ? [name] : togetherWith(reading, block, asked, subject)
  const channels = scope.channels.map(({ channelId }) => channelId).join()
  const key = `lines ${names.join()} ${base} ${by} ${scope.range.from} ${scope.range.to} ${channels}`
  const found = await reading.once(key, () => readSeries(reading.c, scope, { names, base, by, subject }))
  return {
    ...found,
    series: found.series.filter((line) => line.name === name),
    breaks: found.breaks.filter(({ figure }) => partsOf(name).some((part) => part === figure)),
  }
}

/** The figures of all charts that have the same kind of lines, the asked one among them. */
function togetherWith(
  { content }: Reading,
  block: BlockOf<'chart'>,
  { base, name, by }: Asked,
  subject: ReturnType<typeof subjectOf>,
): FigureKey[] {
  const alike = content.blocks.flatMap((one) =>
    one.kind === 'chart' &&
    one.by === block.by &&
    narrowKey(one) === narrowKey(block) &&
    baseFor(one.base, one.name) === base &&
    hasLines({ base, by, subject }, one.name)
      ? [one.name]
      : [],
  )
  const names = [...new Set([...alike, name])]
  const first = Math.floor(names.indexOf(name) / AT_ONCE) * AT_ONCE
  return names.slice(first, first + AT_ONCE)
}
