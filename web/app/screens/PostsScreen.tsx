import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import Newspaper from 'lucide-react/icons/newspaper'
import { FIRST_PAGE } from '#contract/constants.ts'
import { draftQuery, listPosts, type PostRow } from '#contract/posts.ts'
import { DeleteDialog } from '#web/features/posts/DeleteDialog.tsx'
import { MoveDialog } from '#web/features/posts/MoveDialog.tsx'
import { PostFilters } from '#web/features/posts/PostFilters.tsx'
import { PostTable } from '#web/features/posts/PostTable.tsx'
import { PostTabs } from '#web/features/posts/PostTabs.tsx'
import { tabOf, type PostTab } from '#web/features/posts/tabs.ts'
import { usePostActions } from '#web/features/posts/usePostActions.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { EmptyState } from '#web/ui/states.tsx'

const route = getRouteApi('/$orgId/project/$projectId/posts/$tab')
const empty: Record<PostTab['tab'], { title: string; words: string }> = {
  posts: { title: 'No posts yet', words: 'What you publish and schedule is listed here.' },
  draft: { title: 'No drafts', words: 'What you write is saved here by itself until you publish it.' },
  published: { title: 'Nothing is published yet', words: 'Posts appear here with their address on the platform.' },
  scheduled: { title: 'Nothing is scheduled', words: 'Posts that wait for their time are listed here.' },
  failed: { title: 'Nothing failed', words: 'A post that could not go out is listed here with the reason and what mends it.' },
  deleted: { title: 'Nothing was deleted', words: 'Deleted posts stay listed here.' },
}

/** Posts of one state, page by page. */
export default function PostsScreen() {
  const ids = useProjectIds()
  const { tab: name } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const tab = tabOf(name)
  const page = search.page ?? FIRST_PAGE
  const filters = { page, ...(search.channelIds ? { channelId: search.channelIds } : {}), ...(search.userIds ? { author: search.userIds } : {}) }
  const chosen = search.status?.filter((state) => tab.states.some((one) => one === state))
  const listed = useCall(listPosts, { params: ids, query: { ...filters, status: chosen?.length ? chosen : [...tab.states] } }, { keepPrevious: true, enabled: tab.tab !== 'draft' })
  const drafts = useCall(draftQuery, { params: ids, query: filters }, { keepPrevious: true, enabled: tab.tab === 'draft' })
  const query = tab.tab === 'draft' ? drafts : listed

  const mayCreate = useMay([['post', 'create']]) === 'yes'
  const rights = { edit: useMay([['post', 'edit']]) === 'yes', publish: useMay([['post', 'publish']]) === 'yes', remove: useMay([['post', 'delete']]) === 'yes' }
  const actions = usePostActions()
  const [moving, setMoving] = useState<PostRow>()
  const [deleting, setDeleting] = useState<PostRow>()
  const beyond = page > FIRST_PAGE
  const filtered = Boolean(search.status?.length || search.channelIds?.length || search.userIds?.length)

  return (
    <Page title={tab.title}>
      <div className="grid gap-3.5">
        <PostTabs />
        <div className="flex items-center gap-1.5 overflow-x-auto">
          <PostFilters statuses={tab.states.length > 1 ? tab.states : []} value={search} onChange={({ status, channelIds, userIds }) => void navigate({ search: (before) => ({ ...before, status, channelIds, userIds, page: undefined }), replace: true })} />
        </div>
        <Loaded
          query={query}
          isEmpty={(list) => list.posts.length === 0}
          empty={
            <EmptyState
              icon={<Newspaper size={20} />}
              title={beyond ? 'There is no such page' : filtered ? 'Nothing matches the filters' : empty[tab.tab].title}
              action={
                beyond ? (
                  <Button onClick={() => void navigate({ search: (before) => ({ ...before, page: undefined }) })}>Go to the first page</Button>
                ) : mayCreate && !filtered ? (
                  <ButtonLink to="/$orgId/project/$projectId/compose" params={ids}>
                    Create post
                  </ButtonLink>
                ) : null
              }
            >
              {beyond ? 'The list is shorter than that.' : filtered ? 'Clear a filter to see more.' : empty[tab.tab].words}
            </EmptyState>
          }
        >
          {({ posts, pagination }) => (
            <div className="grid gap-3">
              <PostTable
                label={tab.label}
                rows={posts}
                rights={rights}
                openId={search.post}
                onOpen={(post) => void navigate({ search: (before) => ({ ...before, post }) })}
                onEdit={(post) => void navigate({ to: '/$orgId/project/$projectId/compose', params: ids, search: post.status === 'DRAFTS' ? { draft: post.postId } : { edit: post.postId } })}
                onMove={setMoving}
                onRetry={(post) => void actions.retry(post)}
                onDelete={(post) => (post.status === 'PUBLISHED' ? setDeleting(post) : void actions.remove(post))}
              />
              <Pagination page={pagination.currentPage} totalPages={pagination.totalPages} loading={query.isPlaceholderData} onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next === FIRST_PAGE ? undefined : next }) })} />
            </div>
          )}
        </Loaded>
      </div>
      {moving ? <MoveDialog post={moving} onClose={() => setMoving(undefined)} /> : null}
      {deleting ? <DeleteDialog post={deleting} onClose={() => setDeleting(undefined)} onDelete={(platform) => void actions.remove(deleting, platform)} /> : null}
    </Page>
  )
}
