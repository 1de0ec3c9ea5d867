import { randomUUIDv7 } from 'node:crypto'
import type { Selectable } from 'kysely'
import { EXPORT_FAILED, type OrgExport } from '#contract/dataRights.ts'
import type { Tx } from '../db/kysely.ts'
import type { Database } from '../db/schema.ts'
import { fail } from '../errors.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { DAY_MS } from './deleteOrganization.ts'
import { MAKE_EXPORT, type Order } from './makeExport.ts'

type Asker = { tx: Tx; now: Date; org: { orgId: string } }
type Row = Selectable<Database['org_export']>

/** How many exports an organization can make in a day: each contains all of its files, and is stored for a week. */
const A_DAY = 3
/** How many exports the page shows. */
const SHOWN = 10

const statuses = ['waiting', 'running', 'ready', 'failed', 'gone'] as const

/** The organization's exports, newest first. */
export async function readExports({ tx, now, org }: Asker): Promise<OrgExport[]> {
  const rows = await tx
    .selectFrom('org_export')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .orderBy('requested_at', 'desc')
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute()
  return rows.map((row) => present(row, now))
}

/** Requests an export. Throws RATE_LIMITED while one is being made, and for more than 3 within a day. */
export async function beginExport({ tx, now, org }: Asker, personId: string): Promise<OrgExport> {
  const recent = await tx
    .selectFrom('org_export')
    .select('requested_at')
    .where('org_id', '=', org.orgId)
    .where('requested_at', '>', new Date(now.getTime() - DAY_MS))
    .where('status', '!=', 'failed')
    .orderBy('requested_at')
    .execute()
  const [oldest] = recent
  if (oldest && recent.length >= A_DAY)
    throw fail('RATE_LIMITED', {
      detail: `You can request up to ${A_DAY} copies a day. Download the latest one, or try again tomorrow.`,
      meta: { retryAfterSeconds: Math.ceil((oldest.requested_at.getTime() + DAY_MS - now.getTime()) / 1000) },
    })
  const row = await tx
    .insertInto('org_export')
    .values({
      org_id: org.orgId,
      id: randomUUIDv7(),
      requested_by: personId,
      requested_at: now,
      bytes: null,
      expires_at: null,
    })
    .onConflict((oc) => oc.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw fail('RATE_LIMITED', { detail: "We're already preparing a copy. Wait until it's ready." })
  const order: Order = { orgId: org.orgId, exportId: row.id }
  await enqueue(tx, { name: MAKE_EXPORT }, order, { key: row.id })
  return present(row, now)
}

/** The export while it can be downloaded. Throws NOT_FOUND. */
export async function loadReadyExport({ tx, now, org }: Asker, exportId: string): Promise<Row> {
  const row = await tx
    .selectFrom('org_export')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('id', '=', exportId)
    .where('status', '=', 'ready')
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row) throw fail('NOT_FOUND')
  return row
}

function present(row: Row, now: Date): OrgExport {
  // after its time it's gone, even before the job has removed it
  const isOver = row.status === 'ready' && row.expires_at !== null && row.expires_at <= now
  return {
    exportId: row.id,
    status: isOver ? 'gone' : (statuses.find((status) => status === row.status) ?? 'failed'),
    progress: row.progress,
    bytes: row.bytes,
    requestedAt: row.requested_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    problem: row.status === 'failed' ? EXPORT_FAILED : null,
  }
}
