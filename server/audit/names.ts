import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../db/kysely.ts'

/** What an entry refers to: a kind of thing and its id. */
export type Reference = { kind: string; id: string }

/** How addresses of deleted accounts end, which belong to no one. */
export const NOBODYS = '@deleted.invalid'

const named = (table: string, name: RawBuilder<unknown>, id = sql`id::text`) => ({ table: sql.table(table), name, id })
const byName = sql`name`

/** Where each kind of thing has its name; kinds that aren't listed have none. */
const sources: Record<string, { table: RawBuilder<unknown>; name: RawBuilder<unknown>; id: RawBuilder<unknown> }> = {
  organization: named('organization', byName, sql`org_id::text`),
  project: named('project', byName),
  channel: named('channel', byName),
  label: named('label', byName),
  campaign: named('campaign', byName),
  hashtag_group: named('hashtag_group', byName),
  workflow: named('workflow', byName),
  role: named('role', byName),
  asset: named('asset', sql`file_name`),
  asset_folder: named('asset_folder', byName),
  bulk_schedule: named('bulk_import', byName),
  invite: named('invite', sql`case when email like ${`%${NOBODYS}`} then 'Deleted account' else email end`),
  approval_link: named('approval_link', sql`coalesce(nullif(name, ''), email)`),
  post: named('post', sql`excerpt`),
  // by its channel, because names of people on platforms mustn't always be stored
  conversation: named(
    'conversation',
    sql`(select ch.name from channel ch where ch.org_id = conversation.org_id and ch.id = conversation.channel_id)`,
  ),
  canned_response: named('canned_response', byName),
  discussion: named('discussion', sql`title`),
  competitor: named('competitor', byName),
  goal: named('insight_goal', byName),
  report: named('report', byName),
  // by its report
  report_schedule: named(
    'report_schedule',
    sql`(select r.name from report r where r.org_id = report_schedule.org_id and r.id = report_schedule.report_id)`,
  ),
  note: named('note', sql`left(body, 80)`),
}

/** Kinds that are named after another thing. */
const aliases: Record<string, string> = {
  draft: 'post',
  inbox_settings: 'project',
  link_settings: 'project',
  channel_links: 'channel',
  queue: 'channel',
  plan: 'organization',
  checkout: 'organization',
  payment: 'organization',
  payment_method: 'organization',
  billing_details: 'organization',
  account: 'member',
  member_session: 'member',
}

export type Names = (reference: Reference | null) => string | null

/** Reads the current names of all these, with one statement per kind. Null for what was deleted or has no name. */
export async function readNames(tx: Tx, orgId: string, references: readonly (Reference | null)[]): Promise<Names> {
  const wanted = new Map<string, Set<string>>()
  for (const reference of references) {
    if (!reference) continue
    const kind = aliases[reference.kind] ?? reference.kind
    wanted.set(kind, (wanted.get(kind) ?? new Set()).add(reference.id))
  }
  const found = new Map<string, string>()
  for (const [kind, ids] of wanted) {
    for (const { id, name } of await namesOf(tx, orgId, kind, [...ids]))
      if (name !== null && name !== '') found.set(`${kind} ${id}`, name)
  }
  return (reference) => (reference && found.get(`${aliases[reference.kind] ?? reference.kind} ${reference.id}`)) ?? null
}

type Named = { id: string; name: string | null }

async function namesOf(tx: Tx, orgId: string, kind: string, ids: readonly string[]): Promise<Named[]> {
  // people belong to no organization; the policy shows current and former members
  if (kind === 'member')
    return (
      await sql<Named>`select id::text as id, trim(first_name || ' ' || last_name) as name from person where id::text = any(${ids})`.execute(
        tx,
      )
    ).rows
  // it's called by its id
  if (kind === 'app') return ids.map((id) => ({ id, name: id }))
  const source = sources[kind]
  if (!source) return []
  return (
    await sql<Named>`select ${source.id} as id, ${source.name} as name from ${source.table} where org_id = ${orgId} and ${source.id} = any(${ids})`.execute(
      tx,
    )
  ).rows
}
