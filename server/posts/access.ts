import type { Selectable } from 'kysely'
import { allows, type Action } from '#contract/permissions.ts'
import { canDo, PostState, type PostAction } from '#contract/postStates.ts'
import { reaches } from '../channels/access.ts'
import type { Tx } from '../db/kysely.ts'
import type { PostTable } from '../db/schema.ts'
import { fail } from '../errors.ts'
import type { Caller, CallerOrg, CallerProject, InTenant } from '../http/route.ts'
import { locked } from './words.ts'

export type PostRecord = Omit<Selectable<PostTable>, 'state'> & { state: PostState }
/** What every verb on posts is handed of its caller; requests and detached transactions both have it. */
export type Desk = { tx: Tx; now: Date; caller: Caller; org: CallerOrg; project: CallerProject; audit: InTenant['audit']; emit: InTenant['emit'] }

/** Whether the role holds the action on posts. */
export const mayPosts = (c: Pick<Desk, 'project'>, action: Action): boolean => allows(c.project.permissions, 'post', action)

/** Publishing of any kind asks for this right on top of the endpoint's own. Throws FORBIDDEN. */
export function mustPublish(c: Pick<Desk, 'project'>): void {
  if (!mayPosts(c, 'publish')) throw fail('FORBIDDEN', { detail: 'Your role does not allow publishing. Ask an admin of the project.' })
}

/** Nothing is published once the trial or the plan has ended. Throws PLAN_LIMIT. */
export function mustHavePlan(c: Pick<Desk, 'org'>): void {
  if (!c.org.entitlements.valid) throw fail('PLAN_LIMIT', { detail: 'The plan has ended: choose one to publish again.', meta: { gate: 'plan_expired' } })
}

/** Who only creates posts changes and deletes their own drafts; the rest asks for the right itself (decisions, Roles). */
export function mayChange(c: Pick<Desk, 'project' | 'caller'>, post: Pick<PostRecord, 'author_id' | 'state'>, action: 'edit' | 'delete'): boolean {
  if (mayPosts(c, action)) return true
  return mayPosts(c, 'create') && post.author_id === c.caller.personId && (post.state === 'DRAFTS' || post.state === 'REJECTED')
}

/** A post without a channel is a draft: a role with named channels sees only its holder's own. */
function isVisible(c: Pick<Desk, 'project' | 'caller'>, post: PostRecord): boolean {
  if (post.channel_id !== null) return reaches(c.project, post.channel_id)
  return c.project.channelIds === null || post.author_id === c.caller.personId
}

/** The post. Absent, of another project or outside the caller's channels: NOT_FOUND. */
export async function findPost(c: Desk, postId: string): Promise<PostRecord> {
  return seen(c, await postQuery(c, postId).executeTakeFirst())
}

/** The post, locked for the transaction: for verbs that change it. Same refusals as findPost. */
export async function loadPost(c: Desk, postId: string): Promise<PostRecord> {
  return seen(c, await postQuery(c, postId).forUpdate().executeTakeFirst())
}

/** The post, locked, or undefined when the project has none of this id. One outside the caller's channels: NOT_FOUND. */
export async function loadPostIfAny(c: Desk, postId: string): Promise<PostRecord | undefined> {
  const row = await postQuery(c, postId).forUpdate().executeTakeFirst()
  return row && seen(c, row)
}

const postQuery = ({ tx, org, project }: Desk, postId: string) => tx.selectFrom('post').selectAll().where('org_id', '=', org.orgId).where('project_id', '=', project.projectId).where('id', '=', postId)

function seen(c: Desk, row: Selectable<PostTable> | undefined): PostRecord {
  const post = row && { ...row, state: PostState.parse(row.state) }
  if (!post || !isVisible(c, post)) throw fail('NOT_FOUND')
  return post
}

/** The post for a change by the caller: FORBIDDEN without the right, POST_LOCKED where its state does not allow it. */
export async function loadPostFor(c: Desk, postId: string, action: PostAction): Promise<PostRecord> {
  const post = await loadPost(c, postId)
  if (action === 'edit' || action === 'reschedule' || action === 'delete') {
    if (!mayChange(c, post, action === 'delete' ? 'delete' : 'edit')) throw fail('FORBIDDEN')
  } else mustPublish(c)
  if (!canDo(action, post.state)) throw locked(action, post.state)
  return post
}
