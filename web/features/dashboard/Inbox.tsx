import { dashboardInboxStats, type RangeType } from '#contract/dashboard.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { AsOf } from '#web/ui/AsOf.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { spanWords } from './ranges.ts'

type Stats = ReplyOf<typeof dashboardInboxStats>
const feelings = [
  { key: 'positive', name: 'Positive', color: 'var(--ok)' },
  { key: 'neutral', name: 'Neutral', color: 'var(--ink-faint)' },
  { key: 'negative', name: 'Negative', color: 'var(--bad)' },
] as const

export const useInboxStats = (ids: ProjectIds, range: RangeType, { enabled = true }: { enabled?: boolean } = {}) =>
  useCall(
    dashboardInboxStats,
    { params: ids, query: { rangeType: range } },
    { keepPrevious: true, handles: true, enabled },
  )

/** Messages received and answered, and their sentiment. */
export function Inbox({ ids, zone, range }: { ids: ProjectIds; zone: string; range: RangeType }) {
  const found = useInboxStats(ids, range)
  const asOf = found.data?.asOf
  return (
    <Panel title="Inbox" anchor="inbox" aside={asOf ? <AsOf at={asOf} zone={zone} /> : null}>
      <div className={paperClass}>
        <Loaded
          query={found}
          skeleton={<SkeletonLines lines={3} label="Loading the inbox" />}
          isEmpty={({ received }) => received === 0}
          empty={<p className="px-3.5 py-3 text-ink-muted">Nothing was received {spanWords[range]}.</p>}
        >
          {(stats) => <Sentiment stats={stats} range={range} ids={ids} />}
        </Loaded>
      </div>
    </Panel>
  )
}

type SentimentProps = { stats: Stats; range: RangeType; ids: ProjectIds }

function Sentiment({ stats: { received, answered, sentiment, notJudged, apart }, range, ids }: SentimentProps) {
  const all = feelings.reduce((sum, { key }) => sum + sentiment[key], 0)
  return (
    <div className="grid gap-3 px-3.5 py-3">
      <p className="tnum text-ink-muted">
        {received.toLocaleString('en')} received, {answered.toLocaleString('en')} answered {spanWords[range]}.{' '}
        <Link to="/$orgId/project/$projectId/inbox" params={ids}>
          Open inbox
        </Link>
      </p>
      <h3 className="text-sm font-semibold">Sentiment analysis</h3>
      {all > 0 ? (
        <div aria-hidden className="flex h-2 gap-0.5 overflow-hidden rounded-full">
          {feelings.map(({ key, color }) =>
            sentiment[key] > 0 ? <span key={key} style={{ flexGrow: sentiment[key], background: color }} /> : null,
          )}
        </div>
      ) : null}
      <dl className="tnum flex flex-wrap gap-x-6 gap-y-1">
        {feelings.map(({ key, name, color }) => (
          <div key={key} className="flex items-center gap-1.5">
            <span aria-hidden className="size-2.5 rounded-[3px]" style={{ background: color }} />
            <dt className="text-sm text-ink-muted">{name}</dt>
            <dd className="font-semibold">{sentiment[key].toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
      {notJudged > 0 ? (
        <p className="tnum text-sm text-ink-muted">
          {notJudged === 1
            ? '1 conversation has no sentiment yet.'
            : `${notJudged.toLocaleString('en')} conversations have no sentiment yet.`}
        </p>
      ) : null}
      <p className="text-sm text-pretty text-ink-muted">
        Conversations of all kinds, messages included. Brand Spotlight counts those that others can read.
        {apart.length > 0
          ? ` ${apart.map(platformName).join(' and ')} ${apart.length === 1 ? "isn't in it, by its" : "aren't in it, by their"} terms.`
          : ''}
      </p>
    </div>
  )
}
