import type { Approval } from '#contract/workflows.ts'
import { count } from '#web/lib/format.ts'

/** The status of a post in its workflow, in one line. */
export function standingOf({ state, step, steps, workflowName }: Approval): string {
  if (state === 'approved') return `Approved in ${workflowName}`
  if (state === 'rejected') return `Rejected in ${workflowName}`
  if (state === 'void') return `Withdrawn from ${workflowName}`
  return steps.length > 1
    ? `Waiting for step ${step + 1} of ${steps.length} in ${workflowName}`
    : `Waiting for approval in ${workflowName}`
}

/** How a step is decided, shown before the list of approvers. */
export function needsOf(needs: 'any' | 'all', approvers: number): string {
  if (approvers === 1) return 'One approver'
  return needs === 'any' ? `Any of ${count(approvers, 'approver')}` : `All of ${count(approvers, 'approver')}`
}
