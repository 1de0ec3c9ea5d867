import { sql, type RawBuilder } from 'kysely'
import { Id } from '#contract/common.ts'
import type { LiveEvent } from '#contract/live.ts'
import type { Tx } from '../db/kysely.ts'
import type { Cursor } from './cursor.ts'
import type { Subject, Subjects } from './sight.ts'

export type StoredEvent = LiveEvent & {
  cursor: Cursor
  orgId: string
  projectId: string | null
  personId: string | null
}

type Row = {
  xid: string
  id: string
  org_id: string
  project_id: string | null
  person_id: string | null
  kind: LiveEvent['kind']
  ref: string
}

const present = (row: Row): StoredEvent => ({
  cursor: { xid: BigInt(row.xid), id: BigInt(row.id) },
  orgId: row.org_id,
  projectId: row.project_id,
  personId: row.person_id,
  kind: row.kind,
  ref: row.ref,
})

/** The position from which all future events can be read: transactions before it have ended. */
export async function currentCursor(tx: Tx): Promise<Cursor> {
  const { rows } = await sql<{ xid: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`.execute(tx)
  return { xid: BigInt(rows[0]?.xid ?? 0), id: 0n }
}

/** Events that only say which replies are outdated (server/http/revision.ts) aren't for screens. */
const isTold = sql`kind not in ('figure', 'count')`

/**
 * Events after the cursor whose transactions, and all before them, are over: in the order of transactions and rows, so
 * that one that commits late isn't passed by. At most `most`.
 */
export async function readAfter(tx: Tx, after: Cursor, most: number): Promise<StoredEvent[]> {
  const { rows } = await sql<Row>`
    select event.xid::text as xid, event.id::text as id, org_id, project_id, person_id, kind, ref from event
    where (event.xid, event.id) > (${String(after.xid)}::xid8, ${String(after.id)}::bigint) and event.xid < pg_snapshot_xmin(pg_current_snapshot())
      and ${isTold}
    order by event.xid, event.id limit ${most}`.execute(tx)
  return rows.map(present)
}

type Found = Subject & { org_id: string; id: string }

/** What each kind of event names, as `org_id, id` and the columns of a subject; `named` has the refs. */
const POSTS = sql`select org_id, id, 'post' as what, channel_id, author_id, null as kind from post where (org_id, id) in (select org_id, id from named)`
const CONVERSATIONS = sql`select org_id, id, 'conversation', channel_id, null::uuid, kind from conversation where (org_id, id) in (select org_id, id from named)`
const CHANNELS = sql`select org_id, id, 'channel', id, null::uuid, null from channel where (org_id, id) in (select org_id, id from named)`
const CAMPAIGNS = sql`select org_id, id, 'campaign', null::uuid, null::uuid, null from campaign where (org_id, id) in (select org_id, id from named)`
const PROJECTS = sql`select org_id, id, 'project', null::uuid, null::uuid, null from project where (org_id, id) in (select org_id, id from named)`
const LABELS = sql`select org_id, id, 'label', null::uuid, null::uuid, null from label where (org_id, id) in (select org_id, id from named)`
const HASHTAGS = sql`select org_id, id, 'hashtags', null::uuid, null::uuid, null from hashtag_group where (org_id, id) in (select org_id, id from named)`
const WORKFLOWS = sql`select org_id, id, 'workflow', null::uuid, null::uuid, null from workflow where (org_id, id) in (select org_id, id from named)`
const IMPORTS = sql`select org_id, id, 'import', null::uuid, created_by, null from bulk_import where (org_id, id) in (select org_id, id from named)`
/** What discussions are about: of a draft, the posts made from it too. */
const DISCUSSED = sql`
  select d.org_id, d.id, a.what, a.channel_id, a.author_id, a.kind from discussion d, lateral (
    select 'post' as what, p.channel_id, p.author_id, null as kind from post p where p.org_id = d.org_id and p.id = d.post_id
    union all
    select 'post', p.channel_id, p.author_id, null from batch b join post p on p.org_id = b.org_id and p.batch_id = b.id
      where b.org_id = d.org_id and b.composed_in = d.post_id
    union all
    select 'conversation', c.channel_id, null, c.kind from conversation c where c.org_id = d.org_id and c.id = d.conversation_id
    union all
    select case when d.campaign_id is null then 'project' else 'campaign' end, null, null, null where num_nonnulls(d.post_id, d.conversation_id) = 0
  ) a where (d.org_id, d.id) in (select org_id, id from named)`

const sources = new Map<LiveEvent['kind'], readonly RawBuilder<unknown>[]>([
  ['post', [POSTS]],
  ['presence', [POSTS, CONVERSATIONS]],
  ['note', [POSTS, CONVERSATIONS]],
  ['conversation', [CONVERSATIONS, CHANNELS]],
  // a deleted one names what it was about
  ['discussion', [DISCUSSED, POSTS, CONVERSATIONS, CAMPAIGNS, PROJECTS]],
  ['taxonomy', [LABELS, CAMPAIGNS, HASHTAGS, WORKFLOWS]],
  ['bulk', [IMPORTS]],
])

/** Looks up, in one statement, what the events of these kinds name. */
export async function subjectsOf(
  tx: Tx,
  events: readonly StoredEvent[],
  kinds: ReadonlySet<LiveEvent['kind']>,
): Promise<Subjects> {
  const named = events.filter(({ kind, ref }) => kinds.has(kind) && Id.safeParse(ref).success)
  const parts = [...new Set(named.flatMap(({ kind }) => sources.get(kind) ?? []))]
  if (parts.length === 0) return new Map()
  const { rows } = await sql<Found>`
    with named as materialized (select distinct * from unnest(${named.map(({ orgId }) => orgId)}::uuid[], ${named.map(({ ref }) => ref)}::uuid[]) n(org_id, id))
    select f.* from (${sql.join(parts, sql` union all `)}) f (org_id, id, what, channel_id, author_id, kind)`.execute(
    tx,
  )
  return Map.groupBy(rows, ({ id }) => id)
}

export type Missed = { kind: 'events'; events: StoredEvent[] } | { kind: 'too old' }

/**
 * What a stream of a project missed between two cursors. Too old when rows after its cursor may have been dropped
 * already (events are kept 24 h), when it comes from another history than this database's, or when it is too much. That
 * none were dropped is shown by an older row, or known (`isRecent`): after a quiet day there are no older rows.
 */
export async function readMissed(
  tx: Tx,
  who: { orgId: string; projectId: string; personId: string },
  after: Cursor,
  until: Cursor,
  most: number,
  isRecent: boolean,
): Promise<Missed> {
  const { rows: known } = await sql<{ known: boolean }>`
    select (${isRecent} or exists (select from event where (xid, id) <= (${String(after.xid)}::xid8, ${String(after.id)}::bigint)))
      and ${String(after.xid)}::xid8 <= pg_snapshot_xmax(pg_current_snapshot()) as known`.execute(tx)
  if (!known[0]?.known) return { kind: 'too old' }
  const { rows } = await sql<Row>`
    select event.xid::text as xid, event.id::text as id, org_id, project_id, person_id, kind, ref from event
    where (xid, id) > (${String(after.xid)}::xid8, ${String(after.id)}::bigint) and (xid, id) <= (${String(until.xid)}::xid8, ${String(until.id)}::bigint)
      and ${isTold} and org_id = ${who.orgId} and (project_id is null or project_id = ${who.projectId}) and (person_id is null or person_id = ${who.personId})
    order by event.xid, event.id limit ${most + 1}`.execute(tx)
  return rows.length > most ? { kind: 'too old' } : { kind: 'events', events: rows.map(present) }
}
