import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { insightsReach, type ChannelReach, type InsightsReach } from '#contract/analytics/reach.ts'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import { figureText } from '#contract/analytics/labels.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { addDays, daysBetween } from '#web/lib/dates.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { FigureChange } from '#web/ui/Change.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { paperClass } from '#web/ui/Panel.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Table } from '#web/ui/Table.tsx'
import { FigureCell } from '../FigureCell.tsx'
import { insightsRanges, thanText } from '../insightsSearch.ts'
import { isFixedByReconnecting } from '#contract/analytics/insightWords.ts'
import type { NamedChannels } from '../useChannels.ts'
import { useToday } from '../useToday.ts'
import { coveredText, missingText, noTotalText, reachTerm, shownReachDays } from './reachWords.ts'

type Props = { ids: ProjectIds; query: InsightsFilter; platform: PlatformKey; channels: NamedChannels }

const card = `${paperClass} grid gap-1.5 px-3.5 py-3`
/** So many channels are shown first. */
const FIRST = 8

/**
 * How many people each channel reached in these days, as the platform counts them, or which days have a total. Nothing where the
 * platform counts no such people, or a filter chose posts.
 */
export function Reach({ ids, query, platform, channels }: Props) {
  const { from, to } = query
  const lengths = shownReachDays(platform, query)
  if (lengths.length === 0 || from === undefined || to === undefined) return null
  const days = daysBetween(from, to) + 1
  return (
    <section aria-label={reachTerm(platform)} className="grid gap-1.5">
      <h3 className="text-sm font-semibold">{reachTerm(platform)}</h3>
      {lengths.includes(days) ? (
        <People ids={ids} query={query} platform={platform} channels={channels} />
      ) : (
        <div className={card}>
          <p className="text-pretty text-ink-muted">{noTotalText(platform, days)}</p>
          <Lengths lengths={lengths} />
        </div>
      )}
    </section>
  )
}

const route = getRouteApi('/$orgId/project/$projectId/insights/$')

/** Leads to the days that have a total. */
function Lengths({ lengths }: { lengths: readonly number[] }) {
  const navigate = route.useNavigate()
  const today = useToday()
  const daysOf = (length: number) => {
    if (length === 7) return { range: undefined, from: undefined, to: undefined }
    const preset = insightsRanges.find((range) => range === String(length))
    return preset
      ? { range: preset, from: undefined, to: undefined }
      : { range: 'custom' as const, from: addDays(today, 1 - length), to: today }
  }
  return (
    <p className="flex flex-wrap gap-2">
      {lengths.map((length) => (
        <Button
          key={length}
          size="s"
          onClick={() => void navigate({ search: (before) => ({ ...before, ...daysOf(length) }), resetScroll: false })}
        >
          Last {length} days
        </Button>
      ))}
    </p>
  )
}

function People({ ids, query, platform, channels }: Props) {
  const found = useCall(insightsReach, { params: ids, query }, { keepPrevious: true, handles: true })
  return (
    <Loaded query={found} skeleton={<Skeleton className="h-20 rounded-lg" />}>
      {(reply) => (
        <>
          {reply.channels.length === 1 && reply.missing.length === 0 ? (
            reply.channels.map((one) => <Person key={one.channelId} of={one} reply={reply} platform={platform} />)
          ) : (
            <Several reply={reply} platform={platform} channels={channels} />
          )}
          <Absent ids={ids} missing={reply.missing} channels={channels} />
        </>
      )}
    </Loaded>
  )
}

/** One channel's people, as a card has its value. */
function Person({ of, reply, platform }: { of: ChannelReach; reply: InsightsReach; platform: PlatformKey }) {
  const { figure, before } = of
  return (
    <div className={card}>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="tnum text-2xl font-bold tracking-tight">{figureText(figure.name, figure.value)}</span>
        <FigureChange figure={figure} than={thanText(before)} />
      </p>
      <p className="text-xs text-pretty text-ink-muted">
        {coveredText(of, reply.range)}. {platformName(platform)} counts each person once.
      </p>
    </div>
  )
}

/** Several channels, the most first. They have no sum. */
function Several({ reply, platform, channels }: { reply: InsightsReach } & Pick<Props, 'platform' | 'channels'>) {
  const [all, setAll] = useState(false)
  const rows = reply.channels.toSorted((one, other) => (other.figure.value ?? 0) - (one.figure.value ?? 0))
  const shown = all || rows.length <= FIRST + 1 ? rows : rows.slice(0, FIRST)
  if (rows.length === 0) return null
  return (
    <>
      <Table
        figures
        label={reachTerm(platform)}
        rows={shown}
        rowKey={({ channelId }) => channelId}
        columns={[
          {
            key: 'channel',
            header: 'Channel',
            cell: ({ channelId }) => channels.get(channelId)?.shownName ?? 'A deleted channel',
          },
          { key: 'days', header: 'Days', cell: (row) => coveredText(row, reply.range) },
          {
            key: 'value',
            header: reachTerm(platform),
            align: 'end',
            cell: ({ figure, before }) => (
              <FigureCell
                value={figureText(figure.name, figure.value)}
                change={<FigureChange figure={figure} than={thanText(before)} />}
              />
            ),
          },
        ]}
      />
      {shown.length < rows.length || all ? (
        <Button size="s" tone="quiet" className="justify-self-start" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${rows.length}`}
        </Button>
      ) : null}
      <p className="text-xs text-pretty text-ink-muted">
        {platformName(platform)} counts each person once for each channel. Channels have no total: someone may see two
        of them.
      </p>
    </>
  )
}

/** The channels without a value, and why. */
function Absent({ ids, missing, channels }: Pick<InsightsReach, 'missing'> & Pick<Props, 'ids' | 'channels'>) {
  if (missing.length === 0) return null
  return (
    <ul className="grid gap-0.5 text-sm text-pretty text-ink-muted">
      {missing.slice(0, FIRST).map((one) => (
        <li key={one.channelId}>
          {channels.get(one.channelId)?.shownName ?? 'A channel'}: {missingText(one)}{' '}
          {isFixedByReconnecting(one.reason) ? (
            <Link to="/$orgId/project/$projectId/channels" params={ids} search={{ reconnect: one.channelId }}>
              Reconnect
            </Link>
          ) : null}
        </li>
      ))}
      {missing.length > FIRST ? <li>And {missing.length - FIRST} more.</li> : null}
    </ul>
  )
}
