import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { PostState } from '#contract/postStates.ts'
import type { Queue } from '#contract/queues.ts'
import type { Workflow } from '#contract/workflows.ts'
import type { May } from '#web/lib/permissions.ts'

/**
 * Whether posts can be sent for approval here: `unread` until the plan and its workflows have answered, `failed` when
 * they didn't.
 */
export type Approvals = 'unread' | 'failed' | 'closed' | 'open'

type Facts = {
  mayPublish: May
  maySend: May
  /** Of a post that is edited; a draft is none yet, however often it was saved. */
  status: PostState | undefined
  /** A workflow was chosen, or approval was asked for. */
  wantsApproval: boolean
  approvals: Approvals
}

export type SubmitMode = {
  /** Published by its schedule, or sent to its approvers. `draft`: the person can write drafts only. */
  mode: 'publish' | 'approve' | 'draft'
  /** It can't be published without an approval. */
  needsApproval: boolean
  /** Nothing is sent before it is `known`: a workflow that was chosen is never taken for none. */
  readiness: 'known' | 'loading' | 'failed'
  /** A workflow was chosen, but there are none here or the person can't send through one. */
  skipsWorkflow: boolean
}

/** That, and what else is open to the person. */
export type SubmitOptions = SubmitMode & {
  /** Approval was asked for; there may be a workflow to choose yet. */
  asksForApproval: boolean
  /** Reads again what failed. */
  retry: () => void
  retrying: boolean
  /** Undefined where posts aren't sent for approval. */
  workflows: readonly Workflow[] | undefined
  /** The workflow that it goes through; null for none. */
  workflowId: string | null
  repeats: boolean
  queues: boolean
  queuesOf: readonly Queue[] | undefined
  campaigns: boolean
  /** Platforms that nothing can be published to on this installation. */
  unable: ReadonlySet<PlatformKey>
}

/** What submitting does, by the plan, the person's rights and the state of a post that is edited. */
export function submitMode({ mayPublish, maySend, status, wantsApproval, approvals }: Facts): SubmitMode {
  const needsApproval = mayPublish === 'no' || status === 'REJECTED'
  const known = (mode: SubmitMode['mode']): SubmitMode => ({
    mode,
    needsApproval,
    readiness: 'known',
    skipsWorkflow: mode === 'publish' && wantsApproval && status === undefined,
  })
  if (mayPublish === 'loading' || maySend === 'loading')
    return { mode: 'publish', needsApproval, readiness: 'loading', skipsWorkflow: false }
  // what waits for approval already goes on waiting when it is changed
  if (status === 'NEEDS_APPROVAL') return known('publish')
  if (!needsApproval && !(wantsApproval && status === undefined)) return known('publish')
  if (maySend === 'no' || approvals === 'closed') return known(needsApproval ? 'draft' : 'publish')
  if (approvals === 'open') return known('approve')
  return {
    mode: 'approve',
    needsApproval,
    readiness: approvals === 'unread' ? 'loading' : 'failed',
    skipsWorkflow: false,
  }
}

/** The workflow that was chosen, while it exists. Where there is only one and it's needed, nobody is asked to choose. */
export function workflowOf(
  workflows: readonly { workflowId: string }[] | undefined,
  chosen: string | null,
  needsApproval: boolean,
): string | null {
  const known = workflows === undefined || workflows.some(({ workflowId }) => workflowId === chosen) ? chosen : null
  const [only, ...others] = workflows ?? []
  return known ?? (needsApproval && others.length === 0 ? (only?.workflowId ?? null) : null)
}
