import { sql } from 'kysely'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import type { Told } from './told.ts'

/** The app by which a platform knows us: its secret signs what comes. */
export type Address = { platform: PlatformKey; clientId: string }

/**
 * Of channels `c` with their lanes `l`, those that this app was used for: an organization's own app says nothing about
 * channels of others, nor the installation's about those of an organization with an app of the same client ID.
 */
const connectedWith = ({ platform, clientId }: Address, orgId: string | null) => sql<boolean>`
  c.platform = ${platform} and c.deleted_at is null and l.credentials = ${clientId}
  and case when ${orgId}::uuid is null then not exists (select from app_credentials a where a.org_id = c.org_id and a.client_id = ${clientId}) else c.org_id = ${orgId} end`

/**
 * Stores what a notification tells, once for each of these organizations, or for everyone who uses the installation's app
 * (null). What is about no channel of theirs isn't stored. Returns how many rows are new.
 */
export async function storePush(
  tx: Tx,
  address: Address,
  owners: readonly (string | null)[],
  { digest, told, receivedAt }: { digest: Buffer; told: Told; receivedAt: Date },
): Promise<number> {
  let stored = 0
  for (const orgId of owners) {
    const { numAffectedRows } = await sql`
      insert into inbox_push (platform, app_key, org_id, digest, told, received_at)
      select ${address.platform}, ${address.clientId}, ${orgId}, ${digest}::bytea, ours.told, ${receivedAt}::timestamptz from (
        select jsonb_agg(t.one order by t.place) as told from jsonb_array_elements(${JSON.stringify(told)}::jsonb) with ordinality as t(one, place)
        where exists (
          select from channel c join lane l on l.org_id = c.org_id and l.channel_id = c.id
          where c.remote_id = t.one ->> 'accountRemoteId' and ${connectedWith(address, orgId)})
      ) as ours where ours.told is not null
      on conflict (platform, app_key, org_id, digest) do nothing`.execute(tx)
    stored += Number(numAffectedRows ?? 0n)
  }
  return stored
}

/** A cursor that is due: `leads` its group, so that it's the one that is read. */
export type Due = { account: string; kind: string; leads: boolean }

/** Makes readings due, of every channel that is one of these accounts and was connected with this app. */
export async function readSoon(
  tx: Tx,
  address: Address,
  orgId: string | null,
  due: readonly Due[],
  now: Date,
): Promise<void> {
  // locked in the order of all who lock several (lockCursors.ts)
  await sql`
    with due as (
      select i.org_id, i.channel_id, i.kind, d.leads
      from jsonb_to_recordset(${JSON.stringify(due)}::jsonb) as d(account text, kind text, leads boolean)
      join channel c on c.remote_id = d.account join lane l on l.org_id = c.org_id and l.channel_id = c.id
      join inbox_cursor i on i.org_id = c.org_id and i.channel_id = c.id and i.kind = d.kind
      where ${connectedWith(address, orgId)} order by i.org_id, i.channel_id, i.kind for no key update of i
    )
    update inbox_cursor i set pushed_at = ${now}, next_at = case when due.leads then least(i.next_at, ${now}::timestamptz) else i.next_at end
    from due where i.org_id = due.org_id and i.channel_id = due.channel_id and i.kind = due.kind`.execute(tx)
}
