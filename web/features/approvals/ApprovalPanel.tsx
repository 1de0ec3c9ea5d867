import BellRing from 'lucide-react/icons/bell-ring'
import type { Post } from '#contract/posts.ts'
import { postApproval, remindApprovers, revokeApprovalLink, type Approval } from '#contract/workflows.ts'
import { agoOf } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { ApprovalChanges } from './ApprovalChanges.tsx'
import { ApprovalRecord } from './ApprovalRecord.tsx'
import { ApprovalSteps } from './ApprovalSteps.tsx'
import { DecisionForm } from './DecisionForm.tsx'
import { useDecision } from './useDecision.ts'
import { standingOf } from './messages.ts'

type Reviewed = Pick<Post, 'postId' | 'version' | 'status' | 'timezone' | 'workflow'>

/**
 * A post's progress in its workflow, with buttons for people who can decide. Shows nothing for a post that was never
 * sent for approval.
 */
export function ApprovalPanel({ post }: { post: Reviewed }) {
  const ids = useProjectIds()
  const asked = post.workflow !== null && post.status !== 'DELETED' && post.workflow.state !== 'void'
  const query = useCall(postApproval, { params: { ...ids, postId: post.postId } }, { enabled: asked, handles: true })
  if (!asked) return null
  return (
    <section aria-label="Approval" className="grid gap-3 rounded-lg border border-line bg-surface p-3">
      <Loaded query={query} skeleton={<SkeletonLines lines={3} label="Loading the approval" />}>
        {({ approval }) =>
          approval ? (
            <Standing post={post} approval={approval} />
          ) : (
            <p className="text-ink-muted">This post wasn't sent for approval.</p>
          )
        }
      </Loaded>
    </section>
  )
}

function Standing({ post, approval }: { post: Reviewed; approval: Approval }) {
  const now = useNow()
  const { decide, sending, refused } = useDecision(post)
  const problem = refused?.errors['comment']?.[0]
  return (
    <>
      <div>
        <h2 className="font-bold">{standingOf(approval)}</h2>
        <p className="text-sm text-ink-muted">{`Sent by ${approval.sentBy || 'someone who left'}, ${agoOf(approval.sentAt, now, post.timezone)}`}</p>
      </div>
      {refused && problem === undefined ? (
        <Banner
          live
          tone="wait"
          title={
            refused.code === 'STALE_VERSION'
              ? 'The post changed while you were looking at it.'
              : (refused.detail ?? refused.title)
          }
        >
          {refused.code === 'STALE_VERSION' ? "Your decision wasn't recorded. Review the new version below." : null}
        </Banner>
      ) : null}
      {approval.changes ? <ApprovalChanges changes={approval.changes} /> : null}
      {approval.mayDecide ? (
        <DecisionForm key={post.postId} sending={sending} problem={problem} onDecide={decide} />
      ) : null}
      {approval.adminsDecide ? (
        <p className="text-sm text-ink-muted">
          Someone on this step can't approve anymore. Organization admins can decide instead.
        </p>
      ) : null}
      <ApprovalSteps approval={approval} />
      <ApprovalRecord decisions={approval.decisions} zone={post.timezone} />
      {post.status === 'NEEDS_APPROVAL' && approval.state === 'open' ? (
        <Nudges post={post} approval={approval} />
      ) : null}
    </>
  )
}

/** What can be done about those who haven't decided. */
function Nudges({ post, approval }: { post: Reviewed; approval: Approval }) {
  const ids = useProjectIds()
  // someone who can complete the step alone has nobody to remind
  const isTheirs = approval.mayDecide && approval.steps[approval.step]?.needs === 'any'
  const mayCreate = useMay([['post', 'create']]) === 'yes'
  const mayRemind = approval.mayRemind && mayCreate && !isTheirs
  const mayEnd = useMay([['workflow', 'edit']]) === 'yes'
  const remind = useSend(remindApprovers, {
    refreshes: [postApproval],
    onSuccess: ({ message }) => toast.success(message ?? 'Reminder sent'),
  })
  const end = useSend(revokeApprovalLink, {
    refreshes: [postApproval],
    onSuccess: ({ message }) => toast.success(message ?? 'Links ended'),
  })
  const outside =
    approval.steps[approval.step]?.approvers.some(
      ({ kind, decided, gone }) => kind === 'external' && decided === null && !gone,
    ) === true
  const params = { ...ids, postId: post.postId }
  if (!mayRemind && !(mayEnd && outside)) return null
  return (
    <div className="flex flex-wrap gap-2">
      {mayRemind ? (
        <Button
          size="s"
          icon={<BellRing size={13} aria-hidden />}
          loading={remind.isPending}
          onClick={() => remind.mutate({ params })}
        >
          Remind
        </Button>
      ) : null}
      {mayEnd && outside ? (
        <Button size="s" tone="quiet" loading={end.isPending} onClick={() => end.mutate({ params })}>
          End external links
        </Button>
      ) : null}
    </div>
  )
}
