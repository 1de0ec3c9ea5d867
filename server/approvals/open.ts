import type { ProjectContext } from '../http/route.ts'
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { problem } from '#contract/postProblems.ts'
import { WorkflowStep } from '#contract/workflows.ts'
import { insertMany } from '../db/insertMany.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { dismissNotifications } from '../notifications/dismiss.ts'
import { mustHaveGate } from '../plans/gates.ts'
import { addTimelineEvent } from '../publishing/timeline.ts'
import { nameOf, namesOf } from '../people/names.ts'
import { ask } from './ask.ts'
import { contentHash, type Content } from './content.ts'
import { lastRoundOf, type Round } from './rounds.ts'
import { KeptSteps, type KeptStep } from './steps.ts'

type Opening = { workflowId: string | null; name: string; steps: readonly KeptStep[] }

/**
 * Opens a round of approval in this workflow for each of the posts, which are NEEDS_APPROVAL with their final content;
 * an earlier round ends. Notifies the first step's approvers and adds timeline entries. Throws PLAN_LIMIT, and
 * NOT_FOUND at `workflowId`.
 */
export async function openApprovals(
  c: ProjectContext,
  posts: readonly { postId: string }[],
  workflowId: string,
): Promise<void> {
  if (posts.length === 0) return
  mustHaveGate(c, 'approval_workflows')
  const workflow = await readWorkflow(c, workflowId)
  if (!workflow)
    throw fail('NOT_FOUND', {
      detail: 'This workflow no longer exists. Choose another one.',
      problems: { workflowId: [problem('workflow-gone')] },
    })
  await openRounds(
    c,
    posts.map(({ postId }) => postId),
    workflow,
  )
}

/**
 * The approved or waiting content has changed: its round ends, and one of the same workflow opens for the new content,
 * even if the plan no longer includes workflows. Does nothing if the content is the same, or was never sent. The post
 * is locked, changed, and NEEDS_APPROVAL.
 */
export async function voidApproval(c: ProjectContext, { id: postId }: { id: string }): Promise<void> {
  const round = await lastRoundOf(c.tx, c.org.orgId, postId)
  if (!round || round.state === 'rejected' || round.state === 'void') return
  const [post] = await readContents(c, [postId])
  if (post && round.state === 'open' && contentHash(post).equals(round.hash)) return
  const workflow = round.workflowId === null ? undefined : await readWorkflow(c, round.workflowId)
  // if it was deleted since: its steps as they were
  await openRounds(
    c,
    [postId],
    workflow ?? { workflowId: round.workflowId, name: round.workflowName, steps: round.steps },
  )
}

/**
 * Ends the rounds of posts that no longer wait for anyone, such as when they become drafts. Decisions stay on record.
 */
export async function endApproval(
  c: { tx: Tx; org: { orgId: string }; now: Date },
  postIds: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ id: string; step: number }>`
    update approval set state = 'void', ended_at = ${c.now} where org_id = ${c.org.orgId} and post_id = any(${[...postIds]}::uuid[]) and state in ('open', 'approved') returning id, step`.execute(
    c.tx,
  )
  await closeSteps(
    c.tx,
    c.org.orgId,
    rows.map(({ id, step }) => ({ approvalId: id, step })),
    c.now,
  )
}

/** An asked step is over: its links end, and its notifications needn't be read anymore. */
export async function closeSteps(
  tx: Tx,
  orgId: string,
  steps: readonly Pick<Round, 'approvalId' | 'step'>[],
  now: Date,
): Promise<void> {
  if (steps.length === 0) return
  await sql`update approval_link set revoked_at = ${now} where org_id = ${orgId} and approval_id = any(${steps.map(({ approvalId }) => approvalId)}::uuid[]) and revoked_at is null and used_at is null`.execute(
    tx,
  )
  const keys = steps.map(({ approvalId, step }) => dedupeKeys.approval(approvalId, step))
  await dismissNotifications(tx, { orgId, dedupeKeys: keys.flatMap((key) => [key, `${key}:due`]) }, now)
}

async function openRounds(
  c: ProjectContext,
  postIds: readonly string[],
  { workflowId, name, steps }: Opening,
): Promise<void> {
  const { orgId } = c.org
  const place = { orgId, projectId: c.project.projectId }
  await endApproval(c, postIds)
  await keepAltTexts(c.tx, orgId, postIds)
  const posts = await readContents(c, postIds)
  const rounds = posts.map((post): Round => ({
    approvalId: randomUUIDv7(),
    postId: post.id,
    channelId: post.channel_id,
    workflowId,
    workflowName: name,
    steps,
    step: 0,
    hash: contentHash(post),
    state: 'open',
    sentBy: c.caller.personId,
    sentAt: c.now,
    stepAt: c.now,
    remindedAt: null,
    linksEndedAt: null,
  }))
  await insertMany(
    c.tx,
    'approval',
    rounds.map((round) => rowOf(orgId, round)),
  )
  await addTimelineEvent(
    c.tx,
    orgId,
    c.now,
    rounds.map(({ postId }) => ({
      postId,
      kind: 'sent_for_approval',
      personId: c.caller.personId,
      detail: { code: 'workflow', name },
    })),
  )
  const excerpts = new Map(posts.map((post) => [post.id, post.excerpt]))
  await ask(
    c.tx,
    place,
    rounds,
    { sender: await nameOf(c.tx, c.caller.personId), except: c.caller.personId, excerpts },
    c.now,
  )
}

/**
 * The decided content has its own alt text for each image: the files' alt texts, which others may change later, are
 * copied into it.
 */
async function keepAltTexts(tx: Tx, orgId: string, postIds: readonly string[]): Promise<void> {
  await sql`
    update post p
    set contents = (
      select jsonb_agg(
        case when c ? 'media' then c || jsonb_build_object('media', coalesce((
          select jsonb_agg(case when m ? 'altText' or coalesce(a.alt_text, '') = '' then m else m || jsonb_build_object('altText', a.alt_text) end order by place)
          from jsonb_array_elements(c -> 'media') with ordinality as files(m, place)
          left join asset a on a.org_id = p.org_id and a.id = (m ->> 'assetId')::uuid
        ), '[]')) else c end order by item)
      from jsonb_array_elements(p.contents) with ordinality as items(c, item))
    where p.org_id = ${orgId} and p.id = any(${[...postIds]}::uuid[])
      and exists (select from post_asset u join asset a on a.org_id = u.org_id and a.id = u.asset_id where u.org_id = p.org_id and u.post_id = p.id and a.alt_text <> '')`.execute(
    tx,
  )
}

const rowOf = (orgId: string, round: Round) => ({
  org_id: orgId,
  id: round.approvalId,
  post_id: round.postId,
  workflow_id: round.workflowId,
  workflow_name: round.workflowName,
  steps: round.steps,
  step: 0,
  content_hash: `\\x${round.hash.toString('hex')}`,
  state: 'open',
  sent_by: round.sentBy,
  sent_at: round.sentAt,
  step_at: round.stepAt,
})

async function readContents(
  { tx, org, project }: ProjectContext,
  postIds: readonly string[],
): Promise<(Content & { id: string; excerpt: string })[]> {
  return await tx
    .selectFrom('post')
    .select(['id', 'excerpt', 'contents', 'details', 'first_comment', 'mentions', 'channel_id', 'post_type'])
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', '=', (eb) => eb.fn.any(eb.val([...postIds])))
    .orderBy('id')
    .execute()
}

/** A workflow of the project with its approvers' current names; undefined if it was deleted. */
async function readWorkflow({ tx, org, project }: ProjectContext, workflowId: string): Promise<Opening | undefined> {
  const row = await tx
    .selectFrom('workflow')
    .select(['id', 'name', 'steps'])
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', '=', workflowId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const steps = WorkflowStep.array().parse(row.steps)
  const names = await namesOf(
    tx,
    org.orgId,
    steps.flatMap(({ approvers }) =>
      approvers.flatMap((one) => (one.kind === 'member' ? [one.userId] : one.kind === 'role' ? [one.roleId] : [])),
    ),
  )
  const named = steps.map(({ needs, approvers }) => ({
    needs,
    approvers: approvers.map((one) =>
      one.kind === 'external'
        ? one
        : { ...one, name: names.get(one.kind === 'member' ? one.userId : one.roleId) ?? '' },
    ),
  }))
  return { workflowId: row.id, name: row.name, steps: KeptSteps.parse(named) }
}
