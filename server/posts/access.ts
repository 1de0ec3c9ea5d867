import type { Selectable } from 'kysely'
import { allows, mayPublish, type Action } from '#contract/permissions.ts'
import type { Scope } from '#contract/posts.ts'
import { problem } from '#contract/postProblems.ts'
import { mayOnPost } from '#contract/postRights.ts'
import { canDo, PostState, type PostAction } from '#contract/postStates.ts'
import { isVisibleTo } from '../access/visiblePosts.ts'
import type { Database } from '../db/schema.ts'
import { fail } from '../errors.ts'
import type { ProjectContext } from '../http/route.ts'
import { holdQueuesOf } from '../queues/lock.ts'
import { locked } from './locked.ts'

export type PostRecord = Omit<Selectable<Database['post']>, 'state'> & { state: PostState }
/** Whether the role includes the action on posts. */
export const mayPosts = (c: Pick<ProjectContext, 'project'>, action: Action): boolean =>
  allows(c.project.permissions, 'post', action)

/** Publishing in any form requires this permission in addition to the endpoint's own. Throws FORBIDDEN. */
export function mustPublish(c: Pick<ProjectContext, 'project'>): void {
  if (!mayPublish(c.project.permissions)) throw fail('FORBIDDEN', { problem: problem('may-not-publish') })
}

/** Sending for approval requires its own permission; people who can publish may also ask for approval first. Throws FORBIDDEN. */
export function mustSendForApproval(c: Pick<ProjectContext, 'project'>): void {
  if (!mayPosts(c, 'needs_approval') && !mayPublish(c.project.permissions)) throw fail('FORBIDDEN')
}

/** Whether the caller's role allows changing or deleting the post (contract/postRights.ts). */
export function mayChange(
  c: Pick<ProjectContext, 'project' | 'caller'>,
  post: Pick<PostRecord, 'author_id' | 'state'>,
  action: 'edit' | 'delete',
): boolean {
  const isAuthor = post.author_id === c.caller.personId
  return mayOnPost(action, { held: c.project.permissions, status: post.state, isAuthor })
}

/** The post. Absent, of another project or outside the caller's channels: NOT_FOUND. */
export async function findPost(c: ProjectContext, postId: string): Promise<PostRecord> {
  return assertVisible(c, await postQuery(c, postId).executeTakeFirst())
}

/** The post, locked for the transaction, for actions that change it. Same refusals as findPost. */
export async function loadPost(c: ProjectContext, postId: string): Promise<PostRecord> {
  await holdQueuesOf(c.tx, c.org.orgId, [postId])
  return assertVisible(c, await postQuery(c, postId).forUpdate().executeTakeFirst())
}

/** The post, locked, or undefined when the project has none with this ID. One outside the caller's channels: NOT_FOUND. */
export async function loadPostIfAny(c: ProjectContext, postId: string): Promise<PostRecord | undefined> {
  await holdQueuesOf(c.tx, c.org.orgId, [postId])
  const row = await postQuery(c, postId).forUpdate().executeTakeFirst()
  return row && assertVisible(c, row)
}

const postQuery = ({ tx, org, project }: ProjectContext, postId: string) =>
  tx
    .selectFrom('post')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', '=', postId)

/** The row as the caller's post. None, or one outside the caller's channels: NOT_FOUND. */
function assertVisible<Row extends Selectable<Database['post']>>(
  c: Pick<ProjectContext, 'project' | 'caller'>,
  row: Row | undefined,
): Omit<Row, 'state'> & { state: PostState } {
  if (!row || !isVisibleTo(c, row)) throw fail('NOT_FOUND')
  return { ...row, state: PostState.parse(row.state) }
}

/** The post, for a change by the caller: FORBIDDEN without permission, POST_LOCKED if its status doesn't allow it. */
export async function loadPostFor(c: ProjectContext, postId: string, action: PostAction): Promise<PostRecord> {
  const post = await loadPost(c, postId)
  mustAllow(c, post, action)
  return post
}

/** Throws FORBIDDEN without permission, POST_LOCKED if the post's status doesn't allow the action. */
export function mustAllow(c: ProjectContext, post: PostRecord, action: PostAction): void {
  if (action === 'edit' || action === 'reschedule' || action === 'delete' || action === 'label') {
    if (!mayChange(c, post, action === 'delete' ? 'delete' : 'edit')) throw fail('FORBIDDEN')
  } else mustPublish(c)
  if (!canDo(action, post.state)) throw locked(action, post.state)
}

/**
 * The post and, from its series on its channel, those in the scope of the change, all locked in one order. Deleted
 * ones are excluded. Same refusals as findPost for the post itself.
 */
export async function loadScope(
  c: ProjectContext,
  postId: string,
  scope: Scope,
): Promise<{ post: PostRecord; others: PostRecord[] }> {
  if (scope === 'this') return { post: await loadPost(c, postId), others: [] }
  const { seriesId, index } = await placeInSeries(c, postId)
  await holdQueuesOf(c.tx, c.org.orgId, [postId], seriesId)
  const rows = await c.tx
    .selectFrom('post')
    .selectAll()
    .where('org_id', '=', c.org.orgId)
    .where('project_id', '=', c.project.projectId)
    .where((eb) =>
      eb.or([
        eb('id', '=', postId),
        eb.and([
          eb('series_id', '=', seriesId),
          eb('series_index', '>=', scope === 'all' ? 0 : index),
          eb('state', '<>', 'DELETED'),
        ]),
      ]),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
  const post = assertVisible(
    c,
    rows.find((row) => row.id === postId),
  )
  const others = rows.filter((row) => row.id !== postId).map((row) => ({ ...row, state: PostState.parse(row.state) }))
  return {
    post,
    others: others
      .filter((other) => isVisibleTo(c, other))
      .toSorted((one, other) => (one.series_index ?? 0) - (other.series_index ?? 0)),
  }
}

/** A deleted post and, with a scope, those of its series that were deleted together with it. Same refusals as findPost. */
export async function loadSeriesDeletion(
  c: ProjectContext,
  postId: string,
  scope: Scope,
): Promise<{ post: PostRecord; others: PostRecord[] }> {
  const first = await findPost(c, postId)
  if (scope === 'this' || first.series_id === null || first.state !== 'DELETED')
    return { post: await loadPost(c, postId), others: [] }
  const rows = await c.tx
    .selectFrom('post')
    .selectAll()
    .where('org_id', '=', c.org.orgId)
    .where('series_id', '=', first.series_id)
    .where('state', '=', 'DELETED')
    .where('updated_at', '=', first.updated_at)
    .orderBy('id')
    .forUpdate()
    .execute()
  const post = assertVisible(
    c,
    rows.find((row) => row.id === postId),
  )
  return {
    post,
    others: rows.filter((row) => row.id !== postId).map((row) => ({ ...row, state: PostState.parse(row.state) })),
  }
}

async function placeInSeries(c: ProjectContext, postId: string): Promise<{ seriesId: string | null; index: number }> {
  const post = await findPost(c, postId)
  return { seriesId: post.series_id, index: post.series_index ?? 0 }
}
