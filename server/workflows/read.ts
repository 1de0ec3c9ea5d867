import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'
import type { Approval } from '#contract/workflows.ts'
import { findPost, type PostRecord } from '../posts/access.ts'
import { changesBetween } from './changes.ts'
import { contentHash, KeptContent, keptContent } from '../approvals/content.ts'
import { nameOf, namesOf } from '../people/names.ts'
import { mayRemind } from './remind.ts'
import { judge, lastRoundOf, type Round } from '../approvals/rounds.ts'
import { isGone, orphans, slotsOf, type Decider, type KeptApprover } from '../approvals/steps.ts'

type DecisionRow = {
  approval_id: string
  step: number
  slots: number[]
  person_id: string | null
  external_email: string | null
  by: string
  decision: string
  comment: string
  content_hash: Buffer
  at: Date
}

/** A post's position in its workflow, and all decisions on it; null if it was never sent. Throws NOT_FOUND. */
export async function readApproval(c: ProjectContext, postId: string): Promise<Approval | null> {
  const post = await findPost(c, postId)
  const round = await lastRoundOf(c.tx, c.org.orgId, postId)
  return round ? await presentApproval(c, post, round, { kind: 'member', personId: c.caller.personId }) : null
}

/** A round for display: steps with who decided and who is gone, all decisions, and what `viewer` can do. */
export async function presentApproval(
  c: ProjectContext,
  post: PostRecord,
  round: Round,
  viewer: Decider,
): Promise<Approval> {
  const { orgId } = c.org
  const decisions = await recordOf(c, post.id)
  const hash = contentHash(post)
  const waits = round.state === 'open' && post.state === 'NEEDS_APPROVAL'
  const [judged] = waits ? await judge(c.tx, { orgId, projectId: c.project.projectId }, [round], c.now) : []
  const names = await namesOf(
    c.tx,
    orgId,
    round.steps.flatMap(({ approvers }) => approvers.flatMap((one) => (one.kind === 'member' ? [one.userId] : []))),
  )
  const decidedFor = (step: number, slot: number) =>
    decisions.find((one) => one.approval_id === round.approvalId && one.step === step && one.slots.includes(slot))
      ?.decision
  return {
    workflowName: round.workflowName,
    state: round.state,
    step: round.step,
    steps: round.steps.map(({ needs, approvers }, step) => ({
      needs,
      approvers: approvers.map((approver, slot) => ({
        name: shownName(approver, names),
        kind: approver.kind,
        decided: verdictOf(decidedFor(step, slot)),
        gone: judged !== undefined && step === round.step && isGone(approver, judged.standing),
      })),
    })),
    decisions: decisions.map((one) => ({
      at: one.at.toISOString(),
      step: one.step,
      by: one.by,
      decision: one.decision === 'approved' ? 'approved' : 'rejected',
      comment: one.comment,
      current: one.content_hash.equals(hash),
    })),
    changes: await changesFor(c, post, viewer),
    mayDecide: judged !== undefined && slotsOf(viewer, judged.standing).length > 0,
    adminsDecide: judged !== undefined && orphans(judged.standing).length > 0,
    mayRemind: waits && viewer.kind === 'member' && mayRemind(c, post, round),
    sentBy: await nameOf(c.tx, round.sentBy),
    sentAt: round.sentAt.toISOString(),
  }
}

const verdictOf = (decision: string | undefined) =>
  decision === 'approved' || decision === 'rejected' ? decision : null
/** Members appear under their current name; a deleted role under its last one. */
const shownName = (approver: KeptApprover, names: ReadonlyMap<string, string>): string =>
  (approver.kind === 'member' ? names.get(approver.userId) || approver.name : approver.name) || 'Someone'

async function recordOf({ tx, org }: ProjectContext, postId: string): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    select d.approval_id, d.step, d.slots, d.person_id, d.external_email, coalesce(d.external_name, nullif(trim(a.first_name || ' ' || a.last_name), ''), 'Someone') as by, d.decision, d.comment, d.content_hash, d.at
    from approval_decision d left join person a on a.id = d.person_id
    where d.org_id = ${org.orgId} and d.post_id = ${postId} order by d.at, d.id`.execute(tx)
  return rows
}

/** What changed since the viewer last decided on the post; null if they never did, or nothing differs. */
async function changesFor(c: ProjectContext, post: PostRecord, viewer: Decider): Promise<Approval['changes']> {
  const own = viewer.kind === 'member' ? sql`person_id = ${viewer.personId}` : sql`external_email = ${viewer.email}`
  const { rows } = await sql<{
    content: unknown
  }>`select content from approval_decision where org_id = ${c.org.orgId} and post_id = ${post.id} and ${own} order by at desc, id desc limit 1`.execute(
    c.tx,
  )
  if (!rows[0]) return null
  const [before, after] = [KeptContent.parse(rows[0].content), keptContent(post)]
  const ids = [before, after].flatMap(({ contents, channelId }) => [
    ...contents.flatMap(({ media }) => media.map(({ assetId }) => assetId)),
    ...(channelId === null ? [] : [channelId]),
  ])
  const named = await sql<{ id: string; name: string }>`
    select id, file_name as name from asset where org_id = ${c.org.orgId} and id = any(${ids}::uuid[])
    union all select id, handle from channel where org_id = ${c.org.orgId} and id = any(${ids}::uuid[])`.execute(c.tx)
  return changesBetween(before, after, new Map(named.rows.map(({ id, name }) => [id, name])))
}
