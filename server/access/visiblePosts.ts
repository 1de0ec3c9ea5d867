import { sql, type RawBuilder } from 'kysely'
import { allows } from '#contract/permissions.ts'
import type { Caller, CallerProject } from '../http/route.ts'

/*
 * Who sees a post, for queries and for a post at hand: roles that may view posts. One that is bound to channels sees their
 * posts; of drafts, which have no channel, only its holder's own.
 */

type Scoped = { project: Pick<CallerProject, 'channelIds'>; caller: Pick<Caller, 'personId'> }
type Viewer = Scoped & { project: Pick<CallerProject, 'permissions'> }
type VisibilityColumns = { channel_id: string | null; author_id: string | null }

/** Whether the caller's role may view posts: those that it includes. Roles without it can have other permissions, such as for channels. */
export const maySeePosts = ({ permissions }: Pick<CallerProject, 'permissions'>): boolean =>
  allows(permissions, 'post', 'view')

/** Whether the caller sees every post of the project, so that a query needs no condition. */
export const seesAllPosts = ({ channelIds, permissions }: Viewer['project']): boolean =>
  channelIds === null && maySeePosts({ permissions })

/** Whether the caller sees the post `p` of a query. */
export function visibleTo({ project, caller }: Viewer): RawBuilder<boolean> {
  if (!maySeePosts(project)) return sql`false`
  const scope = project.channelIds && [...project.channelIds]
  return sees(sql`${scope}::uuid[]`, sql`${caller.personId}`, { channel: sql`p.channel_id`, author: sql`p.author_id` })
}

/** The same as a further condition of a query; nothing for those who see every post. */
export const andVisible = (viewer: Viewer): RawBuilder<unknown> =>
  seesAllPosts(viewer.project) ? sql`` : sql` and ${visibleTo(viewer)}`

/** Whether the member `m` of a query, with `pm`, their row in its project, sees a post at hand. */
export const visibleToMember = (post: VisibilityColumns): RawBuilder<boolean> =>
  sql`(m.is_admin or ${sees(sql`pm.channel_ids`, sql`m.person_id`, { channel: sql`${post.channel_id}::uuid`, author: sql`${post.author_id}::uuid` })})`

const sees = (
  scope: RawBuilder<unknown>,
  person: RawBuilder<unknown>,
  { channel, author }: { channel: RawBuilder<unknown>; author: RawBuilder<unknown> },
): RawBuilder<boolean> =>
  sql`(${scope} is null or ${channel} = any(${scope}) or (${channel} is null and ${author} = ${person}))`

/** The same of a post at hand. */
export const isVisibleTo = (viewer: Viewer, post: VisibilityColumns): boolean =>
  maySeePosts(viewer.project) && isInScope(viewer, post)

/** Whether the caller's channels include the post, or conversation, whatever their role may do. */
export function isInScope({ project, caller }: Scoped, post: VisibilityColumns): boolean {
  if (project.channelIds === null) return true
  return post.channel_id === null ? post.author_id === caller.personId : project.channelIds.includes(post.channel_id)
}
