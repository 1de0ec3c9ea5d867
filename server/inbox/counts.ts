import { sql } from 'kysely'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { inboxCounts as contract } from '#contract/inbox/counts.ts'
import type { Caller, CallerOrg, CallerProject } from '../http/route.ts'
import type { Tx } from '../db/kysely.ts'
import { kindsFor, reachable, type InboxReader } from './access.ts'
import { isUnread, isUnsent } from './present.ts'

type Counts = ReplyOf<typeof contract>

/** How many of the caller's conversations are open, unread, theirs and so on. Closed ones count nowhere, except those with a reply that wasn't sent. */
export async function countConversations(c: InboxReader): Promise<Counts> {
  const none = { open: 0, unread: 0, mine: 0, unassigned: 0, waiting: 0, followUp: 0, unsent: 0, channels: [] }
  if (kindsFor(c.project, 'view').length === 0) return none
  const { rows } = await sql<Counts>`
    with counted as materialized (
      select c.channel_id, c.status, c.assignee_id = ${c.caller.personId} as mine, c.assignee_id is null as unassigned, c.waiting_since is not null as waiting,
        c.status = 'OPEN' and ${isUnread(c)} as unread, count(*) as n
      from conversation c where c.org_id = ${c.org.orgId} and c.project_id = ${c.project.projectId} and c.status in ('OPEN', 'FOLLOWUP') and ${reachable(c)}
      group by 1, 2, 3, 4, 5, 6
    )
    select coalesce(sum(n) filter (where status = 'OPEN'), 0)::int as open, coalesce(sum(n) filter (where unread), 0)::int as unread,
      coalesce(sum(n) filter (where status = 'OPEN' and mine), 0)::int as mine, coalesce(sum(n) filter (where status = 'OPEN' and unassigned), 0)::int as unassigned,
      coalesce(sum(n) filter (where waiting), 0)::int as waiting, coalesce(sum(n) filter (where status = 'FOLLOWUP'), 0)::int as "followUp",
      ${unsentIn(c)} as unsent,
      (select coalesce(json_agg(json_build_object('channelId', channel_id, 'open', open) order by channel_id), '[]')
        from (select channel_id, sum(n)::int as open from counted where status = 'OPEN' group by 1) by_channel) as channels
    from counted`.execute(c.tx)
  return rows[0] ?? none
}

/** How many have a reply that wasn't sent: found by those few replies, whatever the inbox holds. */
const unsentIn = (c: InboxReader) => sql`
  (select count(*)::int from (select distinct r.conversation_id as id from reply r where r.org_id = ${c.org.orgId} and ${isUnsent}) u
    join conversation c on c.org_id = ${c.org.orgId} and c.id = u.id where c.project_id = ${c.project.projectId} and ${reachable(c)})`

type Person = {
  tx: Tx
  org: Pick<CallerOrg, 'orgId'>
  project: CallerProject
  caller: Pick<Caller, 'personId'>
  now: Date
}

/** How many open conversations hold something that the caller hasn't seen; 0 for someone who doesn't see the inbox. */
export async function countUnread(c: Person): Promise<number> {
  if (kindsFor(c.project, 'view').length === 0) return 0
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from conversation c
    where c.org_id = ${c.org.orgId} and c.project_id = ${c.project.projectId} and c.status = 'OPEN' and ${isUnread(c)} and ${reachable(c)}`.execute(
    c.tx,
  )
  return rows[0]?.n ?? 0
}
