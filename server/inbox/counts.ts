import { sql } from 'kysely'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { inboxCounts as contract } from '#contract/inbox/counts.ts'
import { revisionAt, seenColumns, type Seen } from '../http/revision.ts'
import { withAsOf, type Caller, type CallerOrg, type ProjectContext } from '../http/route.ts'
import type { Tx } from '../db/kysely.ts'
import { readAndCommit } from '../db/transaction.ts'
import { kindsFor, reachable, type InboxReader } from './access.ts'
import { isUnsent } from './present.ts'

type Counts = ReplyOf<typeof contract>
type Person = {
  tx: Tx
  org: Pick<CallerOrg, 'orgId'>
  project: InboxReader['project']
  caller: Pick<Caller, 'personId'>
  now: Date
}

/**
 * How many of the caller's conversations are open, unread, theirs and so on. Closed ones count nowhere, except those with a
 * reply that wasn't sent. Read from kept counts (functions/inbox_counts.sql), so it costs the same however many there are.
 */
export async function countConversations(c: ProjectContext): Promise<Counts> {
  const none = { open: 0, unread: 0, mine: 0, unassigned: 0, waiting: 0, followUp: 0, unsent: 0, channels: [] }
  if (kindsFor(c.project, 'view').length === 0) return none
  const query = sql<Counts & Seen>`
    with counted as materialized (
      select c.channel_id, sum(c.open) as open, sum(c.received) - sum(c.seen) as unread, sum(c.mine) as mine, sum(c.unassigned) as unassigned, sum(c.waiting) as waiting, sum(c.follow_up) as follow_up
      from inbox_count c where ${linesFor(c)} group by 1
    )
    select coalesce(sum(open), 0)::int as open, coalesce(sum(unread), 0)::int as unread, coalesce(sum(mine), 0)::int as mine, coalesce(sum(unassigned), 0)::int as unassigned,
      coalesce(sum(waiting), 0)::int as waiting, coalesce(sum(follow_up), 0)::int as "followUp", ${unsentIn(c)} as unsent,
      coalesce(json_agg(json_build_object('channelId', channel_id, 'open', open) order by channel_id) filter (where open > 0), '[]') as channels,
      ${seenColumns(c.project.projectId, 'conversations')}
    from counted`
  const [row] = await readAndCommit<Counts & Seen>(c.tx, { compile: () => query.compile(c.tx) })
  if (!row) return none
  const { place, recent, ...counts } = row
  return withAsOf(counts, { revision: revisionAt(place, c, c.now), recent })
}

/** The lines of everybody's and of the caller's conversations, of the kinds and channels that they see. */
const linesFor = (c: Pick<Person, 'org' | 'project' | 'caller'>) =>
  sql`c.org_id = ${c.org.orgId} and c.project_id = ${c.project.projectId} and (c.person_id is null or c.person_id = ${c.caller.personId}) and ${reachable(c)}`

/** How many have a reply that wasn't sent: found by those few replies, whatever the inbox holds. */
const unsentIn = (c: InboxReader) => sql`
  (select count(*)::int from (select distinct r.conversation_id as id from reply r where r.org_id = ${c.org.orgId} and ${isUnsent}) u
    join conversation c on c.org_id = ${c.org.orgId} and c.id = u.id where c.project_id = ${c.project.projectId} and ${reachable(c)})`

/** How many open conversations hold something that the caller hasn't seen; 0 for someone who doesn't see the inbox. */
export async function countUnread(c: Person): Promise<number> {
  if (kindsFor(c.project, 'view').length === 0) return 0
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(c.received) - sum(c.seen), 0)::int as n from inbox_count c where ${linesFor(c)}`.execute(c.tx)
  return rows[0]?.n ?? 0
}
