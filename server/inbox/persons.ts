import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import type { Tx } from '../db/kysely.ts'
import type { RemoteItem, RemotePerson } from '../platforms/inbox.ts'
import { keptUntil } from './keep.ts'
import type { InboxChannel } from './channel.ts'

/**
 * Stores the people who wrote these items, and the other side of messages. Names have no versions: the last that was heard
 * counts, and an empty one replaces nothing. Returns their ids by the platform's.
 */
export async function storePersons(
  tx: Tx,
  { orgId, channelId, platform }: InboxChannel,
  items: readonly RemoteItem[],
  { now, keepDays }: { now: Date; keepDays: number },
): Promise<Map<string, string>> {
  const all = new Map<string, RemotePerson>()
  for (const { author, isOurs, counterpart } of items)
    for (const person of [isOurs ? null : author, counterpart]) if (person) all.set(person.remoteId, person)
  if (all.size === 0) return new Map()
  const keepUntil = keptUntil(keepDays, inboxRules[platform].keep?.personHours, now, now)
  const rows = [...all.values()].map((person) => ({
    id: randomUUIDv7(),
    remote_id: person.remoteId,
    name: person.name,
    handle: person.handle,
    picture_url: person.pictureUrl,
    url: person.url,
  }))
  await sql`
    insert into inbox_person as p (org_id, id, channel_id, remote_id, name, handle, picture_url, url, keep_until)
    select ${orgId}, n.id, ${channelId}, n.remote_id, n.name, n.handle, n.picture_url, n.url, ${keepUntil}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(id uuid, remote_id text, name text, handle text, picture_url text, url text)
    order by n.remote_id
    on conflict (org_id, channel_id, remote_id) do update set
      name = coalesce(nullif(excluded.name, ''), p.name), handle = coalesce(nullif(excluded.handle, ''), p.handle),
      picture_url = coalesce(excluded.picture_url, p.picture_url), url = coalesce(excluded.url, p.url), keep_until = excluded.keep_until
    where (coalesce(nullif(excluded.name, ''), p.name), coalesce(nullif(excluded.handle, ''), p.handle), coalesce(excluded.picture_url, p.picture_url), coalesce(excluded.url, p.url))
        is distinct from (p.name, p.handle, p.picture_url, p.url)
      or p.keep_until is null or p.keep_until < excluded.keep_until - (excluded.keep_until - ${now}::timestamptz) / 10`.execute(
    tx,
  )
  const known = await tx
    .selectFrom('inbox_person')
    .select(['id', 'remote_id'])
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channelId)
    .where('remote_id', 'in', [...all.keys()])
    .execute()
  return new Map(known.map((row) => [row.remote_id, row.id]))
}
