import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { CALENDAR } from '#contract/constants.ts'
import { listPosts, type CalendarPost } from '#contract/postLists.ts'
import { Calendar } from '#web/features/calendar/Calendar.tsx'
import { daysOf, stepped, titleOf, type View } from '#web/features/calendar/days.ts'
import { filterQuery, filtersOf, isFiltering, noFilters } from '#web/features/posts/filterQuery.ts'
import { FreshDrafts } from '#web/features/posts/FreshDrafts.tsx'
import { MoveDialog } from '#web/features/posts/MoveDialog.tsx'
import { calendarStates, hasPlace } from '#web/features/posts/shownStates.ts'
import { isMovable, movedByDays } from '#web/features/posts/moving.ts'
import { PostFilters } from '#web/features/posts/PostFilters.tsx'
import { SavedViews } from '#web/features/posts/SavedViews.tsx'
import { useMovePost } from '#web/features/posts/useMovePost.ts'
import { afterPaint } from '#web/lib/afterPaint.ts'
import { addDays, rangeOf, wallOf, weekday, type Day } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/now.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { usePostList } from '#web/lib/postLists.ts'
import { isOnItsWay } from '#web/lib/shownTime.ts'
import { useShortcuts } from '#web/lib/shortcuts.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { useIsNarrow } from '#web/ui/useMedia.ts'
import { ZoneNote } from '#web/ui/ZoneNote.tsx'
import { CalendarSearch, readSearch, writeSearch } from '../search.ts'

const LabelsDialog = lazy(() => import('#web/features/labels/LabelsDialog.tsx'))
const route = getRouteApi('/$orgId/project/$projectId/calendar')
const views = [
  { value: 'month', label: 'Month' },
  { value: 'week', label: 'Week' },
  { value: 'list', label: 'List' },
] as const
const nothing: readonly CalendarPost[] = []

/** When posts are published: one query behind all views, with all state in the URL. */
export default function CalendarScreen() {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const narrow = useIsNarrow()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const router = useCalendarWays()
  const view: View = narrow && search.view === 'list' ? 'month' : (search.view ?? 'month')
  const now = useNow()
  const today = wallOf(now, zone).day
  const date = search.date ?? today
  // the same page for every day on it: another of its days loads and renders nothing again
  const anchor = view === 'week' ? addDays(date, -weekday(date)) : `${date.slice(0, 7)}-01`
  const days = useMemo(() => daysOf(view, anchor), [view, anchor])
  const range = useMemo(() => rangeOf(days[0] ?? anchor, days.at(-1) ?? anchor, zone), [days, anchor, zone])
  const query = usePostList(
    listPosts,
    {
      params: ids,
      query: {
        from: range.from.toISOString(),
        to: range.to.toISOString(),
        // one column shows the chosen day's posts in full lines
        view: narrow ? 'list' : view,
        status: search.status?.length ? search.status : [...calendarStates],
        ...filterQuery(search),
      },
    },
    { keepPrevious: true },
  )
  const found = query.data?.posts ?? nothing
  // as text, so that a minute in which no post's time came renders no cell
  const onTheirWay = useMemo(
    () => found.flatMap((post) => (isOnItsWay(post, now) ? [post.postId] : [])).join(' '),
    [found, now],
  )
  const posts = useMemo(() => {
    const sending = new Set(onTheirWay.split(' '))
    return found
      .filter(hasPlace)
      .map((post): CalendarPost => (sending.has(post.postId) ? { ...post, status: 'PROCESSING' } : post))
  }, [found, onTheirWay])

  const mayMove = useMay([['post', 'publish']]) === 'yes'
  const mayCreate = useMay([['post', 'create']]) === 'yes'
  const movable = useCallback((post: CalendarPost) => mayMove && isMovable(post), [mayMove])
  const move = useMovePost()
  const [asked, setAsked] = useState<CalendarPost>()
  const [labeling, setLabeling] = useState(false)

  const show = (change: Partial<typeof search>, replace: boolean) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace })
  // a filter's checkbox must respond immediately: only pages and posts may wait for the paint
  const filter = (change: Partial<typeof search>) => show(change, true)
  const go = (change: Partial<typeof search>) => afterPaint(() => show(change, false))
  // many posts render in the background, in pieces that clicks can interrupt
  const shown = useDeferredValue(
    useMemo(() => ({ view, days, date, posts, openId: search.post }), [view, days, date, posts, search.post]),
  )
  useEffect(() => {
    // the first opened post shouldn't wait for its code
    const soon = setTimeout(() => void import('./PostSheet.tsx'), 1000)
    return () => clearTimeout(soon)
  }, [])
  const step = (by: 1 | -1) => go({ date: stepped(view, date, by) })
  const focused = () => (document.activeElement instanceof HTMLElement ? document.activeElement : undefined)
  useShortcuts([
    { keys: 't', label: 'Go to today', group: 'Calendar', run: () => go({ date: undefined }) },
    {
      keys: 'm',
      label: 'Move the focused post to another time',
      group: 'Calendar',
      run: () => {
        const post = posts.find((one) => one.postId === focused()?.dataset.post)
        if (post && movable(post)) setAsked(post)
      },
    },
    {
      keys: 'n',
      label: 'Create a post on the focused day',
      group: 'Calendar',
      run: () => {
        const day = focused()?.closest<HTMLElement>('[data-day]')?.dataset.day ?? (date > today ? date : today)
        if (mayCreate && day < today) toast.warning('That day is in the past. Choose a later one.')
        else if (mayCreate) router.create(day)
      },
    },
  ])

  return (
    <Page
      title={titleOf(view, date)}
      fill={!narrow}
      controls={
        <>
          <IconButton
            label={view === 'week' ? 'Previous week' : 'Previous month'}
            icon={<ChevronLeft size={16} />}
            onClick={() => step(-1)}
          />
          <IconButton
            label={view === 'week' ? 'Next week' : 'Next month'}
            icon={<ChevronRight size={16} />}
            onClick={() => step(1)}
          />
          <Button className="max-md:hidden" onClick={() => go({ date: undefined })}>
            Today
          </Button>
          <ZoneNote zone={zone} at={range.from} until={range.to} className="max-md:hidden" />
        </>
      }
      bar={
        <>
          <Segmented
            label="View"
            options={narrow ? views.slice(0, 2) : views}
            value={view}
            onChange={(next) => go({ view: next === 'month' ? undefined : next })}
            className="shrink-0"
          />
          {narrow && date !== today ? (
            <Button size="s" className="md:hidden" onClick={() => go({ date: undefined })}>
              Today
            </Button>
          ) : null}
          <SavedViews
            page="calendar"
            search={
              isFiltering(filtersOf(search)) ? writeSearch({ view: search.view, ...filtersOf(search) }).slice(1) : ''
            }
            onOpen={(kept) =>
              filter({ view: undefined, ...noFilters, ...CalendarSearch.parse(readSearch(kept)), date: search.date })
            }
          />
          <PostFilters
            statuses={calendarStates}
            value={filtersOf(search)}
            onChange={filter}
            onManageLabels={() => setLabeling(true)}
          />
        </>
      }
    >
      {query.data?.truncated ? (
        <div className="px-3.5 pb-3 md:px-5">
          <Banner
            tone="info"
            title={`Showing ${found.length.toLocaleString('en')} of ${query.data.pagination.totalCount.toLocaleString('en')} posts`}
          >
            Filter by channel, or look at one week, to see the others.
          </Banner>
        </div>
      ) : null}
      <Loaded
        query={query}
        skeleton={
          <Skeletons label="Loading the calendar" className="mx-3.5 mb-5 grid min-h-90 flex-1 md:mx-5">
            <Skeleton className="h-full w-full rounded-lg" />
          </Skeletons>
        }
      >
        {() => (
          <Calendar
            {...shown}
            today={today}
            zone={zone}
            narrow={narrow}
            isMovable={movable}
            mayCreate={mayCreate}
            onOpen={(post) => go({ post })}
            onMove={(post, from, to) => move(post, movedByDays(post, from, to))}
            onCreate={router.create}
            onDate={(day) => filter({ date: day })}
            onStep={step}
            whenEmpty={
              // those of `shown` may be of before the answer came
              posts.length > 0
                ? undefined
                : isFiltering(filtersOf(search))
                  ? 'No posts match these filters in this period.'
                  : mayCreate && (days.at(-1) ?? date) >= today
                    ? 'Nothing is planned in this period. Point at a day and press +, or press N, to create a post.'
                    : 'Nothing is planned in this period.'
            }
            beforeList={
              date.slice(0, 7) === today.slice(0, 7) ? (
                <FreshDrafts
                  zone={zone}
                  since={rangeOf(addDays(today, 1 - CALENDAR.draftsListDays), today, zone).from}
                />
              ) : null
            }
          />
        )}
      </Loaded>
      {labeling ? (
        <Contained>
          <Suspense fallback={null}>
            <LabelsDialog onClose={() => setLabeling(false)} />
          </Suspense>
        </Contained>
      ) : null}
      {asked ? <MoveDialog post={asked} onClose={() => setAsked(undefined)} /> : null}
    </Page>
  )
}

function useCalendarWays() {
  const ids = useProjectIds()
  const navigate = route.useNavigate()
  return {
    create: (day: Day) =>
      void navigate({ to: '/$orgId/project/$projectId/compose', params: ids, search: { date: day } }),
  }
}
