import { hash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import type { EndpointShape } from '#contract/endpoint.ts'
import type { Tx } from '../db/kysely.ts'
import { readAndCommit } from '../db/transaction.ts'
import type { Grant } from './access.ts'
import type { Revision } from './route.ts'

/*
 * ETags of lists. Some transactions from the revision's `xid` on may be in a reply too: `recent` names their events.
 * The reply stays valid as long as the events from `xid` on are exactly those. (A transaction that commits late has an
 * event too.)
 */
/** What is read with a list, in its statement. `recent` is null if there are too many. */
export type Seen = { place: string; recent: string | null }

/** Events are kept for at least a day (server/upkeep). In minutes. */
const OLDEST = 20 * 60
/** A list with more changes in progress than this doesn't get a tag. */
const MOST_RECENT = 50
const MINUTE_MS = 60_000

const pattern = /^(\d{1,19})\.([0-9a-f]{8})\.(\d{1,9})\.([\w-]{12})$/

export const writeRevision = ({ xid, history, minute, rights }: Revision): string =>
  `${xid}.${history}.${minute}.${rights}`

/** Undefined for tags that none of our lists returned. */
export function readRevision(text: string): Revision | undefined {
  const [, xid, history, minute, rights] = pattern.exec(text) ?? []
  if (!xid || !history || !minute || !rights) return undefined
  return { xid, history, minute: Number(minute), rights }
}

/** A statement's position, as `xid.history`. */
export const placeNow = sql<string>`pg_snapshot_xmin(pg_current_snapshot())::text || '.' || coalesce((select left(md5(system_identifier || ' ' || timeline), 8) from instance), '00000000')`

/** The project's events from a transaction on, as text. */
const eventsFrom = (projectId: string, xid: RawBuilder<unknown>) =>
  sql<
    string | null
  >`(select case when count(*) <= ${MOST_RECENT} then coalesce(string_agg(e.id::text, '.' order by e.id), '') end from project_events(${projectId}, ${xid}, ${MOST_RECENT + 1}) e)`

/** The columns of Seen. */
export const seenColumns = (projectId: string): RawBuilder<Seen> =>
  sql<Seen>`${placeNow} as place, ${eventsFrom(projectId, sql`pg_snapshot_xmin(pg_current_snapshot())`)} as recent`

/** The position of a list that takes more than one statement: read before the others, or sent ahead of them. */
export async function readSeen(tx: Tx, projectId: string): Promise<Seen> {
  const { rows } = await sql<Seen>`select ${seenColumns(projectId)}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('a statement without a table answered no row')
  return row
}

/** The revision of what was read at `place`, for this reader. */
export function revisionAt(place: string, asker: Asker, now: Date): Revision {
  const [xid = '', history = ''] = place.split('.')
  return { xid, history, minute: Math.floor(now.getTime() / MINUTE_MS), rights: rightsOf(asker) }
}

/**
 * Whether changes since then can be reported to this reader: their permissions are the same, and it's not too long ago.
 */
export function isTellable(since: Revision, asker: Asker, now: Date): boolean {
  const age = now.getTime() / MINUTE_MS - since.minute
  return since.rights === rightsOf(asker) && age > -5 && age < OLDEST
}

/** Whether a position belongs to the same history as the revision, and isn't before it. */
export function follows(place: string, { xid, history }: Revision): boolean {
  const [nowXid = '0', nowHistory] = place.split('.')
  return nowHistory === history && BigInt(nowXid) >= BigInt(xid)
}

type Asker = Pick<Grant, 'caller' | 'org' | 'project'>

/** Everything that determines what a reader can see, as one short text. */
export function rightsOf({ caller, org, project }: Asker): string {
  const facts = [
    caller?.personId,
    org?.orgId,
    org?.isAdmin,
    project?.projectId,
    project?.zone,
    project?.permissions,
    project?.channelIds?.toSorted() ?? null,
  ]
  return hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 12)
}

/** The ETag of a reply: weak, because it's the same for every compression. Undefined if too much was in progress. */
export function tagOf(
  endpoint: EndpointShape,
  url: string,
  revision: Revision,
  recent: string | null,
): string | undefined {
  if (recent === null) return undefined
  return `W/"${writeRevision(revision)}~${recent}~${questionOf(endpoint, url)}"`
}

export type KnownTag = { revision: Revision; recent: string; question: string }

/** The client's tag; undefined for another server's, or several. */
export function readTag(header: string | undefined): KnownTag | undefined {
  const [, first = '', recent, question] = /^(?:W\/)?"([^~"]+)~([\d.]*)~([\w-]+)"$/.exec(header ?? '') ?? []
  const revision = readRevision(first)
  return revision && recent !== undefined && question ? { revision, recent, question } : undefined
}

const State = z.object({ place: z.string(), recent: z.string().nullable(), since: z.string().nullable() })

/**
 * The new tag if nothing changed since the known one, read in one statement that ends the transaction; undefined if the
 * list has to be read again.
 */
export async function unchangedTag(
  tx: Tx,
  { endpoint, url, known, now }: { endpoint: EndpointShape; url: string; known: KnownTag; now: Date },
  grant: Grant,
): Promise<string | undefined> {
  const { revision, recent, question } = known
  if (!grant.project || question !== questionOf(endpoint, url) || !isTellable(revision, grant, now)) return undefined
  const { projectId } = grant.project
  const query = sql`select ${seenColumns(projectId)}, ${eventsFrom(projectId, sql`${revision.xid}::xid8`)} as since`
  const [row] = await readAndCommit(tx, { compile: () => query.compile(tx) })
  const state = State.parse(row)
  if (state.since !== recent || !follows(state.place, revision)) return undefined
  return tagOf(endpoint, url, revisionAt(state.place, grant, now), state.recent)
}

const formats = new WeakMap<EndpointShape, string>()

/** The query, and the reply's format: an update that changes the format gets a new reply. */
function questionOf(endpoint: EndpointShape, url: string): string {
  let format = formats.get(endpoint)
  if (format === undefined) {
    format =
      typeof endpoint.reply === 'string'
        ? ''
        : JSON.stringify(z.toJSONSchema(endpoint.reply, { unrepresentable: 'any' }))
    formats.set(endpoint, format)
  }
  return hash('sha256', `${url} ${format}`, 'base64url').slice(0, 16)
}
