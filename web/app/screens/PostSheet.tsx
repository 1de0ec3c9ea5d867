import { lazy, Suspense, useState } from 'react'
import Maximize from 'lucide-react/icons/maximize-2'
import { getPost } from '#contract/posts.ts'
import { PostParts } from './posts/PostParts.tsx'
import { ApprovalPanel } from '#web/features/approvals/ApprovalPanel.tsx'
import { BoostPanel } from '#web/features/boosts/BoostPanel.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { PostConversations } from '#web/features/inbox/PostConversations.tsx'
import { FailureBox } from '#web/features/posts/FailureBox.tsx'
import { MoveDialog } from '#web/features/posts/MoveDialog.tsx'
import { PostButtons } from '#web/features/posts/PostButtons.tsx'
import { PostDetail, PostHead } from '#web/features/posts/PostDetail.tsx'
import { usePostActions } from '#web/features/posts/usePostActions.ts'
import { usePostRights } from '#web/features/posts/usePostRights.ts'
import { useStatusNews } from '#web/features/posts/useStatusNews.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Sheet } from '#web/ui/Sheet.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'

const PostFigures = lazy(() => import('#web/features/posts/PostFigures.tsx'))

/** The open post over calendar and lists: the search parameter `post`. */
export default function PostSheet({ postId, onClose }: { postId: string; onClose: () => void }) {
  const ids = useProjectIds()
  const query = useCall(getPost, { params: { ...ids, postId } }, { handles: ['NOT_FOUND'] })
  const [moving, setMoving] = useState(false)
  const actions = usePostActions()
  const rights = usePostRights(query.data)
  useStatusNews(query.data)
  const post = query.data
  return (
    <>
      <Sheet
        open
        beside
        title="Post"
        onOpenChange={(open) => (open ? undefined : onClose())}
        {...(post
          ? {
              head: (
                <span className="flex w-full min-w-0 items-center gap-1">
                  <span className="flex min-w-0 grow flex-wrap items-center gap-x-2 gap-y-1">
                    <PostHead post={post} />
                  </span>
                  <Tooltip text="Open as a page">
                    {/* a phone's sheet is as wide as the page, and its head is needed for the time */}
                    <Link
                      to="/$orgId/project/$projectId/post/$postId"
                      params={{ ...ids, postId }}
                      aria-label="Open as a page"
                      className="grid size-8 shrink-0 place-items-center rounded-md text-ink-muted! hover:bg-hover max-md:hidden"
                    >
                      <Maximize size={14} aria-hidden />
                    </Link>
                  </Tooltip>
                </span>
              ),
              footer: (
                <PostButtons
                  post={post}
                  actions={actions}
                  rights={rights}
                  onMove={() => setMoving(true)}
                  onGone={onClose}
                />
              ),
            }
          : {})}
      >
        <Loaded query={query} skeleton={<SkeletonLines lines={8} label="Loading the post" />}>
          {(loaded) => (
            <PostParts post={loaded}>
              <PostDetail
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
                  <PostFigures post={loaded} className="mt-4" />
                </Suspense>
              </Contained>
              <PostConversations post={loaded} className="mt-4" />
              <BoostPanel post={loaded} mayPublish={rights.publish} className="mt-4" />
            </PostParts>
          )}
        </Loaded>
      </Sheet>
      {moving && post ? <MoveDialog post={post} onClose={() => setMoving(false)} /> : null}
    </>
  )
}
