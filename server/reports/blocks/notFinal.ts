import { addsOf } from '#contract/analytics/labels.ts'
import type { ReportBlock, ReportContent } from '#contract/reports/content.ts'
import { baseFor } from './figureWords.ts'
import { narrowKey } from './narrow.ts'
import { openReading, type ReadDeps, type Reading, type ReportReader } from './reading.ts'

/**
 * The channels whose figures in a report aren't final for its days, by name: a schedule waits for them, before it makes a file. Of
 * `today`, the day on which the report is made. Throws PLAN_LIMIT on plans without analytics.
 */
export async function notFinalOf(
  c: ReportReader,
  report: { content: ReportContent; today?: string | undefined },
  deps: ReadDeps,
): Promise<string[]> {
  if (!report.content.blocks.some(isByDay)) return []
  return await readNotFinal(await openReading(c, report, deps))
}

/** The same for a report that is being read. */
export async function readNotFinal(reading: Reading): Promise<string[]> {
  const { content, range, nameOf } = reading
  const found = new Set<string>()
  const asked = Map.groupBy(content.blocks.filter(isByDay), narrowKey)
  for (const blocks of asked.values()) {
    const [first] = blocks
    if (!first || reading.scopeOf(first).channels.length === 0) continue
    const names = new Set(blocks.flatMap((block) => (block.kind === 'figures' ? block.names : [block.name])))
    const { channels } = await reading.channelsOf(first)
    for (const { channelId, figures } of channels)
      if (
        figures.some(
          ({ base, name, coverage: { reportedDays, finalUntil } }) =>
            base === 'inTheseDays' &&
            names.has(name) &&
            // days are reported, and some of them can change
            (reportedDays ?? 0) > 0 &&
            (finalUntil === null || finalUntil < range.to),
        )
      )
        found.add(nameOf(channelId))
  }
  return [...found]
}

type ByDay = Extract<ReportBlock, { kind: 'figures' | 'chart' }>
/** Whether it shows figures that belong to days. What posts have to date is never final, and levels are those of one moment. */
function isByDay(block: ReportBlock): block is ByDay {
  if (block.kind !== 'figures' && block.kind !== 'chart') return false
  const names = block.kind === 'figures' ? block.names : [block.name]
  return names.some((name) => baseFor(block.base, name) === 'inTheseDays' && addsOf(name) !== 'last')
}
