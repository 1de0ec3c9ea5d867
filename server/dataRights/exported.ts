import { sql, type RawBuilder } from 'kysely'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'

/** Tenant tables that an export leaves out, and why. It has every other one; a test walks the catalog. */
export const leftOut = {
  channel_secret: 'sign-ins at platforms',
  connect_flow: 'sign-ins that are under way',
  idempotency: 'answers that were kept against being done twice',
  event: 'changes for open screens; kept for a day',
  lane: 'the clockwork of publishing',
  post_text: 'words of posts, noted again for the search',
  post_editor: 'who has a post open at this moment',
  conversation_editor: 'who is writing an answer at this moment',
  inbox_text: 'words of the inbox, noted again for the search',
  audit_seal: 'where the sealed chain ends; the first line of audit-chain.jsonl says it',
  org_export: 'the copies themselves',
  bio_visitor: 'who visited a page today, as hashes that are forgotten after the day',
  asset_import: 'counts of what was brought here within a day',
} as const satisfies Record<string, string>

/** Tables of what people wrote to channels. Rows of platforms whose terms forbid exporting them are left out; our own replies are exported. */
const written: readonly string[] = ['conversation', 'inbox_item', 'inbox_person']
const kept = platformKeys.filter((key) => inboxRules[key].noExport)

/** Which rows of a table are exported. */
export const rowsIn = (name: string, orgId: string): RawBuilder<boolean> =>
  written.includes(name)
    ? sql`org_id = ${orgId} and channel_id not in (select id from channel where org_id = ${orgId} and platform = any(${kept}))`
    : sql`org_id = ${orgId}`

/**
 * Columns that are never exported, whatever their type: names of secrets and keys. Binary columns aren't exported
 * either: all of ours are encrypted, or hashes.
 */
const SECRET = /(^|_)(secret|token|password|sealed|key_id|lease_id|customer_id)(_|$)|_hash$/

/** A table of the export: its exported columns. */
export type ExportedTable = { name: string; columns: string[] }

/** Every table of the organization in the export. */
export async function exportedTables(tx: Tx): Promise<ExportedTable[]> {
  const { rows } = await sql<{ name: string; columns: { name: string; type: string }[] }>`
    select c.relname as name, (select json_agg(json_build_object('name', a.attname, 'type', a.atttypid::regtype::text) order by a.attnum) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant')
    order by 1`.execute(tx)
  return rows
    .filter(({ name }) => !(name in leftOut))
    .map(({ name, columns }) => ({
      name,
      columns: columns
        .filter((column) => column.type !== 'bytea' && !SECRET.test(column.name))
        .map((column) => column.name),
    }))
}
