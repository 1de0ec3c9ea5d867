import { useState } from 'react'
import X from 'lucide-react/icons/x'
import { BULK_MOST, type BulkAction } from '#contract/bulkPosts.ts'
import type { PostRow } from '#contract/postLists.ts'
import { scheduleAt } from '#web/lib/moment.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { BulkLabelDialog } from './BulkLabelDialog.tsx'
import { BulkMoveDialog } from './BulkMoveDialog.tsx'
import { RefusedDialog } from './RefusedDialog.tsx'
import { useBulk } from './useBulk.ts'
import type { useDecideMany } from './useDecideMany.ts'
import type { PostRights } from './usePostRights.ts'
import { whyNot } from './whyNot.ts'

type Props = {
  posts: readonly PostRow[]
  /** How many are listed. */ listed: number
  rightsOf: (post: PostRow) => PostRights
  onAll: () => void
  onClear: () => void
  /** The reader is an approver. */
  deciding: Deciding | undefined
}

/** Approves and rejects the chosen posts. */
type Deciding = {
  onApprove: () => void
  onReject: () => void
  /** The decision being sent. */
  at: ReturnType<typeof useDecideMany>['at']
}
type Action = 'reschedule' | 'label' | 'retry' | 'delete'
const words: Record<Action, string> = { reschedule: 'Move', label: 'Label', retry: 'Retry', delete: 'Delete' }

/** Actions for the selected posts; stays visible while the list scrolls. An action that fits none of them says so. */
export function BulkBar({ posts, listed, rightsOf, onAll, onClear, deciding }: Props) {
  const zone = useProjectZone()
  const now = useNow()
  const bulk = useBulk()
  const [asking, setAsking] = useState<'reschedule' | 'label'>()
  const postIds = posts.map(({ postId }) => postId)
  const fitting = (action: Action) =>
    posts.filter((post) => whyNot(action, post, rightsOf(post), now) === undefined).length
  const whyNone = (action: Action) =>
    postIds.length > BULK_MOST
      ? `You can change up to ${BULK_MOST} posts at once.`
      : fitting(action) === 0
        ? posts[0] && posts.length === 1
          ? whyNot(action, posts[0], rightsOf(posts[0]), now)
          : "You can't do this with any of the selected posts."
        : undefined
  const run = async (body: BulkAction) => {
    if (!(await bulk.run(posts, body))) return
    setAsking(undefined)
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
          aria-label="Selected posts"
          className="sticky bottom-3 z-20 mx-auto flex max-w-full flex-wrap items-center gap-1.5 rounded-lg border border-line bg-raised py-1.5 pr-10 pl-3.5 shadow-2 max-md:bottom-[calc(64px+env(safe-area-inset-bottom))]"
        >
          <span role="status" className="tnum mr-1.5 font-semibold max-md:leading-8">{`${posts.length} selected`}</span>
          {posts.length < listed ? (
            <Button size="s" tone="quiet" onClick={onAll}>
              Select all {listed}
            </Button>
          ) : null}
          {deciding ? (
            <>
              <Button
                size="s"
                tone="primary"
                loading={deciding.at?.verdict === 'approved'}
                disabled={deciding.at?.verdict === 'rejected'}
                onClick={deciding.onApprove}
              >
                {deciding.at?.verdict === 'approved' ? `${deciding.at.done + 1} of ${deciding.at.of}` : 'Approve'}
              </Button>
              <Button
                size="s"
                loading={deciding.at?.verdict === 'rejected'}
                disabled={deciding.at?.verdict === 'approved'}
                onClick={deciding.onReject}
              >
                Reject
              </Button>
            </>
          ) : null}
          {(['reschedule', 'label', 'retry', 'delete'] as const).map((action) => {
            const why = whyNone(action)
            const button = (
              <Button
                key={action}
                size="s"
                loading={bulk.busy}
                disabled={deciding?.at !== undefined}
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
            label="Clear selection"
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
      <RefusedDialog refused={bulk.refused} onClose={() => bulk.setRefused([])} />
    </>
  )
}
