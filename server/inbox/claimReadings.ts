import { sql } from 'kysely'
import { ConversationKind } from '#contract/inbox/terms.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { lockCursors } from './lockCursors.ts'
import { notifyOfReading } from './notifyLate.ts'
import type { Tx } from '../db/kysely.ts'
import type { SecretHolder } from '../delivery/refresh.ts'
import type { Inbox } from '../platforms/inbox.ts'

/** A reading that was claimed: one channel's group of kinds, under its first. */
export type Reading = Omit<SecretHolder, 'attempt_id'> & {
  project_id: string
  platform: PlatformKey
  kind: ConversationKind
  remote_id: string
  handle: string
  service: string | null
  credentials: string
  missing_rights: string[]
  cursor: unknown
  first: boolean
  began_at: Date
  read_at: Date | null
  heard_at: Date | null
  pushed_at: Date | null
  subscribed_at: Date | null
  tries: number
  lease_until: Date
  posts: { remote_id: string; published_at: Date }[]
  is_watched: boolean
}

/** So long a reading is one worker's. */
export const READING_LEASE_MS = 120_000
/** In one go, over all organizations. */
export const READINGS_MOST = 50
/** Posts whose comments are read one by one: the newest of the last 30 days. */
const POSTS = 30
const POSTS_DAYS = 30

/** People who were seen this recently may still be here: sessions record it once an hour. */
export const WATCHED_MS = 65 * 60_000

/** Who reads which kinds, by platform. */
export type Readers = ReadonlyMap<PlatformKey, Inbox['reads']>

/** Begins with every channel that can be read and isn't yet. Only the first kind of a group is ever due; the others show how it goes. */
export async function beginReadings(tx: Tx, readers: Readers, now: Date): Promise<void> {
  const rows = [...readers].flatMap(([platform, groups]) =>
    groups.flatMap((group) => group.map((kind, place) => ({ platform, kind, leads: place === 0 }))),
  )
  if (rows.length === 0) return
  await sql`
    insert into inbox_cursor (org_id, channel_id, kind, began_at, next_at)
    select c.org_id, c.id, n.kind, ${now}, case when n.leads then ${now}::timestamptz else 'infinity' end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(platform text, kind text, leads boolean)
    join channel c on c.platform = n.platform
    where ${readable} and not exists (select from inbox_cursor i where i.org_id = c.org_id and i.channel_id = c.id and i.kind = n.kind)
    order by c.org_id, c.id, n.kind
    on conflict (org_id, channel_id, kind) do nothing`.execute(tx)
}

/** Nothing is read for channels that people switched off, that the plan has no room for, or that are being deleted. */
export const readable = sql<boolean>`c.status = 'CONNECTED' and c.enabled and not c.plan_locked and c.deleting_at is null and c.deleted_at is null`

/** Takes what is due, in whatever organization, for as long as the lease: whatever becomes of this worker, it is due again then. */
export async function claimReadings(tx: Tx, readers: Readers, now: Date): Promise<Reading[]> {
  const { rows } = await sql<Reading>`
    with due as (
      select i.org_id, i.channel_id, i.kind from inbox_cursor i join channel c on c.org_id = i.org_id and c.id = i.channel_id
      where i.next_at <= ${now} and (i.lease_until is null or i.lease_until <= ${now}) and ${readable} and c.platform = any(${[...readers.keys()]}::text[])
      order by i.next_at limit ${READINGS_MOST} for no key update of i skip locked
    ), taken as (
      update inbox_cursor i set lease_until = ${new Date(now.getTime() + READING_LEASE_MS)} from due d
      where i.org_id = d.org_id and i.channel_id = d.channel_id and i.kind = d.kind returning i.*
    )
    select t.org_id, t.channel_id, t.kind, t.cursor, t.first, t.began_at, t.read_at, t.heard_at, t.pushed_at, t.subscribed_at, t.tries, t.lease_until,
      c.project_id, c.platform, c.remote_id, c.handle, c.service, c.missing_rights, coalesce(l.credentials, 'own') as credentials,
      s.key_id, s.sealed, s.version as secret_version, s.expires_at as secret_expires_at,
      (select coalesce(json_agg(json_build_object('remote_id', p.remote_id, 'published_at', p.published_at) order by p.published_at desc), '[]') from (
        select remote_id, published_at from post where org_id = c.org_id and channel_id = c.id and state = 'PUBLISHED' and remote_id is not null
          and published_at > ${new Date(now.getTime() - POSTS_DAYS * 86_400_000)} order by published_at desc limit ${POSTS}) p) as posts,
      exists (select from member m join session n on n.person_id = m.person_id where m.org_id = c.org_id and m.removed_at is null and n.last_seen_at > ${new Date(now.getTime() - WATCHED_MS)}) as is_watched
    from taken t join channel c on c.org_id = t.org_id and c.id = t.channel_id left join lane l on l.org_id = c.org_id and l.channel_id = c.id
    left join channel_secret s on s.org_id = c.org_id and s.channel_id = c.id`.execute(tx)
  return rows.map((row) => ({
    ...row,
    platform: PlatformKey.parse(row.platform),
    kind: ConversationKind.parse(row.kind),
    posts: row.posts.map((post) => ({ ...post, published_at: new Date(post.published_at) })),
  }))
}

/** What became of a reading, for its whole group. */
export type ReadingResult = {
  nextAt: Date
  state: 'reading' | 'late' | 'reconnect' | 'none'
  trouble: unknown
  tries: number
  /** It came to its end. */
  isThrough: boolean
  heardAt: Date | null
}

/** Writes what became of it and gives it back, unless someone else took it meanwhile. */
export async function endReading(
  tx: Tx,
  reading: Reading,
  group: readonly ConversationKind[],
  { nextAt, state, trouble, tries, isThrough, heardAt }: ReadingResult,
  now: Date,
): Promise<void> {
  await lockCursors(tx, { orgId: reading.org_id, channelId: reading.channel_id })
  const { rows } = await sql<{ before: ReadingResult['state'] }>`
    with held as (
      select from inbox_cursor where org_id = ${reading.org_id} and channel_id = ${reading.channel_id} and kind = ${reading.kind} and lease_until = ${reading.lease_until}
    )
    update inbox_cursor i set state = ${state}, trouble = ${trouble === null ? null : JSON.stringify(trouble)}::jsonb, tries = ${tries}, lease_until = null,
      next_at = case when i.kind = ${reading.kind} then ${nextAt}::timestamptz else i.next_at end,
      first = i.first and not ${isThrough}, read_at = case when ${isThrough} then ${now}::timestamptz else i.read_at end,
      heard_at = greatest(i.heard_at, ${heardAt}::timestamptz)
    where exists (select from held) and i.org_id = ${reading.org_id} and i.channel_id = ${reading.channel_id} and i.kind = any(${[...group]}::text[])
    returning old.state as before`.execute(tx)
  const channel = {
    orgId: reading.org_id,
    projectId: reading.project_id,
    channelId: reading.channel_id,
    handle: reading.handle,
    platform: reading.platform,
  }
  // what was never read is no news: the inbox says what its channels lack
  const [row] = rows
  if (row && !reading.first) await notifyOfReading(tx, channel, { before: row.before, state, trouble }, now)
}

/** Keeps where a reading goes on, in the transaction that stores what it brought. False when someone else took it meanwhile: then nothing may be stored. */
export async function moveCursor(tx: Tx, reading: Reading, cursor: unknown): Promise<boolean> {
  const { rows } = await sql`
    update inbox_cursor set cursor = ${JSON.stringify(cursor)}::jsonb
    where org_id = ${reading.org_id} and channel_id = ${reading.channel_id} and kind = ${reading.kind} and lease_until = ${reading.lease_until} returning kind`.execute(
    tx,
  )
  return rows.length === 1
}
