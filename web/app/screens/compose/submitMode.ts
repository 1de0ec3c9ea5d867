import type { PostState } from '#contract/postStates.ts'
import type { May } from '#web/lib/permissions.ts'

/** Whether posts can be sent for approval here: `unread` until the plan and its workflows have answered, `failed` when they did not. */
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
