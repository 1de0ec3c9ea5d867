import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { LOW_RATING } from '#contract/notifications/inbox.ts'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { advisoryLocks } from '../db/advisoryLocks.ts'
import type { Tx } from '../db/kysely.ts'
import { storable } from '../delivery/storable.ts'
import { emit } from '../live/emit.ts'
import type { InboxChange, RemoteItem } from '../platforms/inbox.ts'
import { bounded } from './bounded.ts'
import type { InboxChannel } from './channel.ts'
import { withdrawReceived } from './notify.ts'
import { openConversations } from './conversations.ts'
import { keptUntil, readKeepDays } from './keep.ts'
import { storePersons } from './persons.ts'
import { recount } from './recount.ts'
import { latestVersions, opensConversation, type Deletion } from './versions.ts'

/*
 * Platforms tell of everything in any order, late and more than once. The inbox keeps one row per remote id: an older
 * version changes nothing, a deletion is final, and everything that lists show is recounted from the items, in the same
 * transaction.
 */

export type ApplyOptions = {
  now: Date
  /** The first reading of this kind: what it brings is old news. Only what came within the last hour counts as received. */
  first?: boolean
  /** When reading this kind began: what was written before is old news, whenever it comes. */
  began?: Date
  /** What we know of something before the platform told of it: any version that it tells replaces this. */
  provisional?: boolean
  /** What we wrote doesn't close its conversation, whatever the project's settings say. */
  staysOpen?: boolean
}

export type Applied = {
  /** Conversations that look different now. */
  changed: string[]
  /** Items that just came in and that people should hear of, oldest first. */
  received: { conversationId: string; itemId: string; at: Date }[]
}

const HOUR = 3_600_000

/**
 * Takes the lock under which a channel's items are stored: after the rows of replies, deliveries and lanes that the
 * transaction changes (`write_outcomes`), and before those of items and conversations. A transaction that has it locks no row of
 * deliveries or lanes, and of replies only those that a person confirmed, which no outcome changes anymore. Outcomes of
 * several channels have their lanes already, so they don't wait for each other here.
 */
export const lockInbox = async (tx: Tx, channelId: string): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock(${advisoryLocks.inbox}::int, hashtext(${channelId}))`.execute(tx))

/**
 * Stores changes of one channel, in any order and as often as they come, and tells open screens which conversations
 * changed. Runs in a transaction of the channel's organization or of the system role.
 */
export async function applyChanges(
  tx: Tx,
  channel: InboxChannel,
  changes: readonly InboxChange[],
  { now, first = false, began, provisional = false, staysOpen = false }: ApplyOptions,
): Promise<Applied> {
  const keepDays = await readKeepDays(tx, channel.orgId)
  const { items: told, deletions } = latestVersions(storable(changes).flatMap((change) => bounded(change, now)))
  // what is older than anything is kept would be erased at once, with every reading again
  const items = told.filter(({ at }) => keptUntil(keepDays, undefined, at, now) > now)
  if (items.length + deletions.length === 0) return { changed: [], received: [] }
  await lockInbox(tx, channel.channelId)
  const emptied = await deleteItems(tx, channel, deletions)
  const persons = await storePersons(tx, channel, items, { now, keepDays })
  const places = await openConversations(tx, channel, items, persons, now)
  const written = await writeItems(tx, channel, items, persons, places, { now, provisional, keepDays })
  const byRemoteId = new Map(items.map((item) => [item.remoteId, item]))
  await matchReplies(tx, channel, written)
  const fresh = written.flatMap((row) => {
    const item = byRemoteId.get(row.remote_id)
    // an item that was hidden until now counts as new
    return (row.is_new || row.is_shown) && !row.is_deleted && item ? [{ ...row, item }] : []
  })
  const incoming = fresh.filter(({ item }) => !item.isOurs && !item.hidden)
  const lowered = written.flatMap((row) => {
    const item = byRemoteId.get(row.remote_id)
    return row.is_lowered && item && !item.hidden ? [{ ...row, item }] : []
  })
  const opening = fresh.filter(({ item }) => !item.isOurs && (!item.hidden || item.held === true))
  const changed = new Set([...emptied, ...written.flatMap((row) => (row.is_changed ? [row.conversation_id] : []))])
  await recount(tx, channel, [...changed], {
    opened: new Set(
      opening.flatMap(({ item, conversation_id: id }) => (opensConversation(item, now, first) ? [id] : [])),
    ),
    answered: new Set(fresh.flatMap(({ item, conversation_id: id }) => (item.isOurs && !staysOpen ? [id] : []))),
    emptied: new Set(emptied),
    first,
  })
  const { orgId, projectId } = channel
  await emit(
    tx,
    [...changed].map((ref) => ({ kind: 'conversation' as const, ref, orgId, projectId })),
    now,
  )
  await withdrawAnswered(tx, channel, [...changed], now)
  const since = Math.max(first ? now.getTime() - HOUR : 0, began?.getTime() ?? 0)
  const received = [...incoming, ...lowered]
    .map(({ item, id, conversation_id: conversationId, is_lowered: isLowered }) => ({
      conversationId,
      itemId: id,
      at: isLowered ? (item.editedAt ?? item.at) : item.at,
    }))
    .filter(({ at }) => at.getTime() >= since)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
  return { changed: [...changed], received }
}

/** Takes back what people were told of something new in conversations where nothing waits for an answer anymore. */
async function withdrawAnswered(tx: Tx, channel: InboxChannel, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx
    .selectFrom('conversation')
    .select('id')
    .where('org_id', '=', channel.orgId)
    .where('id', 'in', ids)
    .where('unanswered', '=', 0)
    .execute()
  await withdrawReceived(
    tx,
    channel,
    rows.map(({ id }) => id),
    now,
  )
}

/** Erases what was deleted, and remembers what isn't here yet. Returns the conversations that lost something. */
async function deleteItems(
  tx: Tx,
  { orgId, channelId }: InboxChannel,
  deletions: readonly Deletion[],
): Promise<string[]> {
  if (deletions.length === 0) return []
  const { rows } = await sql<{ conversation_id: string }>`
    with gone as (
      select remote_id, at from jsonb_to_recordset(${JSON.stringify(deletions)}::jsonb) as d(remote_id text, at timestamptz)
    ), kept as (
      insert into inbox_tombstone (org_id, channel_id, remote_id, at)
      select ${orgId}, ${channelId}, g.remote_id, g.at from gone g order by 3
      on conflict (org_id, channel_id, remote_id) do nothing
    )
    update inbox_item i set deleted_at = g.at, text = null, media = '[]', held = false, warning = null from gone g
    where i.org_id = ${orgId} and i.channel_id = ${channelId} and i.remote_id = g.remote_id and i.deleted_at is null
    returning i.conversation_id`.execute(tx)
  return rows.map((row) => row.conversation_id)
}

/** Below every version of a platform's. */
const PROVISIONAL = -1

type Written = {
  id: string
  remote_id: string
  conversation_id: string
  is_new: boolean
  /** It was hidden before, and isn't anymore. */
  is_shown: boolean
  is_changed: boolean
  /** It was a review with more stars, and is a low one now. */
  is_lowered: boolean
  is_deleted: boolean
}

/** Stores the newest version of each item. Items that are as they were are left alone, unless they may be kept for longer. */
async function writeItems(
  tx: Tx,
  { orgId, channelId, platform }: InboxChannel,
  items: readonly RemoteItem[],
  persons: ReadonlyMap<string, string>,
  places: ReadonlyMap<string, string>,
  { now, provisional, keepDays }: { now: Date; provisional: boolean; keepDays: number },
): Promise<Written[]> {
  if (items.length === 0) return []
  const rows = items.map((item) => ({
    id: randomUUIDv7(),
    conversation_id: places.get(item.remoteId),
    remote_id: item.remoteId,
    type: item.type,
    direction: item.isOurs ? 'sent' : 'received',
    person_id: item.isOurs || !item.author ? null : persons.get(item.author.remoteId),
    parent_remote_id: item.parentRemoteId,
    text: item.text,
    warning: item.warning || null,
    media: item.media,
    rating: item.rating,
    url: item.url,
    at: item.at,
    remote_version: provisional ? PROVISIONAL : item.version,
    edited_at: item.editedAt,
    hidden: item.hidden,
    held: item.hidden && item.held === true,
    keep_until: keptUntil(keepDays, inboxRules[platform].keep?.textHours, item.at, now),
  }))
  const { rows: written } = await sql<Written>`
    insert into inbox_item as i (org_id, id, conversation_id, channel_id, remote_id, type, direction, person_id, parent_remote_id, text, warning, media,
      rating, url, at, remote_version, edited_at, deleted_at, hidden, held, keep_until, received_at)
    select ${orgId}, n.id, n.conversation_id, ${channelId}, n.remote_id, n.type, n.direction, n.person_id, n.parent_remote_id,
      case when t.at is null then n.text end, case when t.at is null then n.warning end, case when t.at is null then n.media else '[]' end,
      n.rating, n.url, n.at, n.remote_version, n.edited_at, t.at, n.hidden, n.held and t.at is null, n.keep_until, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(id uuid, conversation_id uuid, remote_id text, type text, direction text, person_id uuid,
      parent_remote_id text, text text, warning text, media jsonb, rating int, url text, at timestamptz, remote_version bigint, edited_at timestamptz, hidden boolean, held boolean, keep_until timestamptz)
    left join inbox_tombstone t on t.org_id = ${orgId} and t.channel_id = ${channelId} and t.remote_id = n.remote_id
    order by n.remote_id
    on conflict (org_id, channel_id, remote_id) do update set
      text = excluded.text, warning = excluded.warning, media = excluded.media, rating = excluded.rating, edited_at = excluded.edited_at, remote_version = excluded.remote_version,
      hidden = excluded.hidden, held = excluded.held, person_id = coalesce(excluded.person_id, i.person_id), url = coalesce(excluded.url, i.url),
      keep_until = excluded.keep_until, expired = false,
      at = case when i.remote_version = ${PROVISIONAL} then excluded.at else i.at end, type = case when i.remote_version = ${PROVISIONAL} then excluded.type else i.type end,
      parent_remote_id = case when i.remote_version = ${PROVISIONAL} then excluded.parent_remote_id else i.parent_remote_id end
    where i.deleted_at is null and (
      excluded.remote_version > i.remote_version
      or excluded.remote_version = i.remote_version and (
        i.expired or i.warning is distinct from excluded.warning or i.hidden <> excluded.hidden or i.held <> excluded.held or (i.person_id is null and excluded.person_id is not null)
        or i.keep_until < excluded.keep_until - (excluded.keep_until - ${now}::timestamptz) / 10))
    returning i.id, i.remote_id, i.conversation_id, old.id is null as is_new, coalesce(old.hidden and not new.hidden, false) as is_shown, new.deleted_at is not null as is_deleted,
      coalesce(old.id is not null and not old.hidden and old.rating > ${LOW_RATING} and new.rating <= ${LOW_RATING}, false) as is_lowered,
      (old.text, old.warning, old.media, old.rating, old.edited_at, old.hidden, old.held, old.person_id, old.id, old.at) is distinct from
      (new.text, new.warning, new.media, new.rating, new.edited_at, new.hidden, new.held, new.person_id, new.id, new.at) as is_changed`.execute(
    tx,
  )
  return written
}

/**
 * A reply of which a person said that it was sent has no id of the platform's: it is the item of ours with its text that
 * comes next. Each is matched once.
 */
async function matchReplies(tx: Tx, { orgId, channelId }: InboxChannel, written: readonly Written[]): Promise<void> {
  const ids = written.flatMap(({ is_new: isNew, id }) => (isNew ? [id] : []))
  if (ids.length === 0) return
  await sql`
    with pairs as (
      select r.id, i.remote_id, row_number() over (partition by r.id order by i.at, i.id) as nth_item, row_number() over (partition by i.id order by r.created_at, r.id) as nth_reply
      from inbox_item i
      join reply r on r.org_id = i.org_id and r.conversation_id = i.conversation_id and r.state = 'SENT' and r.remote_id is null and r.text = i.text
      where i.org_id = ${orgId} and i.id = any(${ids}::uuid[]) and i.direction = 'sent'
        and not exists (select from reply s where s.org_id = i.org_id and s.channel_id = i.channel_id and s.remote_id = i.remote_id)
    )
    update reply r set remote_id = p.remote_id from pairs p
    where r.org_id = ${orgId} and r.channel_id = ${channelId} and r.id = p.id and p.nth_item = 1 and p.nth_reply = 1`.execute(
    tx,
  )
}
