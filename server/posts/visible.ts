import { sql, type RawBuilder } from 'kysely'
import type { Caller, CallerProject } from '../http/route.ts'

/** Whether the caller sees a post `p`: a role with named channels sees theirs, and its holder's own drafts without one. */
export function isSeen({
  project,
  caller,
}: {
  project: Pick<CallerProject, 'channelIds'>
  caller: Pick<Caller, 'personId'>
}): RawBuilder<boolean> {
  const scope = project.channelIds && [...project.channelIds]
  return sql`(${scope}::uuid[] is null or p.channel_id = any(${scope}::uuid[]) or (p.channel_id is null and p.author_id = ${caller.personId}))`
}
