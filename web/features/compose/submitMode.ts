import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { PostState } from '#contract/postStates.ts'
import type { Queue } from '#contract/queues.ts'
import type { Workflow } from '#contract/workflows.ts'
import type { May } from '#web/lib/permissions.ts'

/**
 * Whether posts can be sent for approval here: `unread` until the plan and its workflows have loaded, `failed` if they
 * didn't.
 */
export type Approvals = 'unread' | 'failed' | 'closed' | 'open'

type Facts = {
  mayPublish: May
  maySend: May
  /** The status of an edited post; a draft has none, however often it was saved. */
  status: PostState | undefined
  /** A workflow was chosen, or approval was requested. */
  wantsApproval: boolean
  approvals: Approvals
}

export type SubmitMode = {
  /** Published by its schedule, or sent for approval. `draft`: the person can only write drafts. */
  mode: 'publish' | 'approve' | 'draft'
  /** It can't be published without an approval. */
  needsApproval: boolean
  /** Nothing is sent before it's `known`: a chosen workflow is never taken for none. */
  readiness: 'known' | 'loading' | 'failed'
  /** A workflow was chosen, but there are none here or the person can't send through one. */
  skipsWorkflow: boolean
}

/** That, and what else the person can do. */
export type SubmitOptions = SubmitMode & {
  /** Approval was requested; a workflow may still have to be chosen. */
  asksForApproval: boolean
  /** Loads again what failed. */
  retry: () => void
  retrying: boolean
  /** Undefined if posts aren't sent for approval. */
  workflows: readonly Workflow[] | undefined
  /** Its workflow; null for none. */
  workflowId: string | null
  repeats: boolean
  queues: boolean
  queuesOf: readonly Queue[] | undefined
  campaigns: boolean
  /** Platforms that nothing can be published to on this installation. */
  unable: ReadonlySet<PlatformKey>
}

/** What submitting does, from the plan, the person's permissions and the edited post's status. */
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
  // an edited post that waits for approval keeps waiting
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

/** The chosen workflow, while it exists. Where one is needed and none was chosen, the project's default one, or the only one. */
export function workflowOf(
  workflows: readonly { workflowId: string; isDefault: boolean }[] | undefined,
  chosen: string | null,
  needsApproval: boolean,
): string | null {
  const known = workflows === undefined || workflows.some(({ workflowId }) => workflowId === chosen) ? chosen : null
  if (known !== null || !needsApproval) return known
  const [only, ...others] = workflows ?? []
  const preset =
    others.length === 0 ? only : chosen === null ? workflows?.find(({ isDefault }) => isDefault) : undefined
  return preset?.workflowId ?? null
}
