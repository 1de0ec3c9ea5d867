import { sql, type RawBuilder } from 'kysely'
import type { Caller, CallerProject } from '../http/route.ts'

/*
 * Who sees a post, for queries and for a post at hand. A role that is bound to channels sees their posts; of drafts, which
 * have no channel, only its holder's own.
 */

type Viewer = { project: Pick<CallerProject, 'channelIds'>; caller: Pick<Caller, 'personId'> }

/** Whether the caller sees the post `p` of a query. */
export function visibleTo({ project, caller }: Viewer): RawBuilder<boolean> {
  const scope = project.channelIds && [...project.channelIds]
  return sql`(${scope}::uuid[] is null or p.channel_id = any(${scope}::uuid[]) or (p.channel_id is null and p.author_id = ${caller.personId}))`
}

/** The same of a post at hand. */
export function isVisibleTo(
  { project, caller }: Viewer,
  post: { channel_id: string | null; author_id: string | null },
): boolean {
  if (project.channelIds === null) return true
  return post.channel_id === null ? post.author_id === caller.personId : project.channelIds.includes(post.channel_id)
}
