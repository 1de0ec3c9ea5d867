import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { eachAlone } from '../jobs/eachAlone.ts'
import type { JobContext } from '../jobs/job.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'

/*
 * Entries are written unchained, so that writers never wait for each other. A job chains them afterwards: each
 * organization has its own chain, and each link is the SHA-256 of the previous seal and its own row.
 */

/** An entry as it's sealed: text as PostgreSQL writes it, so that reading it again gives the same bytes. */
export type SealedFacts = {
  org_id: string
  id: string
  at: string
  project_id: string | null
  person_id: string | null
  action: string
  entity: string
  entity_id: string | null
  detail: string
}

/** The columns of SealedFacts. jsonb has one text per value; the time is in UTC with microseconds. */
export const FACTS = sql`org_id::text, id::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, project_id::text, person_id::text, action, entity, entity_id, detail::text`

/** The seal before the first entry. */
export const BEGINNING = Buffer.alloc(32)
const PORTION = 1000

/** The seal of an entry at its position in the chain. */
export function sealOf(before: Buffer, seq: number, row: SealedFacts): Buffer {
  const canonical = JSON.stringify([
    row.org_id,
    seq,
    row.id,
    row.at,
    row.project_id,
    row.person_id,
    row.action,
    row.entity,
    row.entity_id,
    row.detail,
  ])
  return createHash('sha256').update(before).update(canonical).digest()
}

/**
 * Seals new entries, across tenants. Several nodes may do it at once, because an organization's chain is locked.
 * Returns how many.
 */
export async function sealAudit(
  pool: pg.Pool,
  now: Date,
  context: Partial<Pick<JobContext, 'log'>> = {},
): Promise<number> {
  let sealed = 0
  const failed: string[] = []
  for (;;) {
    const { rows } = await asSystem(pool, (tx) =>
      sql<{ org_id: string }>`
        select distinct org_id from (select org_id from audit where seal is null and org_id <> all(${failed}::uuid[]) limit ${PORTION}) waiting`.execute(
        tx,
      ),
    )
    let progress = 0
    const left = await eachAlone(
      context,
      rows,
      { name: ({ org_id: orgId }) => ({ orgId }), failed: "an organization's audit log couldn't be sealed" },
      async ({ org_id: orgId }) => (progress += await asSystem(pool, (tx) => sealPortion(tx, orgId, now))),
    )
    failed.push(...left.map(({ org_id: orgId }) => orgId))
    sealed += progress
    // nothing is left, or another node is doing it
    if (progress === 0 && left.length === 0) return sealed
  }
}

async function sealPortion(tx: Tx, orgId: string, now: Date): Promise<number> {
  await sql`insert into audit_seal (org_id, seq, seal, sealed_at) values (${orgId}, 0, ${BEGINNING}, ${now}) on conflict do nothing`.execute(
    tx,
  )
  const head = await tx
    .selectFrom('audit_seal')
    .select(['seq', 'seal'])
    .where('org_id', '=', orgId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  // after the lock: entries sealed by the previous node aren't read again
  const { rows } =
    await sql<SealedFacts>`select ${FACTS} from audit where org_id = ${orgId} and seal is null order by audit.at, audit.id limit ${PORTION}`.execute(
      tx,
    )
  if (rows.length === 0) return 0
  let { seq, seal } = head
  const links = rows.map((row) => {
    seq += 1
    seal = sealOf(seal, seq, row)
    return { at: row.at, id: row.id, seq, seal: seal.toString('hex') }
  })
  await sql`
    update audit a set sealed_seq = l.seq, seal = decode(l.seal, 'hex')
    from json_to_recordset(${JSON.stringify(links)}::json) as l(at timestamptz, id uuid, seq bigint, seal text)
    where a.org_id = ${orgId} and a.at = l.at and a.id = l.id`.execute(tx)
  await tx.updateTable('audit_seal').set({ seq, seal, sealed_at: now }).where('org_id', '=', orgId).execute()
  return links.length
}
