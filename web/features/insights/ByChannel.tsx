import { useState } from 'react'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import { baseText, cardTitle, figureText, shownValue } from '#contract/analytics/labels.ts'
import { insightsChannels, insightsSeries, type InsightsChannel } from '#contract/analytics/overview.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Spark } from '#web/ui/charts/Spark.tsx'
import { FoldedPanel } from '#web/ui/FoldedPanel.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { Table } from '#web/ui/Table.tsx'
import { BaseHeader } from './BaseHeader.tsx'
import { channelColumns, FIRST_CHANNELS, figureOf, hasFigures, isOfPosts, shownChannels } from './byChannelRows.ts'
import { changeOf, FigureCell } from './FigureCell.tsx'
import { thanText, type InsightsFilters } from './insightsSearch.ts'
import type { NamedChannels } from './useChannels.ts'

/** At most so many are shown. */
const MOST = 100

type Props = {
  ids: ProjectIds
  query: InsightsFilter
  filters: InsightsFilters
  channels: NamedChannels
  /** Says the figures in this platform's own terms. */ platform?: PlatformKey
  /** Nothing may be worked out of them. */ isApart?: boolean
}

/**
 * Each channel with its followers by day and what happened in these days, the one with the most followers first; of a filter's
 * posts, which have no followers, the one with the most views.
 */
export default function ByChannel(props: Props) {
  return (
    <FoldedPanel
      title="By channel"
      name="by-channel"
      aside={
        <span className="text-sm text-ink-muted">
          In these days
          {props.isApart ? '' : isOfPosts(props.query) ? ', the most seen first' : ', the most followers first'}
        </span>
      }
    >
      <Channels {...props} />
    </FoldedPanel>
  )
}

function Channels({ ids, query, filters, channels, platform, isApart = false }: Props) {
  const postsOnly = isOfPosts(query)
  const columns = channelColumns(platform, { isApart, postsOnly })
  const [all, setAll] = useState(false)
  const options = { keepPrevious: true, handles: true } as const
  const found = useCall(
    insightsChannels,
    {
      params: ids,
      query: { ...query, names: [...columns], base: 'inTheseDays', most: all || postsOnly ? MOST : FIRST_CHANNELS + 1 },
    },
    options,
  )
  const { compareFrom: _from, compareTo: _to, ...days } = query
  const lines = useCall(
    insightsSeries,
    {
      params: ids,
      query: {
        ...days,
        channelIds: found.data?.channels.map(({ channelId }) => channelId) ?? [],
        names: ['followers'],
        by: 'channel',
      },
    },
    { ...options, enabled: !postsOnly && query.from !== query.to && (found.data?.channels.length ?? 0) > 0 },
  )
  const sparks = new Map(
    (lines.data?.series ?? []).map(({ key, values }) => [key, values.map((value) => shownValue('followers', value))]),
  )
  return (
    <Loaded
      query={found}
      skeleton={
        <Skeletons label="Loading channels">
          <Skeleton className="h-60 rounded-lg" />
        </Skeletons>
      }
      isEmpty={({ channels: rows }) => rows.length === 0 || (postsOnly && !rows.some(hasFigures))}
      empty={
        <p className="text-ink-muted">
          {postsOnly ? 'No channel has figures of such posts in these days.' : 'No channels in these filters.'}
        </p>
      }
    >
      {({ channels: found, range, total: known, apart }) => {
        const listed = postsOnly ? found.filter(hasFigures) : found
        const total = postsOnly ? listed.length : known
        const rows = shownChannels(listed, { all, by: postsOnly ? columns[0] : undefined, apart, total })
        const than = thanText(range.compare)
        return (
          <>
            <Table
              label="By channel"
              wide
              figures
              rows={rows}
              rowKey={({ channelId }) => channelId}
              columns={[
                {
                  key: 'channel',
                  header: 'Channel',
                  className: 'rows:w-[28%]',
                  cell: ({ channelId, channelName, profileUrl, platformName, handle, status, deleted }) => (
                    <span className="flex min-w-0 items-center gap-2.5">
                      <Avatar name={channelName} src={profileUrl} platform={platformName} size={28} />
                      <span className="min-w-0">
                        {deleted ? (
                          <span dir="auto" className="block truncate">
                            {channelName}
                          </span>
                        ) : (
                          <Link
                            to="/$orgId/project/$projectId/insights/$"
                            params={{ ...ids, _splat: `profile/${channelId}` }}
                            search={filters}
                            className="touch-area inline-block break-words"
                          >
                            {channels.get(channelId)?.shownName ?? channelName}
                          </Link>
                        )}
                        <span className="block text-sm break-words text-ink-muted">
                          {[
                            // it's in the name where several channels share one
                            channels.get(channelId)?.shownName.endsWith(handle) === true ? '' : handle,
                            deleted ? '(deleted)' : status === 'CONNECTED' ? '' : '(disconnected)',
                          ]
                            .filter(Boolean)
                            .join(' ')}
                        </span>
                      </span>
                    </span>
                  ),
                },
                ...(postsOnly
                  ? []
                  : [
                      {
                        key: 'spark',
                        header: `${cardTitle('inTheseDays', 'followers', platform)} by day`,
                        notInCards: true,
                        cell: ({ channelId, channelName }: InsightsChannel) => (
                          <Spark
                            label={`${cardTitle('inTheseDays', 'followers', platform)} of ${channels.get(channelId)?.shownName ?? channelName} by day`}
                            values={sparks.get(channelId) ?? []}
                          />
                        ),
                      },
                    ]),
                ...columns.map((name) => ({
                  key: name,
                  header: (
                    <BaseHeader title={cardTitle('inTheseDays', name, platform)} base={baseText('inTheseDays', name)} />
                  ),
                  align: 'end' as const,
                  cell: (row: InsightsChannel) => {
                    const figure = figureOf(row, name)
                    return <FigureCell value={figureText(name, figure?.value)} change={changeOf(figure, than)} />
                  },
                })),
              ]}
            />
            {total > FIRST_CHANNELS + 1 ? (
              <Button
                size="s"
                tone="quiet"
                className="justify-self-start"
                aria-expanded={all}
                onClick={() => setAll(!all)}
              >
                {all
                  ? 'Show fewer channels'
                  : total > MOST
                    ? `Show the ${MOST} largest of ${count(total, 'channel')}`
                    : `Show all ${count(total, 'channel')}`}
              </Button>
            ) : null}
          </>
        )
      }}
    </Loaded>
  )
}
