import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import Newspaper from 'lucide-react/icons/newspaper'
import { FIRST_PAGE } from '#contract/constants.ts'
import { approvalsAll, approvalsOfMe, approvalsSent } from '#contract/approvalLists.ts'
import { draftQuery, listPosts } from '#contract/postLists.ts'
import { DateFilter } from '#web/features/posts/DateFilter.tsx'
import { filterQuery, filtersOf, isFiltering, type PostFilterValue } from '#web/features/posts/filterQuery.ts'
import { PostFilters } from '#web/features/posts/PostFilters.tsx'
import { PostListing } from '#web/features/posts/PostListing.tsx'
import { SavedViews } from '#web/features/posts/SavedViews.tsx'
import { PostTabs } from '#web/features/posts/PostTabs.tsx'
import { isPostTab, tabOf, type PostTab } from '#web/features/posts/tabs.ts'
import { rangeOf } from '#web/lib/dates.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds, useProjectZone, type ProjectIds } from '#web/lib/project.ts'
import { usePostList } from '#web/lib/postLists.ts'
import { Button } from '#web/ui/Button.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { NotFoundInside } from '../shell/NotFoundInside.tsx'
import { PostsSearch, readSearch, writeSearch } from '../search.ts'

const BulkScheduleScreen = lazy(() => import('./BulkScheduleScreen.tsx'))
const LinkInBioScreen = lazy(() => import('./LinkInBioScreen.tsx'))
const LabelsDialog = lazy(() => import('#web/features/labels/LabelsDialog.tsx'))
const route = getRouteApi('/$orgId/project/$projectId/posts/$tab')
const empty: Record<PostTab['tab'], { title: string; words: string }> = {
  posts: { title: 'No posts yet', words: 'Posts you schedule and publish appear here.' },
  draft: { title: 'No drafts', words: 'What you write is saved here automatically until you publish it.' },
  published: { title: 'Nothing published yet', words: 'Published posts appear here with a link to the platform.' },
  scheduled: { title: 'Nothing scheduled', words: 'Your upcoming posts appear here.' },
  approved: {
    title: 'No approved posts waiting',
    words: 'Approved posts whose time has passed appear here until they get a new one.',
  },
  'pending-approvals': {
    title: 'Nothing needs your approval',
    words: 'Posts waiting for your approval appear here.',
  },
  'sent-for-approvals': {
    title: 'Nothing sent for approval',
    words: "Posts you sent for approval appear here until they're approved or rejected.",
  },
  'all-approvals': {
    title: 'Nothing needs approval',
    words: 'Every post waiting for approval appears here, no matter who the approver is.',
  },
  rejected: { title: 'Nothing rejected', words: 'Rejected posts appear here with the reason.' },
  failed: {
    title: 'Nothing failed',
    words: "Posts that couldn't be published appear here with the reason and how to fix it.",
  },
  deleted: { title: 'Nothing deleted', words: 'Deleted posts appear here.' },
}

/** Lists that new posts are added to automatically; the others fill through decisions or failures. */
const beginsHere: ReadonlySet<PostTab['tab']> = new Set(['posts', 'draft', 'published', 'scheduled'])

/** What a view of a list keeps: its filters, and the list itself. Nothing where no filter is on. */
const viewOf = (tab: string, filters: PostFilterValue) =>
  isFiltering(filters) ? writeSearch({ tab, ...filters }).slice(1) : ''
const fromView = (view: string, ids: ProjectIds) => {
  const { tab = 'posts', ...kept } = readSearch(view)
  return {
    to: '/$orgId/project/$projectId/posts/$tab',
    params: { ...ids, tab: tabOf(tab).tab },
    search: PostsSearch.parse(kept),
  } as const
}

/** The lists of posts; on one of the tabs many are made at once, on another one published posts become a page of links. */
export default function PostsScreen() {
  const { tab } = route.useParams()
  if (isPostTab(tab)) return <PostsOfTab />
  if (tab !== 'bulk-schedule' && tab !== 'link-in-bio') return <NotFoundInside />
  return <Suspense fallback={null}>{tab === 'bulk-schedule' ? <BulkScheduleScreen /> : <LinkInBioScreen />}</Suspense>
}

/** Posts of one state, page by page. */
function PostsOfTab() {
  const ids = useProjectIds()
  const { tab: name } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const zone = useProjectZone()
  const tab = tabOf(name)
  const page = search.page ?? FIRST_PAGE
  const { from, to } = search
  // however long the days are that are chosen: every post of them is on one of the pages
  const filters = {
    page,
    view: 'pages' as const,
    ...filterQuery(search),
    ...(from ? { from: rangeOf(from, from, zone).from.toISOString() } : {}),
    ...(to ? { to: rangeOf(to, to, zone).to.toISOString() } : {}),
  }
  const chosen = search.status?.filter((state) => tab.states.some((one) => one === state))
  const listed = usePostList(
    listPosts,
    { params: ids, query: { ...filters, status: chosen?.length ? chosen : [...tab.states] } },
    { keepPrevious: true, enabled: !('own' in tab) },
  )
  const drafts = usePostList(
    draftQuery,
    { params: ids, query: filters },
    { keepPrevious: true, enabled: tab.tab === 'draft' },
  )
  const pending = usePostList(
    approvalsOfMe,
    { params: ids, query: filters },
    { keepPrevious: true, enabled: tab.tab === 'pending-approvals' },
  )
  const sent = usePostList(
    approvalsSent,
    { params: ids, query: filters },
    { keepPrevious: true, enabled: tab.tab === 'sent-for-approvals' },
  )
  const every = usePostList(
    approvalsAll,
    { params: ids, query: filters },
    { keepPrevious: true, enabled: tab.tab === 'all-approvals' },
  )
  const query =
    tab.tab === 'draft'
      ? drafts
      : tab.tab === 'pending-approvals'
        ? pending
        : tab.tab === 'sent-for-approvals'
          ? sent
          : tab.tab === 'all-approvals'
            ? every
            : listed

  const mayCreate = useMay([['post', 'create']]) === 'yes'
  const [labeling, setLabeling] = useState(false)
  const beyond = page > FIRST_PAGE
  const filtered = isFiltering(filtersOf(search)) || Boolean(from ?? to)

  return (
    <Page title={tab.title}>
      <div className="grid gap-3.5">
        <PostTabs />
        <div className="no-scrollbar flex items-center gap-1.5 max-md:-mx-3.5 max-md:overflow-x-auto max-md:px-3.5 md:flex-wrap">
          <SavedViews
            page="posts"
            search={viewOf(tab.tab, filtersOf(search))}
            onOpen={(view) => void navigate(fromView(view, ids))}
          />
          <DateFilter
            value={{ from, to }}
            onChange={(range) =>
              void navigate({ search: (before) => ({ ...before, ...range, page: undefined }), replace: true })
            }
          />
          <PostFilters
            statuses={tab.states}
            value={filtersOf(search)}
            onManageLabels={() => setLabeling(true)}
            onChange={(change) =>
              void navigate({ search: (before) => ({ ...before, ...change, page: undefined }), replace: true })
            }
          />
        </div>
        <Loaded
          query={query}
          isEmpty={(list) => list.posts.length === 0}
          empty={
            <EmptyState
              icon={<Newspaper size={20} />}
              title={
                beyond ? "This page doesn't exist" : filtered ? 'No posts match these filters' : empty[tab.tab].title
              }
              action={
                beyond ? (
                  <Button onClick={() => void navigate({ search: (before) => ({ ...before, page: undefined }) })}>
                    Go to the first page
                  </Button>
                ) : mayCreate && !filtered && beginsHere.has(tab.tab) ? (
                  <ButtonLink to="/$orgId/project/$projectId/compose" params={ids}>
                    Create post
                  </ButtonLink>
                ) : null
              }
            >
              {beyond ? 'The list has fewer pages.' : filtered ? 'Clear a filter to see more.' : empty[tab.tab].words}
            </EmptyState>
          }
        >
          {({ posts, pagination }) => (
            <div className="grid gap-3">
              <PostListing
                label={tab.label}
                posts={posts}
                deleted={tab.tab === 'deleted'}
                decides={tab.tab === 'pending-approvals'}
              />
              <Pagination
                page={pagination.currentPage}
                totalPages={pagination.totalPages}
                loading={query.isPlaceholderData}
                onPage={(next) =>
                  void navigate({ search: (before) => ({ ...before, page: next === FIRST_PAGE ? undefined : next }) })
                }
              />
            </div>
          )}
        </Loaded>
      </div>
      {labeling ? (
        <Contained>
          <Suspense fallback={null}>
            <LabelsDialog onClose={() => setLabeling(false)} />
          </Suspense>
        </Contained>
      ) : null}
    </Page>
  )
}
