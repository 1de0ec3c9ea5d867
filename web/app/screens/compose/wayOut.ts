import type { PostState } from '#contract/postStates.ts'
import type { May } from '#web/lib/permissions.ts'

/** Whether posts can be sent for approval here: `unread` until the plan and its workflows have answered, `failed` when they did not. */
export type Approvals = 'unread' | 'failed' | 'closed' | 'open'

type Facts = {
  mayPublish: May
  maySend: May
  /** Of a post that is edited; a draft is none yet, however often it was saved. */
  status: PostState | undefined
  /** Somebody chose a workflow, or wants to. */
  wantsApproval: boolean
  approvals: Approvals
}

export type WayOut = {
  /** It goes out by its plan, or to its approvers. `none` writes drafts only. */
  way: 'publish' | 'approve' | 'none'
  /** It cannot go out without an approval. */
  must: boolean
  /** Nothing is sent before it is `known`: a workflow that was chosen is never taken for none. */
  standing: 'known' | 'loading' | 'failed'
  /** A workflow was chosen, but there are none here or the person cannot send through one. */
  without: boolean
}

/** How a post leaves the composer, by the plan, the person's rights and the state of a post that is edited. */
export function wayOut({ mayPublish, maySend, status, wantsApproval, approvals }: Facts): WayOut {
  const must = mayPublish === 'no' || status === 'REJECTED'
  const known = (way: WayOut['way']): WayOut => ({
    way,
    must,
    standing: 'known',
    without: way === 'publish' && wantsApproval && status === undefined,
  })
  if (mayPublish === 'loading' || maySend === 'loading')
    return { way: 'publish', must, standing: 'loading', without: false }
  // what waits for approval already goes on waiting when it is changed
  if (status === 'NEEDS_APPROVAL') return known('publish')
  if (!must && !(wantsApproval && status === undefined)) return known('publish')
  if (maySend === 'no' || approvals === 'closed') return known(must ? 'none' : 'publish')
  if (approvals === 'open') return known('approve')
  return { way: 'approve', must, standing: approvals === 'unread' ? 'loading' : 'failed', without: false }
}
