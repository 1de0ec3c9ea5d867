import { getRouteApi, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import { getPost } from '#contract/posts.ts'
import { ApprovalPanel } from '#web/features/approvals/ApprovalPanel.tsx'
import { BoostPanel } from '#web/features/boosts/BoostPanel.tsx'
import { DiscussionsLink } from '#web/features/discussions/DiscussionsLink.tsx'
import { NotesPanel } from '#web/features/notes/NotesPanel.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { PostConversations } from '#web/features/inbox/PostConversations.tsx'
import { FailureBox } from '#web/features/posts/FailureBox.tsx'
import { MoveDialog } from '#web/features/posts/MoveDialog.tsx'
import { PostActivity } from '#web/features/posts/PostActivity.tsx'
import { PostButtons } from '#web/features/posts/PostButtons.tsx'
import { PostDetail, PostHead } from '#web/features/posts/PostDetail.tsx'
import { usePostActions } from '#web/features/posts/usePostActions.ts'
import { usePostRights } from '#web/features/posts/usePostRights.ts'
import { useStatusNews } from '#web/features/posts/useStatusNews.ts'
import { wallOf } from '#web/lib/dates.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'

const route = getRouteApi('/$orgId/project/$projectId/post/$postId')

const PostFigures = lazy(() => import('#web/features/posts/PostFigures.tsx'))

/** One post by its own address, as links in mails and notices lead to it. */
export default function PostScreen() {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const { postId } = route.useParams()
  const { panel } = route.useSearch()
  const navigate = route.useNavigate()
  const router = useRouter()
  const query = useCall(getPost, { params: { ...ids, postId } }, { handles: ['NOT_FOUND'] })
  const [moving, setMoving] = useState(false)
  const actions = usePostActions()
  const rights = usePostRights(query.data)
  const mayReadNotes = useMay([['note', 'view']]) === 'yes'
  useStatusNews(query.data)
  const post = query.data
  return (
    <Page title="Post" bar={post ? <PostHead post={post} /> : null}>
      <Loaded query={query} skeleton={<SkeletonLines lines={10} label="Loading the post" />}>
        {(loaded) => (
          <div className="grid gap-5">
            <ButtonLink
              size="s"
              tone="quiet"
              className="-ml-2 justify-self-start"
              icon={<ChevronLeft size={15} aria-hidden />}
              to="/$orgId/project/$projectId/calendar"
              params={ids}
              search={{ date: wallOf(new Date(loaded.at), zone).day }}
            >
              Calendar
            </ButtonLink>
            <PostDetail
              wide
              post={loaded}
              trouble={
                <>
                  <FailureBox
                    post={loaded}
                    actions={actions}
                    mayPublish={rights.publish}
                    mayEdit={rights.edit}
                    mayReconnect={rights.reconnect}
                    onMove={() => setMoving(true)}
                  />
                  <ApprovalPanel post={loaded} />
                </>
              }
            />
            <Contained fallback={null}>
              <Suspense>
                <PostFigures post={loaded} />
              </Suspense>
            </Contained>
            <PostConversations post={loaded} />
            <BoostPanel post={loaded} mayPublish={rights.publish} />
            <Tabs
              label="About the post"
              className="border-t border-line pt-2 lg:max-w-[36rem]"
              value={panel === 'activity' || !mayReadNotes ? 'activity' : 'notes'}
              onChange={(next) =>
                void navigate({
                  search: (before) => ({ ...before, panel: next === 'notes' ? undefined : next }),
                  replace: true,
                })
              }
              tabs={[
                ...(mayReadNotes
                  ? [
                      {
                        value: 'notes' as const,
                        label: 'Notes',
                        content: (
                          <div className="grid gap-3">
                            <DiscussionsLink about={{ postId: loaded.postId }} />
                            <NotesPanel about={{ postId: loaded.postId }} />
                          </div>
                        ),
                      },
                    ]
                  : []),
                { value: 'activity', label: 'Activity', content: <PostActivity post={loaded} /> },
              ]}
            />
            <div className="flex flex-wrap gap-2 border-t border-line pt-4 lg:max-w-[58.5rem]">
              <PostButtons
                post={loaded}
                actions={actions}
                rights={rights}
                onMove={() => setMoving(true)}
                onGone={() =>
                  void router.navigate({
                    to: '/$orgId/project/$projectId/posts/$tab',
                    params: { ...ids, tab: 'posts' },
                  })
                }
              />
            </div>
          </div>
        )}
      </Loaded>
      {moving && post ? <MoveDialog post={post} onClose={() => setMoving(false)} /> : null}
    </Page>
  )
}
