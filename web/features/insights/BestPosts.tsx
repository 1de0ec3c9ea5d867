import { figureText, postTitle } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import { insightsPosts } from '#contract/analytics/posts.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { excerptText } from '#contract/postLists.ts'
import { dateOf } from '#web/lib/format.ts'
import { useProjectZone, type ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import type { InsightsFilters } from './insightsSearch.ts'
import { PostThumbnail } from './posts/PostThumbnail.tsx'
import type { NamedChannels } from './useChannels.ts'

const MOST = 5

type Props = {
  ids: ProjectIds
  query: InsightsFilter
  filters: InsightsFilters
  channels: NamedChannels
  /** The figure that decides, and those beside it. */ by: FigureKey
  beside: readonly FigureKey[]
  /** Says the figures in this platform's own terms. */ platform?: PlatformKey
}

/** The posts published in these days with the most of a figure, and the way to all of them. */
export default function BestPosts({ ids, query, filters, channels, by, beside, platform }: Props) {
  const zone = useProjectZone()
  const { compareFrom: _from, compareTo: _to, ...days } = query
  const columns = [by, ...beside]
  const found = useCall(
    insightsPosts,
    { params: ids, query: { ...days, sort: by, columns, limit: MOST } },
    { keepPrevious: true, handles: true },
  )
  const aside = (
    <Link
      to="/$orgId/project/$projectId/insights/$"
      params={{ ...ids, _splat: 'post-table' }}
      search={{ ...filters, sort: by }}
      className="touch-area text-sm"
    >
      All posts
    </Link>
  )
  return (
    <Panel title="Best posts" aside={aside}>
      <Loaded
        query={found}
        skeleton={
          <Skeletons label="Loading posts">
            <Skeleton className="h-80 rounded-lg" />
          </Skeletons>
        }
        isEmpty={({ posts }) => posts.every(({ figures }) => figures[by] === undefined)}
        empty={<p className={`${paperClass} px-3.5 py-3 text-ink-muted`}>No posts with figures in these days.</p>}
      >
        {({ posts }) => (
          <ol aria-label="Best posts" className={paperClass}>
            {posts
              .filter(({ figures }) => figures[by] !== undefined)
              .map((post) => {
                const channel = channels.get(post.channelId)
                return (
                  <li
                    key={post.postId}
                    className="relative flex items-center gap-3 border-line px-3 py-2.5 not-last:border-b hover:bg-hover"
                  >
                    <PostThumbnail post={post} className="size-12" />
                    <span className="grid min-w-0 flex-1 leading-tight">
                      <Link
                        to="/$orgId/project/$projectId/insights/$"
                        params={{ ...ids, _splat: `post/${post.postId}` }}
                        search={filters}
                        className="line-clamp-2 text-ink! no-underline after:absolute after:inset-0 hover:underline"
                      >
                        {excerptText(post.excerpt)}
                      </Link>
                      <span className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-0.5 pt-1 text-xs text-ink-muted">
                        <span className="flex max-w-full min-w-0 items-center gap-1.5">
                          {channel ? <PlatformIcon platform={channel.platformName} size={14} named /> : null}
                          <span dir="auto" className="truncate">
                            {channel?.shownName}
                          </span>
                        </span>
                        <span className="tnum">{dateOf(post.publishedAt, zone)}</span>
                      </span>
                    </span>
                    <dl className="flex shrink-0 gap-4 text-right">
                      {columns.map((name, i) => (
                        // as wide in each row, so that they're columns
                        <div key={name} className={i === 0 ? 'w-24' : 'w-32 max-lg:hidden'}>
                          <dd className="tnum font-semibold">{figureText(name, post.figures[name])}</dd>
                          <dt className="text-xs text-ink-muted">{postTitle(name, platform)}</dt>
                        </div>
                      ))}
                    </dl>
                  </li>
                )
              })}
          </ol>
        )}
      </Loaded>
    </Panel>
  )
}
