import { sql } from 'kysely'
import type pg from 'pg'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { checkChain, TOLERANCE_MS, type Broken, type Link, type Misdated } from './chain.ts'
import { FACTS } from './seal.ts'

/**
 * An organization's chain. `head` is the seal of its end: stored elsewhere, it reveals later if everything was
 * rewritten.
 */
export type Verdict = {
  orgId: string
  sealed: number
  waiting: number
  head: string
  broken: Broken | null
  /** Entries after the stored head with an impossible time. */
  misdated: Misdated[]
}
/** Which chains to check, the one of `orgId` or all, against the heads stored elsewhere, by organization. */
export type Wanted = { orgId?: string | undefined; heads?: ReadonlyMap<string, string> }

/** Thrown for an id that belongs to no organization or chain. */
export class UnknownOrganization extends Error {
  constructor(orgId: string) {
    super(`There is no organization ${orgId}, and no audit of one. It was deleted, or its rows were removed.`)
  }
}

const PORTION = 2000

/**
 * Checks the chain of one organization, or each, from its start, as of one moment. Organizations being purged are left
 * out, unless named. Throws UnknownOrganization, also for a stored head.
 */
export async function verifyAudit(
  pool: pg.Pool,
  now: Date,
  { orgId, heads = new Map() }: Wanted = {},
): Promise<Verdict[]> {
  const ids =
    orgId === undefined ? [...new Set([...(await organizations(pool, now)), ...heads.keys()])].toSorted() : [orgId]
  const verdicts: Verdict[] = []
  for (const id of ids) verdicts.push(await verifyOne(pool, now, id, heads.get(id)))
  return verdicts
}

/** Every organization, and anything else that has entries or an end. */
async function organizations(pool: pg.Pool, now: Date): Promise<string[]> {
  const { rows } = await asSystem(pool, (tx) =>
    sql<{ org_id: string }>`
      select org_id from (select org_id from organization union select org_id from audit_seal union select org_id from audit) known
      where org_id not in (select org_id from organization where deletes_at <= ${now})`.execute(tx),
  )
  return rows.map((row) => row.org_id)
}

async function verifyOne(pool: pg.Pool, now: Date, orgId: string, head: string | undefined): Promise<Verdict> {
  return await asSystem(pool, async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    const org = await tx.selectFrom('organization').select('created_at').where('org_id', '=', orgId).executeTakeFirst()
    const end = await tx.selectFrom('audit_seal').select(['seq', 'seal']).where('org_id', '=', orgId).executeTakeFirst()
    const { waiting, oldest } = await waitingOf(tx, orgId)
    const check = checkChain({ createdAt: org?.created_at ?? null, now, head })
    for await (const link of readLinks(tx, orgId)) if (!check.add(link)) break
    const { sealed, broken, ...found } = check.finish(end)
    if (!org && !end && sealed === 0 && waiting === 0) throw new UnknownOrganization(orgId)
    return { orgId, sealed, waiting, ...found, broken: broken ?? emptiness(sealed, oldest, now) }
  })
}

async function waitingOf(tx: Tx, orgId: string): Promise<{ waiting: number; oldest: Date | null }> {
  const { rows } = await sql<{
    waiting: number
    oldest: Date | null
  }>`select count(*)::int as waiting, min(at) as oldest from audit where org_id = ${orgId} and seal is null`.execute(tx)
  return rows[0] ?? { waiting: 0, oldest: null }
}

/** The sealed entries in order; if two claim one position, both. */
export async function* readLinks(tx: Tx, orgId: string): AsyncGenerator<Link> {
  await sql`declare links no scroll cursor for select ${FACTS}, sealed_seq, seal from audit where org_id = ${orgId} and seal is not null order by sealed_seq, audit.at, audit.id`.execute(
    tx,
  )
  for (let full = true; full;) {
    const { rows } = await sql<Link>`fetch ${sql.raw(String(PORTION))} from links`.execute(tx)
    yield* rows
    full = rows.length === PORTION
  }
  await sql`close links`.execute(tx)
}

/**
 * Creating an organization writes its first entry, and a minute later it's sealed: a chain without entries was emptied.
 */
function emptiness(sealed: number, oldest: Date | null, now: Date): Broken | null {
  if (sealed > 0) return null
  if (oldest === null) return { seq: 1, auditId: null, why: 'emptied' }
  return oldest.getTime() < now.getTime() - TOLERANCE_MS ? { seq: 1, auditId: null, why: 'never sealed' } : null
}

const faults: Record<Broken['why'], (broken: Broken) => string> = {
  changed: ({ seq, auditId }) => `entry ${seq} (${auditId}) was changed or moved`,
  missing: ({ seq }) => `entry ${seq} is missing`,
  doubled: ({ seq, auditId }) => `entry ${seq} (${auditId}) exists twice or was inserted`,
  'end missing': ({ seq }) => `entry ${seq} and everything after it is missing`,
  'end unknown': ({ seq }) => `the chain ends at entry ${seq}, which isn't the end that was recorded`,
  emptied: () => 'it has no entries at all, not even the one of its creation. They were removed',
  'never sealed': () =>
    'none of its entries is sealed. Either the app never ran for a minute since, or the seals were removed',
  'head unknown': () => "the head that you kept isn't in the chain. It was rewritten or cut off since you noted it",
}

/** A result as lines for the operator. */
export function describeVerdict({ orgId, sealed, waiting, head, broken, misdated }: Verdict): string {
  const rest = waiting > 0 ? `, ${waiting} not sealed yet` : ''
  const dates = misdated.map(({ seq, auditId, why }) => `${orgId}: MISDATED entry ${seq} (${auditId}), dated ${why}`)
  const state = broken
    ? `${orgId}: BROKEN: ${faults[broken.why](broken)}${rest}`
    : `${orgId}: ${misdated.length > 0 ? 'sealed in order' : 'OK'}, ${sealed} sealed ${sealed === 1 ? 'entry' : 'entries'}${rest}, head ${head}`
  return [state, ...dates].join('\n')
}

/** Whether the operator has to look into it. */
export const isSuspect = ({ broken, misdated }: Verdict): boolean => broken !== null || misdated.length > 0
