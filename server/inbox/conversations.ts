import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import type { RemoteItem, RemoteSubject } from '../platforms/inbox.ts'
import type { InboxChannel } from './channel.ts'

/**
 * Where each item belongs, by its remote id: an item stays in the conversation in which it was first seen, and a new one
 * opens its conversation where there is none. Also stores what the conversations are about. Begins them closed: what is
 * received opens them.
 */
export async function openConversations(
  tx: Tx,
  channel: InboxChannel,
  items: readonly RemoteItem[],
  persons: ReadonlyMap<string, string>,
  now: Date,
): Promise<Map<string, string>> {
  const { orgId, channelId, projectId } = channel
  if (items.length === 0) return new Map()
  const known = await tx
    .selectFrom('inbox_item')
    .select(['remote_id', 'conversation_id'])
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channelId)
    .where(
      'remote_id',
      'in',
      items.map(({ remoteId }) => remoteId),
    )
    .execute()
  const places = new Map(known.map((row) => [row.remote_id, row.conversation_id]))
  const fresh = new Map<string, RemoteItem>()
  for (const item of items) if (!places.has(item.remoteId)) fresh.set(threadOf(item), item)
  const rows = [...fresh.values()].map((item) => ({
    id: randomUUIDv7(),
    kind: item.conversation,
    thread_key: item.threadKey,
    last_at: item.at,
    last_direction: item.isOurs ? 'sent' : 'received',
  }))
  if (rows.length > 0)
    await sql`
      insert into conversation (org_id, id, project_id, channel_id, kind, thread_key, status, last_at, last_direction, created_at)
      select ${orgId}, n.id, ${projectId}, ${channelId}, n.kind, n.thread_key, 'CLOSED', n.last_at, n.last_direction, ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(id uuid, kind text, thread_key text, last_at timestamptz, last_direction text)
      order by n.thread_key
      on conflict (org_id, channel_id, (kind = 'message'), thread_key) do nothing`.execute(tx)
  const opened = await tx
    .selectFrom('conversation')
    .select(['id', 'kind', 'thread_key'])
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channelId)
    .where(
      'thread_key',
      'in',
      items.map(({ threadKey }) => threadKey),
    )
    .execute()
  const threads = new Map(
    opened.map((row) => [threadOf({ conversation: row.kind, threadKey: row.thread_key }), row.id]),
  )
  for (const item of fresh.size > 0 ? items : []) {
    const conversationId = threads.get(threadOf(item))
    if (conversationId !== undefined && !places.has(item.remoteId)) places.set(item.remoteId, conversationId)
  }
  await describe(tx, channel, items, persons, places)
  return places
}

/** Messages have keys of their own: see the index conversation_thread. */
const threadOf = ({ conversation, threadKey }: { conversation: string; threadKey: string }): string =>
  `${conversation === 'message' ? 'message' : 'public'} ${threadKey}`

/** Keeps what each conversation is about, and with whom a message is exchanged. */
async function describe(
  tx: Tx,
  { orgId, channelId }: InboxChannel,
  items: readonly RemoteItem[],
  persons: ReadonlyMap<string, string>,
  places: ReadonlyMap<string, string>,
): Promise<void> {
  const facts = new Map<string, { id: string; subject: RemoteSubject | null; person_id: string | null }>()
  for (const item of items) {
    const id = places.get(item.remoteId)
    if (id === undefined) continue
    const before = facts.get(id)
    facts.set(id, {
      id,
      subject: item.subject ?? before?.subject ?? null,
      person_id: (item.counterpart && persons.get(item.counterpart.remoteId)) ?? before?.person_id ?? null,
    })
  }
  const rows = [...facts.values()].filter(({ subject, person_id: personId }) => subject !== null || personId !== null)
  if (rows.length === 0) return
  await sql`
    with told as (
      select n.id, n.subject, n.person_id, p.id as post_id
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(id uuid, subject jsonb, person_id uuid)
      left join post p on p.org_id = ${orgId} and p.channel_id = ${channelId} and (n.subject ->> 'isOurs')::boolean and p.remote_id = n.subject ->> 'remoteId'
    ), locked as (
      select c.id from conversation c where c.org_id = ${orgId} and c.id in (select id from told) order by c.id for update
    )
    update conversation c set subject = coalesce(t.subject, c.subject), post_id = coalesce(t.post_id, c.post_id), person_id = coalesce(t.person_id, c.person_id)
    from told t join locked l on l.id = t.id
    where c.org_id = ${orgId} and c.id = t.id
      and (coalesce(t.subject, c.subject), coalesce(t.post_id, c.post_id), coalesce(t.person_id, c.person_id)) is distinct from (c.subject, c.post_id, c.person_id)`.execute(
    tx,
  )
}
