import { z } from 'zod'
import { Id } from '#contract/common.ts'

/** A step as a round stores it: as it was when the post was sent, with the names at that time. */
export const KeptApprover = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('member'), userId: Id, name: z.string() }),
  z.object({ kind: z.literal('role'), roleId: Id, name: z.string() }),
  z.object({ kind: z.literal('external'), email: z.string(), name: z.string() }),
])
export type KeptApprover = z.infer<typeof KeptApprover>
export const KeptStep = z.object({ needs: z.enum(['any', 'all']), approvers: z.array(KeptApprover).min(1) })
export type KeptStep = z.infer<typeof KeptStep>
export const KeptSteps = z.array(KeptStep).min(1)

/** Someone who can decide in a project: a member whose role allows approving. */
export type EligibleApprover = {
  personId: string
  name: string
  isOrgAdmin: boolean
  roleIds: readonly string[]
  /** Their channels; null for all. */
  channelIds: readonly string[] | null
}

/** Who decides: a member, or an external approver with their link. */
export type Decider = { kind: 'member'; personId: string } | { kind: 'external'; email: string }

/** A decision, as far as the step needs it: which of its approvers it counts for. */
export type Decision = { by: Decider; decision: 'approved' | 'rejected'; slots: readonly number[] }

/** The state of one step: its decisions, who could decide, and which addresses have no link anymore. */
export type Standing = {
  step: KeptStep
  channelId: string | null
  eligible: readonly EligibleApprover[]
  decisions: readonly Decision[]
  /** Addresses whose links were ended or expired. */ unlinked: ReadonlySet<string>
}

const isSame = (a: Decider, b: Decider): boolean =>
  a.kind === 'member' ? b.kind === 'member' && a.personId === b.personId : b.kind === 'external' && a.email === b.email
const reaches = ({ channelIds }: EligibleApprover, channelId: string | null): boolean =>
  channelIds === null || (channelId !== null && channelIds.includes(channelId))

/** The eligible people who can decide for one approver of a step. */
function ableFor(
  approver: KeptApprover,
  { eligible, channelId }: Pick<Standing, 'eligible' | 'channelId'>,
): readonly EligibleApprover[] {
  if (approver.kind === 'external') return []
  return eligible.filter(
    (member) =>
      reaches(member, channelId) &&
      (approver.kind === 'member' ? member.personId === approver.userId : member.roleIds.includes(approver.roleId)),
  )
}

/** Whether nobody can decide for this approver anymore: they left, lost the permission or the role, or have no link. */
export function isGone(
  approver: KeptApprover,
  standing: Pick<Standing, 'eligible' | 'channelId' | 'unlinked'>,
): boolean {
  return approver.kind === 'external' ? standing.unlinked.has(approver.email) : ableFor(approver, standing).length === 0
}

const isFilled = (slot: number, decisions: readonly Decision[]): boolean =>
  decisions.some(({ decision, slots }) => decision === 'approved' && slots.includes(slot))

/**
 * The approvers of a step for whom organization admins decide, so that no post is stuck: those who are gone, if the
 * step still needs one of them.
 */
export function orphans(standing: Standing): number[] {
  const { step, decisions } = standing
  const gone = step.approvers.flatMap((approver, slot) =>
    isGone(approver, standing) && !isFilled(slot, decisions) ? [slot] : [],
  )
  return step.needs === 'all' || gone.length === step.approvers.length ? gone : []
}

/**
 * The approvers of a step for whom someone can decide now; empty if they can't, or have decided in it already. A member
 * who is named and has a named role decides for both at once.
 */
export function slotsOf(decider: Decider, standing: Standing): number[] {
  const { step, decisions, eligible } = standing
  if (decisions.some(({ by }) => isSame(by, decider))) return []
  if (decider.kind === 'external')
    return step.approvers.flatMap((approver, slot) =>
      approver.kind === 'external' && approver.email === decider.email && !isFilled(slot, decisions) ? [slot] : [],
    )
  const own = step.approvers.flatMap((approver, slot) =>
    !isFilled(slot, decisions) && ableFor(approver, standing).some(({ personId }) => personId === decider.personId)
      ? [slot]
      : [],
  )
  const isOrgAdmin = eligible.some(({ personId, isOrgAdmin: admin }) => admin && personId === decider.personId)
  return isOrgAdmin ? [...new Set([...own, ...orphans(standing)])].toSorted((a, b) => a - b) : own
}

/** Whether the step has enough approvals: one, or one from each of its approvers. */
export function isDone({ needs, approvers }: KeptStep, decisions: readonly Decision[]): boolean {
  const filled = approvers.filter((_, slot) => isFilled(slot, decisions))
  return needs === 'any' ? filled.length > 0 : filled.length === approvers.length
}

/** The members who may decide in a step now. */
export function membersAsked(standing: Standing): string[] {
  return standing.eligible
    .map(({ personId }) => personId)
    .filter((personId) => slotsOf({ kind: 'member', personId }, standing).length > 0)
}
