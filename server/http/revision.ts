import { hash, randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import type { EndpointShape, Revisioned } from '#contract/endpoint.ts'
import type { Kind } from '#contract/kinds.ts'
import { wallTimeOf } from '#contract/time.ts'
import type { Tx } from '../db/kysely.ts'
import type { Grant } from './access.ts'
import type { AsOf, Revision } from './route.ts'

/*
 * ETags of lists, figures and counts. Some transactions from the revision's `xid` on may be in a reply too: `recent` names their events.
 * The reply stays valid as long as the events from `xid` on are exactly those. (A transaction that commits late has an
 * event too.)
 */
/** What is read with a list, in its statement. `recent` is null if there are too many. */
export type Seen = { place: string; recent: string | null }

/** Events are kept for at least a day (server/upkeep). In minutes. */
const OLDEST = 20 * 60
/** A list with more changes in progress than this doesn't get a tag, and after more changes it's read again. */
export const MOST_EVENTS = 50
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
export const PLACE_NOW =
  "pg_snapshot_xmin(pg_current_snapshot())::text || '.' || coalesce((select left(md5(system_identifier || ' ' || timeline), 8) from instance), '00000000')"
export const placeNow = sql.raw<string>(PLACE_NOW)

/** Kinds of events that only say which replies are outdated, see project_events.sql. */
type OfReplies = 'figure' | 'count'
const kindsOfPosts = ['post', 'channel', 'taxonomy', 'member'] as const
const kindsOfReplies: Record<Revisioned, readonly (Kind | OfReplies)[]> = {
  posts: kindsOfPosts,
  figures: [...kindsOfPosts, 'figure'],
  conversations: ['conversation', 'count', 'channel', 'member'],
}

/** The kinds of events after which a reply can be another. */
export const kindsOf = (what: Revisioned): readonly string[] => kindsOfReplies[what]

/** The project's events from a transaction on, as text. */
const eventsFrom = (projectId: string, what: Revisioned, xid: RawBuilder<unknown>) =>
  sql<
    string | null
  >`(select case when count(*) <= ${MOST_EVENTS} then coalesce(string_agg(e.id::text, '.' order by e.id), '') end from project_events(${projectId}, ${xid}, ${kindsOf(what)}::text[], ${MOST_EVENTS + 1}) e)`

/** The columns of Seen. */
export const seenColumns = (projectId: string, what: Revisioned = 'posts'): RawBuilder<Seen> =>
  sql<Seen>`${placeNow} as place, ${eventsFrom(projectId, what, sql`pg_snapshot_xmin(pg_current_snapshot())`)} as recent`

/** The position of a list that takes more than one statement: read before the others, or sent ahead of them. */
export async function readSeen(tx: Tx, projectId: string, what: Revisioned = 'posts'): Promise<Seen> {
  const { rows } = await sql<Seen>`select ${seenColumns(projectId, what)}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('a statement without a table answered no row')
  return row
}

/** The revision of what was read at `place`, for this reader. */
export const revisionAt = (place: string, asker: Asker, now: Date): Revision => revisionOf(place, rightsOf(asker), now)

/** The same of a reply whose rights are named otherwise, see figureRightsOf. */
export const asOfAt = ({ place, recent }: Seen, rights: string, now: Date): AsOf => ({
  revision: revisionOf(place, rights, now),
  recent,
})

function revisionOf(place: string, rights: string, now: Date): Revision {
  const [xid = '', history = ''] = place.split('.')
  return { xid, history, minute: Math.floor(now.getTime() / MINUTE_MS), rights }
}

/**
 * Whether changes since then can be reported to this reader: their permissions are the same, and it's not too long ago.
 */
export const isTellable = (since: Revision, asker: Asker, now: Date): boolean => isOfReader(since, rightsOf(asker), now)

function isOfReader(since: Revision, rights: string, now: Date): boolean {
  const age = now.getTime() / MINUTE_MS - since.minute
  return since.rights === rights && age > -5 && age < OLDEST
}

/** Whether a position belongs to the same history as the revision, and isn't before it. */
export function follows(place: string, { xid, history }: Revision): boolean {
  const [nowXid = '0', nowHistory] = place.split('.')
  return nowHistory === history && BigInt(nowXid) >= BigInt(xid)
}

type Asker = Pick<Grant, 'caller' | 'org' | 'project'>

/** Another process may work figures out differently: a new version, or one with other platforms' terms accepted. */
const PROCESS = randomUUID()

/** What determines what a reader sees of figures: as well what the plan includes at this time, and today in the project's zone. */
export function figureRightsOf(asker: Asker, now: Date): string {
  const { org, project } = asker
  const { year, month, day } = wallTimeOf(now, project?.zone ?? 'UTC')
  return shortHash([rightsOf(asker), org?.entitlements, year, month, day, PROCESS])
}

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
  return shortHash(facts)
}

const shortHash = (facts: unknown): string => hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 12)

/** The ETag of a reply: weak, because it's the same for every compression. Undefined if too much was in progress. */
export function tagOf(
  question: string,
  { revision, recent }: { revision: Revision; recent: string | null },
): string | undefined {
  return recent === null ? undefined : `W/"${writeRevision(revision)}~${recent}~${question}"`
}

export type KnownTag = { revision: Revision; recent: string; question: string }

/** The client's tag; undefined for another server's, or several. */
export function readTag(header: string | undefined): KnownTag | undefined {
  const [, first = '', recent, question] = /^(?:W\/)?"([^~"]+)~([\d.]*)~([\w-]+)"$/.exec(header ?? '') ?? []
  const revision = readRevision(first)
  return revision && recent !== undefined && question ? { revision, recent, question } : undefined
}

/** One of the project's events, by the number of its transaction. */
export type ProjectEvent = { xid: bigint; id: string; kind: string }

/** What a check found: the position, the events from the revision on or from earlier, and the stamps of posts. */
type Found = { place: string; events: readonly ProjectEvent[] | undefined; stamps: ReadonlyMap<string, string> }

/** What an endpoint's replies are made from, and who reads them when. */
type ForReader = { what: Revisioned; rights: string; now: Date }

/** Whether a reply is still what its reader, who has these rights, would get. */
export function stillHolds(asOf: AsOf, found: Found, { what, rights, now }: ForReader): boolean {
  if (!isOfReader(asOf.revision, rights, now) || !follows(found.place, asOf.revision)) return false
  if ('stamp' in asOf) return found.stamps.get(asOf.postId) === asOf.stamp
  return asOf.recent !== null && idsFrom(found, asOf.revision.xid, what) === asOf.recent
}

/** The tag of a reply that was found to hold. */
export function renewedTag(question: string, found: Found, { what, rights, now }: ForReader): string | undefined {
  const revision = revisionOf(found.place, rights, now)
  return tagOf(question, { revision, recent: idsFrom(found, revision.xid, what) })
}

/** The events of this and later transactions as `Seen` names them; null if there are too many. */
function idsFrom({ events }: Found, xid: string, what: Revisioned): string | null {
  if (!events) return null
  const from = BigInt(xid)
  const kinds = kindsOf(what)
  return events.flatMap(({ id, kind, ...event }) => (event.xid >= from && kinds.includes(kind) ? [id] : [])).join('.')
}

const formats = new WeakMap<EndpointShape, string>()

/** The query, and the reply's format: an update that changes the format gets a new reply. */
export function questionOf(endpoint: EndpointShape, url: string): string {
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
