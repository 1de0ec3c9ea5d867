import { sql } from 'kysely'
import { Id } from '#contract/common.ts'
import type { LiveEvent } from '#contract/live.ts'
import type { Tx } from '../db/kysely.ts'
import type { Cursor } from './cursor.ts'

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

/**
 * Events after the cursor whose transactions, and all before them, are over: in the order of transactions and rows, so
 * that one that commits late isn't passed by. At most `most`.
 */
export async function readAfter(tx: Tx, after: Cursor, most: number): Promise<StoredEvent[]> {
  const { rows } = await sql<Row>`
    select event.xid::text as xid, event.id::text as id, org_id, project_id, person_id, kind, ref from event
    where (event.xid, event.id) > (${String(after.xid)}::xid8, ${String(after.id)}::bigint) and event.xid < pg_snapshot_xmin(pg_current_snapshot())
    order by event.xid, event.id limit ${most}`.execute(tx)
  return rows.map(present)
}

/** Kinds of events whose ref is a post or a conversation. */
const placedKinds: readonly LiveEvent['kind'][] = ['post', 'presence', 'note', 'conversation']

/** Whether the event's ref is the id of a post or a conversation. */
export const hasPlace = ({ kind }: Pick<StoredEvent, 'kind'>): boolean => placedKinds.includes(kind)

/**
 * Where the posts and conversations in events belong, by id; deleted ones are missing. A draft has no channel, a
 * conversation no author.
 */
export type EventPlaces = ReadonlyMap<string, { channel_id: string | null; author_id: string | null }>

/** Looks up the posts and conversations that these events name. */
export async function placesOf(tx: Tx, events: readonly StoredEvent[]): Promise<EventPlaces> {
  const named = events.filter((event) => hasPlace(event) && Id.safeParse(event.ref).success)
  if (named.length === 0) return new Map()
  const { rows } = await sql<{ id: string; channel_id: string | null; author_id: string | null }>`
    with named as materialized (select * from unnest(${named.map(({ orgId }) => orgId)}::uuid[], ${named.map(({ ref }) => ref)}::uuid[]) n(org_id, id))
    select id, channel_id, author_id from post where (org_id, id) in (select org_id, id from named)
    union all
    select id, channel_id, null from conversation where (org_id, id) in (select org_id, id from named)`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
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
      and org_id = ${who.orgId} and (project_id is null or project_id = ${who.projectId}) and (person_id is null or person_id = ${who.personId})
    order by event.xid, event.id limit ${most + 1}`.execute(tx)
  return rows.length > most ? { kind: 'too old' } : { kind: 'events', events: rows.map(present) }
}
