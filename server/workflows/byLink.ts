import { sql } from 'kysely'
import type { z } from 'zod'
import { systemRoles } from '#contract/permissions.ts'
import { entitlements, PlanId, PlanStatus } from '#contract/plans.ts'
import type {
  Approval,
  decideByLink as decideCall,
  LinkEnd,
  readApprovalFile,
  readApprovalLink as readCall,
} from '#contract/workflows.ts'
import { writeAudit } from '../audit/write.ts'
import type { Tx } from '../db/kysely.ts'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import { asTenant } from '../db/tenant.ts'
import { fail } from '../errors.ts'
import { despiteDeadlocks } from '../http/deadlock.ts'
import type { Context, Told, ProjectContext } from '../http/route.ts'
import { hashToken } from '../http/session.ts'
import { emit } from '../live/emit.ts'
import type { AssetRow } from '../media/access.ts'
import { assetIdsOf } from '#contract/content.ts'
import { findPost, type PostRecord } from '../posts/access.ts'
import { contentsOf, detailsOf } from '../posts/content.ts'
import { readPost } from '../posts/read.ts'
import type { PostDeps } from '../posts/schedule.ts'
import { contentHash } from '../approvals/content.ts'
import { decide } from './decide.ts'
import { countGuess, countUse } from './limits.ts'
import { presentApproval } from './read.ts'
import { lastRoundOf, type Round } from '../approvals/rounds.ts'

type Reply = z.output<(typeof readCall)['reply']>
type Link = {
  id: string
  org_id: string
  project_id: string
  post_id: string
  approval_id: string
  step: number
  email: string
  name: string
  expires_at: Date
  revoked_at: Date | null
  used_at: Date | null
  org_name: string
  project_name: string
  zone: string
  sent_by: string
  plan_id: string
  plan_status: string
  addon_quantity: number
  trial_ends_at: Date | null
}
type Visit = { databases: Databases; address: string; now: Date }

/**
 * What an external approver sees: the post, its project and organization. A link that has ended reveals nothing of the
 * post.
 */
export async function readByLink(visit: Visit, token: string): Promise<Reply> {
  const link = await enterByLink(visit, token)
  return await inside(visit, link, async (c) => {
    const { post, round, state } = await stateOf(c, link, visit.now)
    const ended = state === 'passed' ? await whyEnded(c, link, { post, round }, visit.now) : null
    const shown = await readPost(c, link.post_id, () => undefined)
    const { timeline: _, draft: __, ...rest } = shown
    const fileUrl = (assetId: string) => `/api/public/approval/${token}/file?assetId=${assetId}`
    const contents = shown.contents.map((content) => ({
      ...content,
      media: content.media.map((media) => ({ ...media, url: fileUrl(media.assetId) })),
    }))
    // the team's own data about a post isn't for outsiders
    const bare = {
      ...rest,
      contents,
      batchId: null,
      author: null,
      labels: [],
      campaigns: [],
      series: null,
      workflow: null,
      failure: null,
      warning: null,
      parts: [],
    }
    const approval = await presentApproval(c, post, round, { kind: 'external', email: link.email })
    const place = { orgName: link.org_name, projectName: link.project_name, approver: link.name, state, ended }
    if (state === 'passed')
      return {
        ...place,
        post: emptied(bare),
        approval: { ...forOutside(approval, link), changes: null, mayDecide: false },
      }
    return { ...place, post: bare, approval: { ...forOutside(approval, link), mayDecide: state === 'open' } }
  })
}

function emptied(post: Reply['post']): Reply['post'] {
  return {
    ...post,
    excerpt: '',
    images: 0,
    contents: [],
    additionalDetails: {},
    firstComment: '',
    mentions: [],
    channel: null,
    permalink: null,
    objectId: null,
    schedule: { type: 'DRAFT' },
    dueAt: null,
    publishedAt: null,
  }
}

/** Who else is asked, and what they said, stays internal. */
function forOutside(approval: Approval, { step, name }: Link): Approval {
  return {
    ...approval,
    workflowName: '',
    adminsDecide: false,
    decisions: [],
    steps: approval.steps.map(({ needs, approvers }, i) => ({
      needs,
      approvers: i === step ? approvers.filter((one) => one.kind === 'external' && one.name === name) : [],
    })),
  }
}

/**
 * Decides with a link, once. Throws NOT_FOUND, POST_LOCKED if the link was used or has ended, STALE_VERSION,
 * RATE_LIMITED.
 */
export async function decideByLink(
  c: Context<typeof decideCall>,
  databases: Databases,
  deps: PostDeps,
): Promise<{ message: string }> {
  const visit = { databases, address: c.address, now: c.now }
  const link = await enterByLink(visit, c.params.token)
  const { decision, version, comment } = c.body
  const { failure } = await inside(visit, link, async (context) => {
    // posts before their rounds and links, as everywhere
    await context.tx
      .selectFrom('post')
      .select('id')
      .where('org_id', '=', link.org_id)
      .where('id', '=', link.post_id)
      .forUpdate()
      .execute()
    const { state, post } = await stateOf(context, link, c.now, true)
    if (state === 'decided')
      throw fail('POST_LOCKED', { detail: 'You already decided on this post.', meta: { state: 'decided' } })
    // a newer version of the same content, such as another time, is reported as such
    if (state === 'passed')
      throw fail('POST_LOCKED', {
        detail: "This link has expired, so your decision wasn't recorded. Reload the page to see why.",
        meta: { state: 'passed' },
      })
    await context.tx
      .updateTable('approval_link')
      .set({ used_at: c.now })
      .where('org_id', '=', link.org_id)
      .where('id', '=', link.id)
      .execute()
    const decided = await decide(
      context,
      deps,
      post.id,
      { kind: 'external', email: link.email, name: link.name },
      { decision, version, comment },
    )
    await writeAudit(
      context.tx,
      [
        {
          orgId: link.org_id,
          projectId: link.project_id,
          personId: null,
          action: decision,
          entity: 'post',
          entityId: post.id,
          detail: {
            linkId: link.id,
            approvalId: decided.round.approvalId,
            step: decided.round.step,
            hash: decided.round.hash.toString('hex'),
          },
          address: c.address,
        },
      ],
      c.now,
    )
    return decided
  })
  // why it can't be published is the team's business
  if (failure !== null) return { message: "Post approved. It can't be published yet, but the team can see why." }
  return { message: decision === 'approved' ? 'Post approved' : 'Post rejected' }
}

/** A file of the post, while the link shows the post. */
export async function fileByLink(
  visit: Visit,
  token: string,
  { assetId }: z.output<(typeof readApprovalFile)['query']>,
): Promise<AssetRow> {
  const link = await findByToken(visit, token)
  const asset = await inside(visit, link, async (c) => {
    const { post, state } = await stateOf(c, link, visit.now)
    if (state === 'passed' || !assetIdsOf({ contents: contentsOf(post), details: detailsOf(post) }).includes(assetId))
      return undefined
    return await c.tx
      .selectFrom('asset')
      .selectAll()
      .where('org_id', '=', link.org_id)
      .where('id', '=', assetId)
      .where('state', '=', 'ready')
      .executeTakeFirst()
  })
  if (!asset) throw fail('NOT_FOUND')
  return asset
}

const gone = () =>
  fail('NOT_FOUND', { detail: 'This link is incomplete or has expired. Open it from the latest email.' })

/** A token's link. An unknown one counts as the client's guess. */
async function findByToken({ databases, address, now }: Visit, token: string): Promise<Link> {
  const link = await asSystem(databases.system, (tx) => findLink(tx, token))
  if (link) return link
  await countGuess(databases, address, now)
  throw gone()
}

/** The same, counted as a use of the link. */
async function enterByLink(visit: Visit, token: string): Promise<Link> {
  const link = await findByToken(visit, token)
  await countUse(visit.databases, link.id, visit.now)
  return link
}

async function findLink(tx: Tx, token: string): Promise<Link | undefined> {
  const { rows } = await sql<Link>`
    select l.id, l.org_id, l.approval_id, l.step, l.email, l.name, l.expires_at, l.revoked_at, l.used_at, a.post_id, a.sent_by, p.project_id,
      o.name as org_name, j.name as project_name, j.zone, n.plan_id, n.status as plan_status, n.addon_quantity, n.trial_ends_at
    from approval_link l join approval a on a.org_id = l.org_id and a.id = l.approval_id join post p on p.org_id = a.org_id and p.id = a.post_id
    join project j on j.org_id = p.org_id and j.id = p.project_id join organization o on o.org_id = l.org_id join plan n on n.org_id = l.org_id
    where l.token_hash = ${hashToken(token)}`.execute(tx)
  return rows[0]
}

/**
 * What may be done by the link. It is open while its step is, the post waits, says what it said, and nobody ended it;
 * decided once it was used, as long as the post still says that. `lock` reads the link again: two posts of the same
 * form come one after the other.
 */
async function stateOf(
  c: ProjectContext,
  link: Link,
  now: Date,
  lock = false,
): Promise<{ post: PostRecord; round: Round; state: Reply['state'] }> {
  const post = await findPost(c, link.post_id)
  const round = await lastRoundOf(c.tx, link.org_id, link.post_id)
  if (!round) throw gone()
  const fresh = lock
    ? await c.tx
        .selectFrom('approval_link')
        .select(['revoked_at', 'used_at', 'expires_at'])
        .where('org_id', '=', link.org_id)
        .where('id', '=', link.id)
        .forUpdate()
        .executeTakeFirst()
    : link
  const isOver =
    !fresh ||
    fresh.revoked_at !== null ||
    fresh.expires_at <= now ||
    round.approvalId !== link.approval_id ||
    !contentHash(post).equals(round.hash) ||
    post.state === 'DELETED'
  if (isOver) return { post, round, state: 'passed' }
  if (fresh.used_at !== null) return { post, round, state: 'decided' }
  return {
    post,
    round,
    state: round.state === 'open' && round.step === link.step && post.state === 'NEEDS_APPROVAL' ? 'open' : 'passed',
  }
}

/** Why a link has ended: what the approver needs to know. */
async function whyEnded(
  { tx }: ProjectContext,
  link: Link,
  { post, round }: { post: PostRecord; round: Round },
  now: Date,
): Promise<LinkEnd> {
  const isAsked = round.steps[round.step]?.approvers.some(
    (approver) => approver.kind === 'external' && approver.email === link.email,
  )
  if (!isAsked || round.state !== 'open' || post.state !== 'NEEDS_APPROVAL') return 'closed'
  if (round.linksEndedAt !== null) return 'revoked'
  const newest = await tx
    .selectFrom('approval_link')
    .select(['id', 'revoked_at', 'used_at', 'expires_at'])
    .where('org_id', '=', link.org_id)
    .where('approval_id', '=', round.approvalId)
    .where('step', '=', round.step)
    .where('email', '=', link.email)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  // a job creates and emails it soon
  if (!newest) return 'replaced'
  if (newest.used_at !== null) return 'closed'
  if (newest.revoked_at !== null) return 'revoked'
  if (newest.expires_at <= now) return 'expired'
  return newest.id === link.id ? 'closed' : 'replaced'
}

/**
 * A transaction in the link's tenant. Consequences of the decision use the project's rights, regardless of who
 * submitted the post.
 */
function inside<T>({ databases, now }: Visit, link: Link, fn: (c: ProjectContext) => Promise<T>): Promise<T> {
  const { org_id: orgId, project_id: projectId } = link
  const plan = {
    planId: PlanId.parse(link.plan_id),
    status: PlanStatus.parse(link.plan_status),
    addonQuantity: link.addon_quantity,
    trialEndsAt: link.trial_ends_at,
  }
  return despiteDeadlocks(() =>
    asTenant(databases.web, orgId, (tx) =>
      fn({
        tx,
        now,
        caller: { sessionId: '', personId: link.sent_by, confirmed: true, secondFactor: false },
        org: { orgId, isAdmin: false, plan, entitlements: entitlements(plan, now) },
        project: {
          projectId,
          zone: link.zone,
          roleId: null,
          roleName: null,
          permissions: systemRoles.admin.permissions,
          publishing: 'full',
          channelIds: null,
        },
        // the decision has its own audit entry
        audit: () => Promise.resolve(),
        emit: (events) =>
          emit(
            tx,
            told(events).map((event) => ({ projectId, ...event, orgId })),
            now,
          ),
      }),
    ),
  )
}

const told = (events: Told | readonly Told[]): readonly Told[] => ('kind' in events ? [events] : events)
