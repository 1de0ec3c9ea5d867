import { sql } from 'kysely'
import type pg from 'pg'
import { asSystem } from '../db/system.ts'
import { BEGINNING, FACTS, sealOf, type SealedFacts } from './seal.ts'

/** What is wrong with a chain, at its first broken link. */
export type Broken = {
  seq: number
  auditId: string | null
  why: 'changed' | 'missing' | 'doubled' | 'end missing' | 'end unknown'
}
/** An organisation's chain. `head` is the seal that it ends with: noted elsewhere, it shows later that all of it was rewritten. */
export type Verdict = { orgId: string; sealed: number; waiting: number; head: string; broken: Broken | null }

const PORTION = 2000
type Link = SealedFacts & { sealed_seq: number; seal: Buffer }

/** Walks the chain of one organisation, or of each, from its beginning. Reads everything as of one moment. */
export async function verifyAudit(pool: pg.Pool, orgId?: string): Promise<Verdict[]> {
  const ids = orgId === undefined ? await organisations(pool) : [orgId]
  const verdicts: Verdict[] = []
  for (const id of ids) verdicts.push(await verifyOne(pool, id))
  return verdicts
}

async function organisations(pool: pg.Pool): Promise<string[]> {
  const { rows } = await asSystem(pool, (tx) =>
    sql<{ org_id: string }>`select org_id from audit_seal union select distinct org_id from audit order by 1`.execute(
      tx,
    ),
  )
  return rows.map((row) => row.org_id)
}

async function verifyOne(pool: pg.Pool, orgId: string): Promise<Verdict> {
  return await asSystem(pool, async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    const end = await tx.selectFrom('audit_seal').select(['seq', 'seal']).where('org_id', '=', orgId).executeTakeFirst()
    const { rows: counts } = await sql<{
      waiting: number
    }>`select count(*)::int as waiting from audit where org_id = ${orgId} and seal is null`.execute(tx)
    await sql`declare links no scroll cursor for select ${FACTS}, sealed_seq, seal from audit where org_id = ${orgId} and seal is not null order by sealed_seq, audit.at, audit.id`.execute(
      tx,
    )
    let [seq, seal]: [number, Buffer] = [0, BEGINNING]
    let broken: Broken | null = null
    while (!broken) {
      const { rows } = await sql<Link>`fetch ${sql.raw(String(PORTION))} from links`.execute(tx)
      for (const row of rows) {
        broken = linkFault(seq, seal, row)
        if (broken) break
        seq += 1
        seal = row.seal
      }
      if (rows.length < PORTION) break
    }
    broken ??= endFault(seq, seal, end)
    return { orgId, sealed: seq, waiting: counts[0]?.waiting ?? 0, head: seal.toString('hex'), broken }
  })
}

function linkFault(seq: number, seal: Buffer, row: Link): Broken | null {
  if (row.sealed_seq > seq + 1) return { seq: seq + 1, auditId: null, why: 'missing' }
  if (row.sealed_seq < seq + 1) return { seq: row.sealed_seq, auditId: row.id, why: 'doubled' }
  return sealOf(seal, seq + 1, row).equals(row.seal) ? null : { seq: seq + 1, auditId: row.id, why: 'changed' }
}

function endFault(seq: number, seal: Buffer, end: { seq: number; seal: Buffer } | undefined): Broken | null {
  if (!end) return seq === 0 ? null : { seq, auditId: null, why: 'end unknown' }
  if (end.seq > seq) return { seq: seq + 1, auditId: null, why: 'end missing' }
  return end.seq === seq && end.seal.equals(seal) ? null : { seq, auditId: null, why: 'end unknown' }
}

const words: Record<Broken['why'], string> = {
  changed: 'was changed, or does not stand where it stood',
  missing: 'is missing',
  doubled: 'stands there twice, or was put in',
  'end missing': 'and what follows it is missing',
  'end unknown': 'is not where the chain was seen to end',
}

/** A verdict as a line for whoever runs the server. */
export function sayVerdict({ orgId, sealed, waiting, head, broken }: Verdict): string {
  const rest = waiting > 0 ? `, ${waiting} not sealed yet` : ''
  if (!broken) return `${orgId}: ${sealed} sealed entries in order${rest}, end ${head}`
  return `${orgId}: BROKEN at entry ${broken.seq}${broken.auditId === null ? '' : ` (${broken.auditId})`}, which ${words[broken.why]}. ${sealed} before it are in order${rest}`
}
