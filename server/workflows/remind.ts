import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'
import type { NotificationFacts } from '#contract/notifications/catalog.ts'
import { asSystem } from '../db/system.ts'
import { asTenant } from '../db/tenant.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import { eachAlone } from '../jobs/eachAlone.ts'
import type { JobContext } from '../jobs/job.ts'
import { createNotification } from '../notifications/create.ts'
import { loadPost, mayChange, type PostRecord } from '../posts/access.ts'
import { mailOutside, waitingPost, type Place } from '../approvals/ask.ts'
import { nameOf } from '../people/names.ts'
import { judge, lockOpenRound, type Round } from '../approvals/rounds.ts'
import { membersAsked } from '../approvals/steps.ts'

const HOUR = 3_600_000
/** Hours without a decision after which approvers are reminded automatically, and hours before the due time. */
const SILENCE_HOURS = 24
const BEFORE_DUE_HOURS = 2

/** Who can remind a post's approvers: the person who sent it for approval, and people who can edit it. */
export const mayRemind = (c: ProjectContext, post: PostRecord, round: Pick<Round, 'sentBy'>): boolean =>
  round.sentBy === c.caller.personId || mayChange(c, post, 'edit')

/**
 * Notifies a post's approvers again, on request. Throws NOT_FOUND, FORBIDDEN for someone else's post that the caller
 * can't edit, POST_LOCKED if it waits for nobody, RATE_LIMITED within an hour.
 */
export async function remind(c: ProjectContext, postId: string): Promise<void> {
  const post = await loadPost(c, postId)
  const round = post.state === 'NEEDS_APPROVAL' ? await lockOpenRound(c.tx, c.org.orgId, postId) : undefined
  if (!round)
    throw fail('POST_LOCKED', { detail: "This post isn't waiting for approval anymore.", meta: { state: post.state } })
  if (!mayRemind(c, post, round)) throw fail('FORBIDDEN')
  const next = round.remindedAt && round.remindedAt.getTime() + HOUR
  if (next && next > c.now.getTime())
    throw fail('RATE_LIMITED', {
      detail: 'You can send another reminder an hour after the last one.',
      meta: { retryAfterSeconds: Math.ceil((next - c.now.getTime()) / 1000) },
    })
  await c.tx
    .updateTable('approval')
    .set({ reminded_at: c.now })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', round.approvalId)
    .execute()
  await notifyAgain(
    c.tx,
    { orgId: c.org.orgId, projectId: c.project.projectId },
    round,
    {
      kind: 'approval-reminder',
      params: { sender: await nameOf(c.tx, c.caller.personId), postId: post.id, excerpt: post.excerpt },
    },
    c.now,
    c.caller.personId,
  )
}

async function notifyAgain(tx: Tx, place: Place, round: Round, facts: NotificationFacts, now: Date, except?: string) {
  const [judged] = await judge(tx, place, [round], now)
  if (!judged) return
  const about = waitingPost(place, round)
  const dedupeKey = facts.kind === 'approval-due-soon' ? `${about.dedupeKey}:due` : about.dedupeKey
  const people = membersAsked(judged.standing).filter((personId) => personId !== except)
  await createNotification(tx, { ...about, dedupeKey, ...facts, people }, now)
  await mailOutside(tx, place, [round], true)
}

type Silent = {
  org_id: string
  post_id: string
  project_id: string
  excerpt: string
  due_at: Date | null
  zone: string
  day: boolean
  due: boolean
}

/**
 * Reminds approvers of posts without a decision: once after a day in a step, and once two hours before the due time.
 * Safe to repeat, also next to another worker.
 */
export async function remindSilent(context: JobContext): Promise<void> {
  const { databases, clock } = context
  const now = clock.now()
  const silent = await asSystem(databases.system, (tx) => silentRounds(tx, now))
  await eachAlone(
    context,
    silent,
    { name: ({ post_id: postId }) => ({ postId }), failed: "approvers of a post couldn't be reminded" },
    (one) => asTenant(databases.background, one.org_id, (tx) => remindOne(tx, one, now)),
  )
}

async function silentRounds(tx: Tx, now: Date): Promise<Silent[]> {
  const { rows } = await sql<Silent>`
    select a.org_id, a.post_id, p.project_id, p.excerpt, p.due_at, p.zone, ${isSilent(now)} as day, ${isDueSoon(now)} as due
    from approval a join post p on p.org_id = a.org_id and p.id = a.post_id
    where a.state = 'open' and p.state = 'NEEDS_APPROVAL' and (${isSilent(now)} or ${isDueSoon(now)}) order by a.org_id, a.sent_at`.execute(
    tx,
  )
  return rows
}

const isSilent = (now: Date) =>
  sql<boolean>`(a.day_told_at is null and a.step_at <= ${new Date(now.getTime() - SILENCE_HOURS * HOUR)}::timestamptz)`
/** Not if it was sent within those hours: they were just notified. */
const isDueSoon = (now: Date) =>
  sql<boolean>`(a.due_told_at is null and p.due_at > ${now}::timestamptz and p.due_at <= ${new Date(now.getTime() + BEFORE_DUE_HOURS * HOUR)}::timestamptz and a.step_at < p.due_at - make_interval(hours => ${BEFORE_DUE_HOURS}))`

async function remindOne(
  tx: Tx,
  { org_id: orgId, post_id: postId, project_id: projectId, excerpt, due_at: dueAt, zone, day, due }: Silent,
  now: Date,
): Promise<void> {
  const round = await lockOpenRound(tx, orgId, postId)
  if (!round) return
  const marks = { ...(day && { day_told_at: now }), ...(due && { due_told_at: now }) }
  const marked = await tx
    .updateTable('approval')
    .set(marks)
    .where('org_id', '=', orgId)
    .where('id', '=', round.approvalId)
    .where(due ? 'due_told_at' : 'day_told_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  // another worker was first
  if (!marked) return
  const facts: NotificationFacts =
    due && dueAt
      ? { kind: 'approval-due-soon', params: { postId, excerpt, dueAt: dueAt.toISOString(), zone } }
      : { kind: 'approval-reminder', params: { sender: null, postId, excerpt } }
  await notifyAgain(tx, { orgId, projectId }, round, facts, now)
}
