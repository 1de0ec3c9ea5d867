import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { eligibleApprovers } from './eligibleApprovers.ts'
import { KeptSteps, type EligibleApprover, type Decision, type KeptStep, type Standing } from './steps.ts'

const roundStates = ['open', 'approved', 'rejected', 'void'] as const
/** One round of approval of a post, with what is needed to judge it. */
export type Round = {
  approvalId: string
  postId: string
  channelId: string | null
  workflowId: string | null
  workflowName: string
  steps: readonly KeptStep[]
  /** The step that is open, from 0. */
  step: number
  hash: Buffer
  state: (typeof roundStates)[number]
  sentBy: string
  sentAt: Date
  stepAt: Date
  remindedAt: Date | null
  linksEndedAt: Date | null
}

type Row = {
  id: string
  post_id: string
  channel_id: string | null
  workflow_id: string | null
  workflow_name: string
  steps: unknown
  step: number
  content_hash: Buffer
  state: string
  sent_by: string
  sent_at: Date
  step_at: Date
  reminded_at: Date | null
  links_ended_at: Date | null
}

const roundOf = (row: Row): Round => ({
  approvalId: row.id,
  postId: row.post_id,
  channelId: row.channel_id,
  workflowId: row.workflow_id,
  workflowName: row.workflow_name,
  steps: KeptSteps.parse(row.steps),
  step: row.step,
  hash: row.content_hash,
  // a check constraint: one of them
  state: roundStates.find((state) => state === row.state) ?? 'void',
  sentBy: row.sent_by,
  sentAt: row.sent_at,
  stepAt: row.step_at,
  remindedAt: row.reminded_at,
  linksEndedAt: row.links_ended_at,
})

const selected = sql`select a.*, p.channel_id from approval a join post p on p.org_id = a.org_id and p.id = a.post_id`

/** A post's last round; undefined if it was never sent for approval. */
export async function lastRoundOf(tx: Tx, orgId: string, postId: string): Promise<Round | undefined> {
  const { rows } =
    await sql<Row>`${selected} where a.org_id = ${orgId} and a.post_id = ${postId} order by a.sent_at desc, a.id desc limit 1`.execute(
      tx,
    )
  return rows[0] && roundOf(rows[0])
}

/** A post's open round, locked: two simultaneous decisions are counted one after the other. */
export async function lockOpenRound(tx: Tx, orgId: string, postId: string): Promise<Round | undefined> {
  const { rows } =
    await sql<Row>`${selected} where a.org_id = ${orgId} and a.post_id = ${postId} and a.state = 'open' for update of a`.execute(
      tx,
    )
  return rows[0] && roundOf(rows[0])
}

/** Open rounds of waiting posts by their ids, locked: ending their links at the same time comes before or after. */
export async function lockOpenRounds(tx: Tx, orgId: string, approvalIds: readonly string[]): Promise<Round[]> {
  const { rows } =
    await sql<Row>`${selected} where a.org_id = ${orgId} and a.id = any(${[...approvalIds]}::uuid[]) and a.state = 'open' and p.state = 'NEEDS_APPROVAL' order by a.id for update of a`.execute(
      tx,
    )
  return rows.map(roundOf)
}

/**
 * The open rounds of a project's waiting posts whose open step names this member or one of these roles; `anyStep`
 * ignores that.
 */
export async function openRoundsFor(
  tx: Tx,
  { orgId, projectId }: { orgId: string; projectId: string },
  { personId, roleIds, anyStep }: { personId: string; roleIds: readonly string[]; anyStep: boolean },
): Promise<Round[]> {
  const named = [{ kind: 'member', userId: personId }, ...roleIds.map((roleId) => ({ kind: 'role', roleId }))].map(
    (approver) => JSON.stringify([approver]),
  )
  const { rows } = await sql<Row>`${selected}
    where a.org_id = ${orgId} and a.state = 'open' and p.state = 'NEEDS_APPROVAL' and p.project_id = ${projectId}
      and (${anyStep} or exists (select from unnest(${named}::jsonb[]) n(approver) where (a.steps -> a.step -> 'approvers') @> n.approver))`.execute(
    tx,
  )
  return rows.map(roundOf)
}

type DecisionRow = {
  approval_id: string
  step: number
  slots: number[]
  person_id: string | null
  external_email: string | null
  decision: string
}

/** The decisions in the open step of each round. */
async function decisionsOf(tx: Tx, orgId: string, rounds: readonly Round[]): Promise<Map<string, Decision[]>> {
  const { rows } = await sql<DecisionRow>`
    select d.approval_id, d.step, d.slots, d.person_id, d.external_email, d.decision
    from approval_decision d join unnest(${rounds.map((round) => round.approvalId)}::uuid[], ${rounds.map((round) => round.step)}::int[]) as r(id, step) on d.approval_id = r.id and d.step = r.step
    where d.org_id = ${orgId} order by d.at, d.id`.execute(tx)
  const decisions = new Map<string, Decision[]>()
  for (const row of rows) {
    const by =
      row.person_id === null
        ? ({ kind: 'external', email: row.external_email ?? '' } as const)
        : ({ kind: 'member', personId: row.person_id } as const)
    decisions.set(row.approval_id, [
      ...(decisions.get(row.approval_id) ?? []),
      { by, decision: row.decision === 'approved' ? 'approved' : 'rejected', slots: row.slots },
    ])
  }
  return decisions
}

/** Addresses without a link in the open step of each round: all of their links were ended or expired. */
async function unlinkedOf(
  tx: Tx,
  orgId: string,
  rounds: readonly Round[],
  now: Date,
): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ approval_id: string; email: string }>`
    select l.approval_id, l.email from approval_link l join unnest(${rounds.map((round) => round.approvalId)}::uuid[], ${rounds.map((round) => round.step)}::int[]) as r(id, step) on l.approval_id = r.id and l.step = r.step
    where l.org_id = ${orgId} group by l.approval_id, l.email having bool_and(l.revoked_at is not null or l.expires_at <= ${now})`.execute(
    tx,
  )
  const unlinked = new Map<string, Set<string>>()
  for (const { approval_id: id, email } of rows) unlinked.set(id, (unlinked.get(id) ?? new Set<string>()).add(email))
  return unlinked
}

export type Judged = { round: Round; standing: Standing }

/** The state of each round's open step. The rounds are of one project. Works in a tenant and as the system role. */
export async function judge(
  tx: Tx,
  place: { orgId: string; projectId: string },
  rounds: readonly Round[],
  now: Date,
  eligible?: readonly EligibleApprover[],
): Promise<Judged[]> {
  if (rounds.length === 0) return []
  const known = eligible ?? (await eligibleApprovers(tx, place))
  const decisions = await decisionsOf(tx, place.orgId, rounds)
  const unlinked = await unlinkedOf(tx, place.orgId, rounds, now)
  return rounds.flatMap((round) => {
    const step = round.steps[round.step]
    if (!step) return []
    const ended =
      round.linksEndedAt === null
        ? (unlinked.get(round.approvalId) ?? new Set<string>())
        : new Set(step.approvers.flatMap((approver) => (approver.kind === 'external' ? [approver.email] : [])))
    return [
      {
        round,
        standing: {
          step,
          channelId: round.channelId,
          eligible: known,
          decisions: decisions.get(round.approvalId) ?? [],
          unlinked: ended,
        },
      },
    ]
  })
}
