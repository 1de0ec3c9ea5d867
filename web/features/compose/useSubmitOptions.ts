import { useMemo } from 'react'
import { connectWays } from '#contract/connect.ts'
import { plan as planEndpoint } from '#contract/organizations.ts'
import { listQueues } from '#contract/queues.ts'
import { listWorkflows } from '#contract/workflows.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useCall } from '#web/lib/queries.ts'
import { useComposer, useComposerState } from './ComposerContext.ts'
import { submitMode, workflowOf, type Approvals, type SubmitOptions } from './submitMode.ts'

/** What submitting does, and what else the plan, the person's permissions and the edited post's status allow. */
export function useSubmitOptions(): SubmitOptions {
  const { ids, edited } = useComposer()
  const post = edited?.post
  const asksForApproval = useComposerState(({ sending }) => sending.asksForApproval)
  const chosen = useComposerState(({ doc }) => doc.workflowId)
  const mayPublish = useMay([['post', 'publish']])
  const maySend = useMay([['post', 'needs_approval']])
  const plan = useCall(planEndpoint, { params: { orgId: ids.orgId } })
  const isOpen = (gate: 'repeat' | 'queues' | 'approval_workflows' | 'campaigns') =>
    plan.data !== undefined && !plan.data.closed.includes(gate)
  // if the server doesn't have them, or the person may not see them, they aren't offered
  const workflows = useCall(listWorkflows, { params: ids }, { enabled: isOpen('approval_workflows'), handles: true })
  const queues = useCall(listQueues, { params: ids }, { enabled: isOpen('queues'), handles: true })
  const ways = useCall(connectWays, { params: ids }, { handles: true })
  const unable = useMemo(
    () =>
      new Set((ways.data?.platforms ?? []).filter(({ form, page }) => !form && !page).map(({ platform }) => platform)),
    [ways.data],
  )
  const approvals = ((): Approvals => {
    if (!plan.data) return plan.isError ? 'failed' : 'unread'
    if (!isOpen('approval_workflows')) return 'closed'
    if (workflows.data) return 'open'
    // a role that can't view them sends nothing through them
    if (workflows.error?.code === 'FORBIDDEN' || workflows.error?.code === 'NOT_FOUND') return 'closed'
    return workflows.isError ? 'failed' : 'unread'
  })()
  const mode = submitMode({
    mayPublish,
    maySend,
    status: post?.status,
    wantsApproval: asksForApproval || chosen !== null,
    approvals,
  })
  const offered = approvals === 'open' && maySend === 'yes' ? workflows.data?.workflows : undefined
  return {
    ...mode,
    asksForApproval,
    retry: () => void (plan.data ? workflows.refetch() : plan.refetch()),
    retrying: plan.isFetching || workflows.isFetching,
    workflows: offered,
    workflowId: workflowOf(offered, chosen, mode.needsApproval),
    // an edited post stays one post, unless it still waits for approval
    repeats: isOpen('repeat') && (post === undefined || post.status === 'NEEDS_APPROVAL'),
    queues: isOpen('queues') && (queues.data !== undefined || post?.status === 'QUEUED'),
    queuesOf: queues.data?.queues,
    campaigns: isOpen('campaigns'),
    // a platform that can't be connected has no channels to send to
    unable,
  }
}
