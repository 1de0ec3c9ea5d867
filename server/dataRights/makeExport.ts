import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { ZipFile } from 'yazl'
import { z } from 'zod'
import { webLinks } from '#contract/webLinks.ts'
import { issuedDocuments, readDocument } from '../billing/documents.ts'
import type { Seller } from '../billing/parties.ts'
import { termsOf } from '../billing/payments.ts'
import type { Tx } from '../db/kysely.ts'
import { isAppPool } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import { asTenant } from '../db/tenant.ts'
import { inTransaction } from '../db/transaction.ts'
import { defineJob, type Job, type JobContext } from '../jobs/job.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { MediaStore } from '../media/store.ts'
import { DAY_MS } from './deleteOrganization.ts'
import type { Dependencies } from '../dependencies.ts'
import type { ExportFiles } from './files.ts'
import { exportReady } from './mails.ts'
import { writeTables } from './writeTables.ts'

export const Order = z.object({ orgId: z.uuid(), exportId: z.uuid() })
export type Order = z.output<typeof Order>
export const MAKE_EXPORT = 'dataRights.export'

/** How long an export can be downloaded, in days. */
const KEPT_DAYS = 7
/** The tables' share of the progress, in percent; files have the rest. */
const TABLES_SHARE = 30

export type ExportDeps = {
  media: MediaStore
  mailer: Mailer
  exports: ExportFiles
  env: Pick<Dependencies['env'], 'publicUrl' | 'INVOICE_SELLER'>
}
type File = { id: string; file_name: string; store_key: string; bytes: number }

/** Makes a data export. Killed in between, it starts over; a failure is shown on the page, without endless retries. */
export function exportJob(deps: ExportDeps): Job<Order> {
  return defineJob({
    name: MAKE_EXPORT,
    payload: Order,
    run: async (context, order) => {
      const { databases, clock, log } = context
      const taken = await asTenant(databases.background, order.orgId, (tx) =>
        tx
          .updateTable('org_export')
          .set({ status: 'running', progress: 0 })
          .where('org_id', '=', order.orgId)
          .where('id', '=', order.exportId)
          .where('status', 'in', ['waiting', 'running'])
          .returning('requested_by')
          .executeTakeFirst(),
      )
      if (!taken) return
      try {
        const bytes = await make(deps, context, order)
        const expiresAt = new Date(clock.now().getTime() + KEPT_DAYS * DAY_MS)
        await set(context, order, { status: 'ready', progress: 100, bytes, expires_at: expiresAt })
        await tell(deps, context, order, taken.requested_by, expiresAt)
      } catch (error) {
        await deps.exports.abandon(order.exportId)
        // at a shutdown, it starts over with the next start
        if (context.signal.aborted) throw error
        log.error({ err: error, ...order }, "an organization's data export failed")
        await set(context, order, { status: 'failed' })
      }
    },
  })
}

async function make({ media, exports, env }: ExportDeps, context: JobContext, order: Order): Promise<number> {
  const folder = await exports.workplace(order.exportId)
  const tables = await asOfOneMoment(context.databases.exports, order.orgId, (tx) =>
    writeTables(tx, order.orgId, folder, (done, of) => progress(context, order, (done / of) * TABLES_SHARE)),
  )
  const files = await filesOf(context, order.orgId)
  const zip = new ZipFile()
  const path = join(folder, 'copy.zip')
  const broken = new AbortController()
  const written = pipeline(zip.outputStream, createWriteStream(path, { mode: 0o600 }), {
    signal: AbortSignal.any([context.signal, broken.signal]),
  })
  // it's awaited below; if the disk is full before that, it must not count as an unhandled rejection
  written.catch(() => undefined)
  // an unreadable file fails the export; the archive's own event would crash the process
  zip.on('error', (error: Error) => broken.abort(error))
  zip.addBuffer(Buffer.from(README), 'README.txt')
  for (const name of tables) zip.addFile(join(folder, name), `data/${name}`)
  await addInvoices(zip, context, order.orgId, termsOf(env).seller)
  const all = files.reduce((sum, file) => sum + file.bytes, 0) || 1
  let done = 0
  let missing = ''
  for (const file of files) {
    context.signal.throwIfAborted()
    const bytes = await media.stream(file.store_key).catch(() => undefined)
    if (bytes) {
      const over = new Promise<void>((resolve, reject) =>
        bytes.once('end', resolve).once('error', reject).once('close', resolve),
      )
      // nearly all of it is compressed already
      zip.addReadStream(bytes, `media/${file.id}-${safeName(file.file_name)}`, { compress: false })
      // one open file at a time, however many there are
      await Promise.race([over, written])
    } else missing += `${file.id} ${file.file_name}\n`
    done += file.bytes
    await progress(context, order, TABLES_SHARE + (done / all) * (99 - TABLES_SHARE))
  }
  if (missing)
    zip.addBuffer(
      Buffer.from(`These files are listed in data/asset.json, but their bytes are no longer stored here:\n${missing}`),
      'media/missing.txt',
    )
  zip.end()
  await written
  return await exports.finish(order.exportId, path)
}

/** Adds issued documents, one at a time. Paddle's documents are Paddle's own: the export says where they are. */
async function addInvoices(zip: ZipFile, { databases }: JobContext, orgId: string, seller: Seller): Promise<void> {
  const issued = await asTenant(databases.exports, orgId, (tx) => issuedDocuments(tx, orgId))
  for (const { id, number } of issued.filter(({ isOurs }) => isOurs)) {
    const { print } = await asTenant(databases.exports, orgId, (tx) => readDocument(tx, orgId, id, seller))
    zip.addBuffer(await print(), `invoices/${number}.pdf`)
  }
  const elsewhere = issued.filter(({ isOurs }) => !isOurs).map(({ id, number }) => `${number} (${id})\n`)
  if (elsewhere.length > 0)
    zip.addBuffer(
      Buffer.from(`Paddle issued these invoices. Download them under Billing & Invoice:\n${elsewhere.join('')}`),
      'invoices/at-paddle.txt',
    )
}

/** A read-only tenant transaction that sees the whole organization as of its start. */
async function asOfOneMoment<T>(pool: pg.Pool, orgId: string, fn: (tx: Tx) => Promise<T>): Promise<T> {
  if (!isAppPool(pool)) throw new Error('A copy of one organization needs a pool that the policies bind')
  return await inTransaction(
    pool,
    { text: 'set transaction isolation level repeatable read, read only' },
    async (tx) => {
      await sql`select set_config('app.org_id', ${orgId}::uuid::text, true)`.execute(tx)
      return await fn(tx)
    },
  )
}

const README = `Everything your organization has on Rookery, as of the moment this export was made.

data/   every table twice: as JSON, and as CSV (UTF-8, RFC 4180). Times are in UTC. In CSV, a cell that a spreadsheet
        would run as a formula starts with an apostrophe. people: current and former members.
        audit-chain.jsonl: the audit log as it was sealed, entry by entry. "rookery audit verify --export audit-chain.jsonl"
        verifies it; docs/audit.md says how to do so with any SHA-256.
invoices/  invoices and credit notes as they were issued, as PDFs; data/billing_transaction.json lists them.
media/  the files, each by its id and name; data/asset.json describes them.

It doesn't contain sign-ins, passwords, keys or hashes.
`

/** Names come from people's computers: no folders, nothing hidden, nothing that a file system refuses. */
const safeName = (name: string) =>
  name
    .replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
    .replace(/^\.+/, '_')
    .slice(-100) || 'file'

const filesOf = ({ databases }: JobContext, orgId: string) =>
  asTenant(
    databases.exports,
    orgId,
    async (tx) =>
      (
        await sql<File>`select id, file_name, store_key, bytes from asset where org_id = ${orgId} and state = 'ready' order by id`.execute(
          tx,
        )
      ).rows,
  )

async function progress(context: JobContext, order: Order, percent: number): Promise<void> {
  await set(context, order, { progress: Math.min(99, Math.floor(percent)) })
}

async function set(
  { databases }: JobContext,
  { orgId, exportId }: Order,
  change: { status?: string; progress?: number; bytes?: number; expires_at?: Date },
): Promise<void> {
  await asTenant(databases.background, orgId, (tx) =>
    tx.updateTable('org_export').set(change).where('org_id', '=', orgId).where('id', '=', exportId).execute(),
  )
}

async function tell(
  { mailer, env }: ExportDeps,
  { databases }: JobContext,
  { orgId }: Order,
  personId: string,
  expiresAt: Date,
): Promise<void> {
  const found = await asSystem(
    databases.system,
    async (tx) =>
      (
        await sql<{ email: string; name: string; project_id: string | null }>`
    select p.email, o.name, (select pr.id from project pr where pr.org_id = o.org_id and pr.deleted_at is null order by pr.created_at limit 1) as project_id
    from person p join member m on m.person_id = p.id and m.is_admin and m.removed_at is null join organization o on o.org_id = m.org_id
    where p.id = ${personId} and o.org_id = ${orgId}`.execute(tx)
      ).rows[0],
  )
  if (!found) return
  const link =
    found.project_id === null ? webLinks.onboarding() : webLinks.orgSettings({ orgId, projectId: found.project_id })
  mailer.post(exportReady({ to: found.email, orgName: found.name, publicUrl: env.publicUrl }, link, expiresAt))
}
