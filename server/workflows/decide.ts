import type { ProjectContext } from '../http/route.ts'
import { randomUUIDv7 } from 'node:crypto'
import type { PostFailure } from '#contract/postLists.ts'
import type { PostState } from '#contract/postStates.ts'
import { fail } from '../errors.ts'
import { createNotification } from '../notifications/create.ts'
import { loadPost, type PostRecord } from '../posts/access.ts'
import { updatePost } from '../posts/updatePost.ts'
import { resumeAfterApproval } from '../posts/resumeAfterApproval.ts'
import type { PostDeps } from '../posts/schedule.ts'
import { stale } from '../posts/stale.ts'
import { addTimelineEvent } from '../publishing/timeline.ts'
import { ask } from '../approvals/ask.ts'
import { contentHash, keptContent } from '../approvals/content.ts'
import { closeSteps } from '../approvals/open.ts'
import { nameOf } from '../people/names.ts'
import { judge, lockOpenRound, type Round } from '../approvals/rounds.ts'
import { isDone, slotsOf, type Decider, type Standing } from '../approvals/steps.ts'

export type Who = Decider & { name: string }
/** `version` is the reviewed post's. */
export type Verdict = { decision: 'approved' | 'rejected'; version: number; comment: string }
/** `failure` says why an approved post waits for a person, if it does. */
export type Decided = { status: PostState; failure: PostFailure | null; round: Round; isLast: boolean }

/**
 * Decides on a post in its current step. Simultaneous decisions are counted one after the other. After the last
 * approval, the post continues as it was submitted. Throws NOT_FOUND; POST_LOCKED if it isn't waiting or the caller
 * already decided in this step; FORBIDDEN for people who aren't asked; STALE_VERSION if it changed since the caller saw
 * it.
 */
export async function decide(
  c: ProjectContext,
  deps: PostDeps,
  postId: string,
  who: Who,
  verdict: Verdict,
): Promise<Decided> {
  const { round, post, standing, slots } = await mayDecideOn(c, postId, who)
  // the hash also sees what was changed without a version
  if (post.version !== verdict.version || !contentHash(post).equals(round.hash)) throw stale(post.version, {})
  await record(c, { round, post, who, verdict, slots })
  const decisions = [...standing.decisions, { by: who, decision: verdict.decision, slots }]
  const personId = who.kind === 'member' ? who.personId : null
  const from = who.kind === 'external' ? who.name : null
  const said = from !== null || verdict.comment !== ''
  await addTimelineEvent(c.tx, c.org.orgId, c.now, [
    {
      postId,
      kind: verdict.decision,
      personId,
      detail: said ? { code: 'decision', from, comment: verdict.comment } : null,
    },
  ])
  const decided = await follow(c, deps, { round, post, who, verdict }, isDone(standing.step, decisions))
  await tellSender(c, { round, post, who, verdict }, decided.failure)
  return decided
}

/** The consequences of a decision; `isStepDone` if it completed its step. */
async function follow(
  c: ProjectContext,
  deps: PostDeps,
  { round, post, who, verdict }: Case,
  isStepDone: boolean,
): Promise<Decided> {
  if (verdict.decision === 'rejected') {
    await endRound(c, round, 'rejected')
    await updatePost(c, post, { state: 'REJECTED' })
    return { status: 'REJECTED', failure: null, round, isLast: true }
  }
  if (!isStepDone) {
    await c.emit({ kind: 'post', ref: post.id })
    return { status: post.state, failure: null, round, isLast: false }
  }
  if (round.step + 1 < round.steps.length) {
    await openNext(c, round, post, who)
    return { status: post.state, failure: null, round, isLast: false }
  }
  await endRound(c, round, 'approved')
  const { status, failure } = await resumeAfterApproval(c, deps, post)
  return { status, failure, round, isLast: true }
}

async function mayDecideOn(
  c: ProjectContext,
  postId: string,
  who: Who,
): Promise<{ round: Round; post: PostRecord; standing: Standing; slots: number[] }> {
  const post = await loadPost(c, postId)
  const round = post.state === 'NEEDS_APPROVAL' ? await lockOpenRound(c.tx, c.org.orgId, postId) : undefined
  if (!round)
    throw fail('POST_LOCKED', { detail: "This post isn't waiting for approval anymore.", meta: { state: post.state } })
  const [judged] = await judge(c.tx, { orgId: c.org.orgId, projectId: c.project.projectId }, [round], c.now)
  if (!judged) throw fail('POST_LOCKED')
  const slots = slotsOf(who, judged.standing)
  if (slots.length > 0) return { round, post, standing: judged.standing, slots }
  const before = judged.standing.decisions.some(({ by }) =>
    by.kind === 'member'
      ? who.kind === 'member' && by.personId === who.personId
      : who.kind === 'external' && by.email === who.email,
  )
  if (before)
    throw fail('POST_LOCKED', {
      detail: "You've already decided on this step. It's waiting for other approvers.",
      meta: { state: post.state },
    })
  throw fail('FORBIDDEN', { detail: "You aren't an approver of this step." })
}

type Case = { round: Round; post: PostRecord; who: Who; verdict: Verdict }

async function record(
  c: ProjectContext,
  { round, post, who, verdict, slots }: Case & { slots: number[] },
): Promise<void> {
  await c.tx
    .insertInto('approval_decision')
    .values({
      org_id: c.org.orgId,
      id: randomUUIDv7(),
      approval_id: round.approvalId,
      post_id: post.id,
      step: round.step,
      slots,
      person_id: who.kind === 'member' ? who.personId : null,
      external_email: who.kind === 'external' ? who.email : null,
      external_name: who.kind === 'external' ? who.name : null,
      decision: verdict.decision,
      comment: verdict.comment,
      content_hash: round.hash,
      content: JSON.stringify(keptContent(post)),
      at: c.now,
    })
    .execute()
}

async function endRound(c: ProjectContext, round: Round, state: 'approved' | 'rejected'): Promise<void> {
  await c.tx
    .updateTable('approval')
    .set({ state, ended_at: c.now })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', round.approvalId)
    .execute()
  await closeSteps(c.tx, c.org.orgId, [round], c.now)
}

async function openNext(c: ProjectContext, round: Round, post: PostRecord, who: Who): Promise<void> {
  const step = round.step + 1
  await c.tx
    .updateTable('approval')
    .set({ step, step_at: c.now, day_told_at: null, due_told_at: null })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', round.approvalId)
    .execute()
  await closeSteps(c.tx, c.org.orgId, [round], c.now)
  const next = { ...round, step, stepAt: c.now }
  await ask(
    c.tx,
    { orgId: c.org.orgId, projectId: c.project.projectId },
    [next],
    {
      sender: await nameOf(c.tx, round.sentBy),
      ...(who.kind === 'member' && { except: who.personId }),
      excerpts: new Map([[post.id, post.excerpt]]),
    },
    c.now,
  )
  await c.emit({ kind: 'post', ref: post.id })
}

/** The sender and the author are notified of others' decisions, and why an approved post isn't published. */
async function tellSender(
  c: ProjectContext,
  { round, post, who, verdict }: Case,
  failure: PostFailure | null,
): Promise<void> {
  const people = [...new Set([round.sentBy, post.author_id])].filter(
    (personId) => who.kind !== 'member' || personId !== who.personId,
  )
  if (people.length === 0) return
  await createNotification(
    c.tx,
    {
      orgId: c.org.orgId,
      projectId: c.project.projectId,
      // each decision is a new notification
      dedupeKey: `decision:${randomUUIDv7()}`,
      kind: 'approval-decided',
      params: {
        decider: who.name,
        decision: verdict.decision,
        postId: post.id,
        excerpt: post.excerpt,
        comment: verdict.comment,
        failure,
      },
      people,
      channelIds: null,
    },
    c.now,
  )
}
