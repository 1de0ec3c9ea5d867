import { getRouteApi } from '@tanstack/react-router'
import ChartLine from 'lucide-react/icons/chart-line'
import { FigureKey } from '#contract/analytics/names.ts'
import { columnsOf, ownColumn } from '#contract/analytics/postColumns.ts'
import { insightsPostMedians, insightsPostsCsv } from '#contract/analytics/posts.ts'
import { chosenPlatforms } from '#web/features/insights/chosenPlatforms.ts'
import { FilteredAway } from '#web/features/insights/FilteredAway.tsx'
import { filtersOf, queryOf } from '#web/features/insights/insightsSearch.ts'
import { NoChannels } from '#web/features/insights/NoChannels.tsx'
import { ColumnChoice } from '#web/features/insights/posts/ColumnChoice.tsx'
import { PostTable } from '#web/features/insights/posts/PostTable.tsx'
import type { OpensPost } from '#web/features/insights/posts/PostTableLine.tsx'
import { shownColumns } from '#web/features/insights/posts/postTableView.ts'
import { usePostTable, type TableOrder } from '#web/features/insights/posts/usePostTable.ts'
import { thisWeek } from '#web/features/insights/thisWeek.ts'
import { useAbsence } from '#web/features/insights/useAbsence.ts'
import { useChannels } from '#web/features/insights/useChannels.ts'
import { useToday } from '#web/features/insights/useToday.ts'
import { SavedViews } from '#web/features/posts/SavedViews.tsx'
import { addressOf } from '#web/lib/client.ts'
import { count } from '#web/lib/format.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { AsOf } from '#web/ui/AsOf.tsx'
import { buttonClass } from '#web/ui/buttonClass.ts'
import { Link, OutsideLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { InsightsSearch, readSearch, writeSearch } from '../../search.ts'

const route = getRouteApi('/$orgId/project/$projectId/insights/$')

/** A column of links needs no lines under them. Each takes its whole cell. */
const quiet = 'text-ink! no-underline after:absolute after:inset-0 hover:underline'

/** Every post of the days with its figures to date; `isLimited`: the plan only includes those of the last 7 days. */
export default function PostTableSection({ isLimited }: { isLimited: boolean }) {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const today = useToday()
  const channels = useChannels(ids)
  const absence = useAbsence(ids)
  const maySeePosts = useMay([['post', 'view']]) === 'yes'
  const filters = isLimited ? thisWeek(filtersOf(search)) : filtersOf(search)
  const { compareFrom: _from, compareTo: _to, ...query } = queryOf(filters, today)
  const platforms = chosenPlatforms(channels, filters)
  const [platform] = platforms.length === 1 ? platforms : []
  const offered = columnsOf(platforms)
  const columns = shownColumns(figuresIn(search.columns), platforms)
  const [sort] = figuresIn([search.sort ?? ''])
  const order: TableOrder = {
    sort: sort === undefined ? 'publishedAt' : ownColumn(sort, platforms),
    order: search.order ?? 'desc',
  }
  const table = usePostTable(ids, { ...query, ...order, columns })
  const medians = useCall(
    insightsPostMedians,
    { params: ids, query: { ...query, columns } },
    { keepPrevious: true, handles: true },
  )
  // of platforms whose terms forbid working anything out, these columns could only be empty
  const apart = medians.data?.without ?? []
  const isApart = platforms.length > 0 && platforms.every((one) => apart.includes(one))
  const isShown = (name: FigureKey) => !isApart || (name !== 'engagements' && name !== 'engagementRate')
  const kept = { ...filters, sort: search.sort, order: search.order, columns: search.columns }
  const opens: OpensPost = (post, text) =>
    !isLimited ? (
      <Link
        className={quiet}
        to="/$orgId/project/$projectId/insights/$"
        params={{ ...ids, _splat: `post/${post.postId}` }}
        search={filters}
      >
        {text}
      </Link>
    ) : post.origin === 'here' && maySeePosts ? (
      <Link className={quiet} to="." search={(before) => ({ ...before, post: post.postId })}>
        {text}
      </Link>
    ) : post.permalink === null ? (
      text
    ) : (
      <OutsideLink className={quiet} href={post.permalink}>
        {text}
      </OutsideLink>
    )
  return (
    <section aria-label="Post table" className="grid min-w-0 gap-2.5">
      <div className="flex min-h-8 flex-wrap items-center gap-2">
        <ColumnChoice
          offered={offered.filter(isShown)}
          shown={columns.filter(isShown)}
          platform={platform}
          onChange={(next) =>
            void navigate({ search: (before) => ({ ...before, columns: next }), replace: true, resetScroll: false })
          }
        />
        <SavedViews
          page="insights"
          search={writeSearch(kept).slice(1)}
          onOpen={(view) =>
            void navigate({ search: ({ post, panel }) => ({ post, panel, ...InsightsSearch.parse(readSearch(view)) }) })
          }
        />
        <a
          href={addressOf(insightsPostsCsv, { params: ids, query: { ...query, ...order } })}
          download
          className={buttonClass({ size: 's' })}
        >
          Export CSV
        </a>
        <p className="ml-auto flex flex-wrap items-baseline gap-x-3 text-sm text-ink-muted">
          {table.data ? (
            <span className="tnum">{count(table.data.first.total ?? 0, 'post')}, with their figures to date</span>
          ) : null}
          {table.data?.first.asOf ? <AsOf at={table.data.first.asOf} zone={zone} /> : null}
        </p>
      </div>
      <Loaded
        query={table}
        skeleton={<RowsToCome />}
        isEmpty={({ rows }) => rows.length === 0}
        empty={
          absence ? (
            <NoChannels absence={absence} />
          ) : (
            <FilteredAway
              icon={<ChartLine size={20} />}
              title={isLimited ? 'No posts in the last 7 days' : 'No posts in these days'}
              text="Posts that were published from here, or in the platform's own app, appear here with their figures."
              hasFixedDays={isLimited}
            />
          )
        }
      >
        {(loaded) => (
          <PostTable
            loaded={loaded}
            columns={columns.filter(isShown)}
            order={order}
            onOrder={({ sort, order: way }) =>
              void navigate({
                search: (before) => ({
                  ...before,
                  sort: sort === 'publishedAt' ? undefined : sort,
                  order: way === 'asc' ? way : undefined,
                }),
                replace: true,
                resetScroll: false,
              })
            }
            medians={medians.data?.medians ?? null}
            platform={platform}
            channels={channels}
            apart={apart}
            opens={opens}
            hasMore={table.hasNextPage}
            onMore={() => {
              if (!table.isFetchingNextPage) void table.fetchNextPage()
            }}
            isOld={table.isPlaceholderData}
          />
        )}
      </Loaded>
      {medians.data?.medians === null ? (
        <p className="text-sm text-ink-muted">Choose fewer days to see medians and totals: there are too many posts.</p>
      ) : medians.error ? (
        <p className="text-sm text-ink-muted">
          The medians and totals couldn't be loaded. Reload the page to try again.
        </p>
      ) : null}
      {apart.length > 0 ? (
        <p className="text-sm text-pretty text-ink-muted">
          {isApart ? 'There are no medians and totals of' : "Medians, totals and the order don't include"}{' '}
          {apart.map(platformName).join(' and ')}, because its terms don't allow comparing its figures with others.
        </p>
      ) : null}
    </section>
  )
}

/** Of names in the address, those that are figures. */
const figuresIn = (names: readonly string[] | undefined): FigureKey[] =>
  (names ?? []).flatMap((name) => FigureKey.safeParse(name).data ?? [])

function RowsToCome() {
  return (
    <Skeletons label="Loading posts" className="grid gap-1.5">
      <Skeleton className="h-29 rounded-lg" />
      {Array.from({ length: 7 }, (_, i) => (
        <Skeleton key={i} className="h-13 rounded-md" />
      ))}
    </Skeletons>
  )
}
