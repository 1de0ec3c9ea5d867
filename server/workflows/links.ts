import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../db/kysely.ts'
import { asTenant } from '../db/tenant.ts'
import { hashToken } from '../http/session.ts'
import { defineJob, type AnyJob, type JobContext } from '../jobs/job.ts'
import { MailRefused } from '../mail/mailer.ts'
import type { Dependencies } from '../dependencies.ts'
import { mailLinksJob } from '../approvals/ask.ts'
import { countMail } from './limits.ts'
import { approvalMail, LINK_DAYS, type AskedPost, type OutsideLetter } from './mails.ts'
import { nameOf } from '../people/names.ts'
import { judge, lockOpenRounds, type Round } from '../approvals/rounds.ts'
import { slotsOf } from '../approvals/steps.ts'

const Payload = z.object({
  orgId: z.string(),
  projectId: z.string(),
  email: z.string(),
  approvalIds: z.array(z.string()),
  step: z.int(),
  again: z.boolean(),
})
type Asked = z.infer<typeof Payload>

/** Creates an external approver's links and emails them. Repeated after a crash, only the last email counts. */
export function linkJob({ mailer, env }: Pick<Dependencies, 'mailer' | 'env'>): AnyJob {
  return defineJob({
    name: mailLinksJob.name,
    payload: Payload,
    run: (context, asked) => mailLinks(context, asked, { mailer, publicUrl: env.publicUrl }),
  })
}

async function mailLinks(
  { databases, clock, log }: JobContext,
  asked: Asked,
  { mailer, publicUrl }: { mailer: Dependencies['mailer']; publicUrl: string },
): Promise<void> {
  const now = clock.now()
  const made = await asTenant(databases.background, asked.orgId, (tx) => makeLinks(tx, asked, now))
  if (!made) return
  if (!(await countMail(databases, asked.orgId, asked.email, now))) {
    // retried later: the post waits, it isn't lost
    throw new Error('too many approval emails were sent to this address or from this organization today')
  }
  try {
    await mailer.send(approvalMail(made, publicUrl))
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    log.warn({ err: error, orgId: asked.orgId }, "an external approver's address rejects our emails")
    // without a link, the approver counts as gone, and admins decide
    await asTenant(databases.background, asked.orgId, (tx) => endLinks(tx, asked, asked.approvalIds, now))
  }
}

/**
 * New links for those of the posts that still wait for this address, replacing the old ones; undefined if none does.
 */
async function makeLinks(tx: Tx, asked: Asked, now: Date): Promise<OutsideLetter | undefined> {
  const { orgId, projectId, email, step } = asked
  const rounds = (await lockOpenRounds(tx, orgId, asked.approvalIds)).filter(
    (round) => round.step === step && round.linksEndedAt === null,
  )
  const judged = await judge(tx, { orgId, projectId }, rounds, now)
  const waiting = judged
    .filter(({ standing }) => slotsOf({ kind: 'external', email }, standing).length > 0)
    .map(({ round }) => round)
  const [first] = waiting
  if (!first) return undefined
  const name = outsiderOf(first, email)
  await endLinks(
    tx,
    asked,
    waiting.map(({ approvalId }) => approvalId),
    now,
  )
  const tokens = new Map<string, string>()
  for (const { approvalId, postId } of waiting) {
    const token = randomBytes(32).toString('base64url')
    tokens.set(postId, token)
    await tx
      .insertInto('approval_link')
      .values({
        org_id: orgId,
        id: randomUUIDv7(),
        token_hash: hashToken(token),
        approval_id: approvalId,
        step,
        email,
        name,
        created_at: now,
        expires_at: new Date(now.getTime() + LINK_DAYS * 86_400_000),
      })
      .execute()
  }
  return {
    email,
    name,
    again: asked.again,
    sender: await nameOf(tx, first.sentBy),
    ...(await placeOf(tx, orgId, projectId)),
    posts: await postsOf(tx, orgId, tokens),
  }
}

function outsiderOf(round: Round, email: string): string {
  const found = round.steps[round.step]?.approvers.find(
    (approver) => approver.kind === 'external' && approver.email === email,
  )
  return found?.name ?? email
}

async function endLinks(
  tx: Tx,
  { orgId, email, step }: Asked,
  approvalIds: readonly string[],
  now: Date,
): Promise<void> {
  await sql`update approval_link set revoked_at = ${now} where org_id = ${orgId} and approval_id = any(${[...approvalIds]}::uuid[]) and step = ${step} and email = ${email} and revoked_at is null and used_at is null`.execute(
    tx,
  )
}

async function placeOf(tx: Tx, orgId: string, projectId: string): Promise<{ orgName: string; projectName: string }> {
  const { rows } = await sql<{
    orgName: string
    projectName: string
  }>`select o.name as "orgName", p.name as "projectName" from project p join organization o on o.org_id = p.org_id where p.org_id = ${orgId} and p.id = ${projectId}`.execute(
    tx,
  )
  return rows[0] ?? { orgName: '', projectName: '' }
}

async function postsOf(tx: Tx, orgId: string, tokens: ReadonlyMap<string, string>): Promise<AskedPost[]> {
  const { rows } = await sql<{ id: string; excerpt: string; due_at: Date | null; zone: string; handle: string | null }>`
    select p.id, p.excerpt, p.due_at, p.zone, c.handle from post p left join channel c on c.org_id = p.org_id and c.id = p.channel_id
    where p.org_id = ${orgId} and p.id = any(${[...tokens.keys()]}::uuid[]) order by p.shown_at, p.id`.execute(tx)
  return rows.flatMap(({ id, excerpt, due_at: dueAt, zone, handle }) => {
    const token = tokens.get(id)
    return token === undefined ? [] : [{ token, excerpt, channel: handle ?? '', dueAt, zone }]
  })
}
