import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { asTenant } from '../db/tenant.ts'
import { cancelNow } from '../billing/organizationDeletion.ts'
import { deleteChannelsOf } from '../channels/delete.ts'
import type { JobContext } from '../jobs/job.ts'
import type { MediaStore } from '../media/store.ts'
import type { Payments } from '../billing/provider.ts'
import { adminsOf, DAY_MS } from './deleteOrganization.ts'
import type { ExportFiles } from './files.ts'
import { enqueueDeletionMails } from './notify.ts'

/*
 * The final deletion of an organization. Each step checks what is still there, so that it can be killed anywhere and
 * continues: channels by their own jobs, bytes of files, payments, rows in batches, the audit log, and the
 * organization's row last, because that is how it's found.
 */

export type PurgeDeps = { media: MediaStore; exports: ExportFiles; payments: Payments }

const PORTION = 5000
const FILES = 200
/** A platform that doesn't respond delays the deletion no longer than this, in milliseconds. */
const PATIENCE_MS = DAY_MS

/** Continues the deletion of every organization whose time has come. Returns those that are gone. */
export async function purgeOrganizations(deps: PurgeDeps, context: JobContext): Promise<string[]> {
  const { databases, clock, log } = context
  const due = await asSystem(databases.system, (tx) =>
    tx
      .selectFrom('organization')
      .select('org_id')
      .where('deletes_at', '<=', clock.now())
      .orderBy('deletes_at')
      .execute(),
  )
  const gone: string[] = []
  for (const { org_id: orgId } of due) {
    if (context.signal.aborted) break
    // one that can't be deleted now doesn't delay others: it's retried within the hour
    const done = await purge(deps, context, orgId).catch((error: unknown) => {
      log.error({ err: error, orgId }, 'deleting an organization was interrupted and will continue')
      return false
    })
    if (done) gone.push(orgId)
  }
  return gone
}

async function purge(deps: PurgeDeps, context: JobContext, orgId: string): Promise<boolean> {
  const { databases, clock, log } = context
  if (!(await endChannels(context, orgId))) return false
  await deleteFiles(deps, context, orgId)
  await deps.exports.removeAll(await exportsOf(context, orgId))
  // the payment provider has agreed before the row is deleted that says what to end
  await cancelNow(context, deps.payments, orgId)
  for (const table of await asSystem(databases.system, tablesOfTenants)) {
    // the rows by which an organization is found are deleted last
    if (keptToTheEnd.has(table) || audited.has(table)) continue
    await deletePortions(context, table, orgId)
  }
  const { orgName, admins } = await asSystem(databases.system, async (tx) => {
    const { name } = await tx
      .selectFrom('organization')
      .select('name')
      .where('org_id', '=', orgId)
      .executeTakeFirstOrThrow()
    return { orgName: name, admins: await adminsOf(tx, orgId, { shutOut: true }) }
  })
  await asSystem(databases.system, (tx) => deleteAudit(tx, orgId))
  await asSystem(databases.system, async (tx) => {
    await tx
      .updateTable('person')
      .set({ last_org_id: null, last_project_id: null })
      .where('last_org_id', '=', orgId)
      .execute()
    await tx.deleteFrom('kill_switch').where('scope', '=', 'organization').where('name', '=', orgId).execute()
    // a provider's notifications belong to no tenant, and contain personal data
    await tx.deleteFrom('provider_event').where('org_id', '=', orgId).execute()
    const { numDeletedRows } = await tx
      .deleteFrom('organization')
      .where('org_id', '=', orgId)
      .where('deletes_at', '<=', clock.now())
      .executeTakeFirst()
    // two workers at the last step report it once
    if (numDeletedRows > 0n)
      await enqueueDeletionMails(
        tx,
        admins.map(({ email: to }) => ({ about: 'gone', to, orgId, orgName })),
      )
  })
  log.info({ orgId }, 'an organization was deleted')
  return true
}

/**
 * Revokes the sign-ins at the platforms with the channels' jobs. Returns whether none is left, or the time for it is
 * over.
 */
async function endChannels({ databases, clock }: JobContext, orgId: string): Promise<boolean> {
  const now = clock.now()
  return await asTenant(databases.background, orgId, async (tx) => {
    const org = await tx
      .selectFrom('organization')
      .select(['deletes_at', 'created_by'])
      .where('org_id', '=', orgId)
      .forUpdate()
      .executeTakeFirst()
    // canceled at this moment
    if (!org?.deletes_at || org.deletes_at > now) return false
    // from now on nobody can open it, and nothing can be canceled
    await tx
      .updateTable('member')
      .set({ removed_at: now })
      .where('org_id', '=', orgId)
      .where('removed_at', 'is', null)
      .execute()
    const left = await tx
      .selectFrom('channel')
      .select('id')
      .where('org_id', '=', orgId)
      .where('deleted_at', 'is', null)
      .where('deleting_at', 'is', null)
      .execute()
    if (left.length > 0) await deleteChannelsOf(tx, { orgId }, org.created_by, now)
    const waiting = await tx
      .selectFrom('channel')
      .select('id')
      .where('org_id', '=', orgId)
      .where('deleted_at', 'is', null)
      .limit(1)
      .execute()
    return waiting.length === 0 || org.deletes_at.getTime() + PATIENCE_MS < now.getTime()
  })
}

/** Bytes first: a row that is left names what is left to be deleted. */
async function deleteFiles({ media }: PurgeDeps, { databases }: JobContext, orgId: string): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const from = after
    const files = await asSystem(databases.system, (tx) =>
      tx
        .selectFrom('asset')
        .select(['id', 'store_key', 'thumbnail_key'])
        .where('org_id', '=', orgId)
        .where('id', '>', from)
        .orderBy('id')
        .limit(FILES)
        .execute(),
    )
    for (const file of files)
      for (const key of [file.store_key, file.thumbnail_key]) if (key !== null) await media.delete(key)
    const last = files.at(-1)
    if (!last) break
    after = last.id
  }
  // link in bio pages keep copies of pictures of posts that were published elsewhere
  const copies = await asSystem(databases.system, (tx) =>
    tx.selectFrom('bio_item').select('picture_key').where('org_id', '=', orgId).execute(),
  )
  for (const { picture_key: key } of copies) if (key !== null) await media.delete(key)
}

const exportsOf = async ({ databases }: JobContext, orgId: string): Promise<string[]> =>
  (
    await asSystem(databases.system, (tx) =>
      tx.selectFrom('org_export').select('id').where('org_id', '=', orgId).execute(),
    )
  ).map(({ id }) => id)

/** Who may still read the progress, and the row itself. */
const keptToTheEnd = new Set(['organization', 'member', 'plan'])
/** Only the purge role can delete from these. */
const audited = new Set(['audit_client', 'audit', 'audit_seal'])

/** Every tenant table, children of foreign keys first. Events are last: triggers write some when other rows are deleted. */
async function tablesOfTenants(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string; parents: string[] }>`
    select c.relname as name, array(select distinct p.relname::text from pg_constraint f join pg_class p on p.oid = f.confrelid where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as parents
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant')
    order by 1`.execute(tx)
  const parents = new Map(rows.map((row) => [row.name, row.parents]))
  const order: string[] = []
  const visit = (name: string): void => {
    if (order.includes(name)) return
    for (const parent of parents.get(name) ?? []) visit(parent)
    if (parents.has(name)) order.push(name)
  }
  for (const name of parents.keys()) visit(name)
  return [...order.toReversed().filter((name) => name !== 'event'), 'event']
}

/** The only purpose of the purge role. */
async function deleteAudit(tx: Tx, orgId: string): Promise<void> {
  await sql`set local role rookery_purge`.execute(tx)
  for (const table of audited) await sql`delete from ${sql.table(table)} where org_id = ${orgId}`.execute(tx)
}

/** In batches, each its own transaction: no lock is held for long, and a kill loses one batch. */
async function deletePortions({ databases, signal }: JobContext, table: string, orgId: string): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const deleted = await asSystem(databases.system, async (tx) => {
      const { numAffectedRows } =
        await sql`delete from ${sql.table(table)} where (tableoid, ctid) in (select tableoid, ctid from ${sql.table(table)} where org_id = ${orgId} limit ${PORTION})`.execute(
          tx,
        )
      return Number(numAffectedRows ?? 0n)
    })
    if (deleted < PORTION) return
  }
}
