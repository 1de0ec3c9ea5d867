import { useState } from 'react'
import X from 'lucide-react/icons/x'
import { BULK_MOST, type BulkAction } from '#contract/bulkPosts.ts'
import type { PostRow } from '#contract/postLists.ts'
import { count } from '#web/lib/format.ts'
import { scheduleAt } from '#web/lib/moment.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Link } from '#web/ui/Link.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { BulkLabelDialog } from './BulkLabelDialog.tsx'
import { BulkMoveDialog } from './BulkMoveDialog.tsx'
import { useApproveMany } from './useDecideMany.ts'
import { useBulk } from './useBulk.ts'
import type { PostRights } from './usePostRights.ts'
import { whyNot } from './whyNot.ts'

type Props = {
  posts: readonly PostRow[]
  /** How many are listed. */ listed: number
  rightsOf: (post: PostRow) => PostRights
  onAll: () => void
  onClear: () => void
  /** They all wait for the reader's word. */ decides: boolean
}
type Action = 'reschedule' | 'label' | 'retry' | 'delete'
const words: Record<Action, string> = { reschedule: 'Move', label: 'Label', retry: 'Retry', delete: 'Delete' }

/** What can be done to the chosen posts; stays in sight while the list scrolls. An action that fits none of them says so. */
export function BulkBar({ posts, listed, rightsOf, onAll, onClear, decides }: Props) {
  const zone = useProjectZone()
  const bulk = useBulk()
  const approving = useApproveMany()
  const [asking, setAsking] = useState<'reschedule' | 'label'>()
  const postIds = posts.map(({ postId }) => postId)
  const fitting = (action: Action) => posts.filter((post) => whyNot(action, post, rightsOf(post)) === undefined).length
  const whyNone = (action: Action) =>
    postIds.length > BULK_MOST
      ? `At most ${BULK_MOST} posts can be changed at once.`
      : fitting(action) === 0
        ? posts[0] && posts.length === 1
          ? whyNot(action, posts[0], rightsOf(posts[0]))
          : 'It fits none of the chosen posts.'
        : undefined
  const run = async (body: BulkAction) => {
    if (!(await bulk.run(posts, body))) return
    setAsking(undefined)
    onClear()
  }
  const approve = async () => {
    bulk.setRefused(await approving.run(posts))
    onClear()
  }
  const act = (action: Action) => {
    if (action === 'reschedule' || action === 'label') setAsking(action)
    else void run({ action, postIds })
  }
  return (
    <>
      {posts.length > 0 ? (
        <div
          role="region"
          aria-label="Chosen posts"
          className="sticky bottom-3 z-20 mx-auto flex max-w-full flex-wrap items-center gap-1.5 rounded-lg border border-line bg-raised py-1.5 pr-10 pl-3.5 shadow-2 max-md:bottom-[calc(64px+env(safe-area-inset-bottom))]"
        >
          <span role="status" className="tnum mr-1.5 font-semibold max-md:leading-8">{`${posts.length} chosen`}</span>
          {posts.length < listed ? (
            <Button size="s" tone="quiet" onClick={onAll}>
              Choose all {listed}
            </Button>
          ) : null}
          {decides ? (
            <Button size="s" tone="primary" loading={approving.at !== undefined} onClick={() => void approve()}>
              {approving.at === undefined ? 'Approve' : `${approving.at.done + 1} of ${approving.at.of}`}
            </Button>
          ) : null}
          {(['reschedule', 'label', 'retry', 'delete'] as const).map((action) => {
            const why = whyNone(action)
            const button = (
              <Button
                key={action}
                size="s"
                loading={bulk.busy}
                disabled={approving.at !== undefined}
                aria-disabled={why ? true : undefined}
                onClick={why ? undefined : () => act(action)}
              >
                {words[action]}
                {why ? <span className="sr-only">. {why}</span> : null}
              </Button>
            )
            return why ? (
              <Tooltip key={action} text={why}>
                {button}
              </Tooltip>
            ) : (
              button
            )
          })}
          <IconButton
            label="Choose none"
            icon={<X size={15} />}
            onClick={onClear}
            className="absolute top-1.5 right-1.5"
          />
        </div>
      ) : null}
      {asking === 'label' ? (
        <BulkLabelDialog
          posts={posts}
          busy={bulk.busy}
          onClose={() => setAsking(undefined)}
          onApply={(change) => void run({ action: 'label', postIds, ...change })}
        />
      ) : null}
      {asking === 'reschedule' ? (
        <BulkMoveDialog
          posts={posts}
          zone={zone}
          busy={bulk.busy}
          onClose={() => setAsking(undefined)}
          onApply={(when) => void run({ action: 'reschedule', postIds, schedule: scheduleAt(when) })}
        />
      ) : null}
      {bulk.refused.length > 0 ? (
        <Dialog
          open
          onOpenChange={() => bulk.setRefused([])}
          title={`${count(bulk.refused.length, 'post was', 'posts were')} not changed`}
          footer={<Button onClick={() => bulk.setRefused([])}>Close</Button>}
        >
          <ul className="grid gap-3">
            {bulk.refused.map(({ post, reason }, i) => (
              <li key={post?.postId ?? i}>
                {post ? (
                  <Link
                    to="."
                    search={(before) => ({ ...before, post: post.postId })}
                    onClick={() => bulk.setRefused([])}
                    className="flex min-w-0 items-center gap-1.5 py-0.5 text-ink!"
                  >
                    {post.channel ? <PlatformIcon platform={post.channel.platformName} size={14} named /> : null}
                    <span className="truncate">{post.excerpt || 'A post without text'}</span>
                  </Link>
                ) : null}
                <span className="text-ink-muted">{reason}</span>
              </li>
            ))}
          </ul>
        </Dialog>
      ) : null}
    </>
  )
}
