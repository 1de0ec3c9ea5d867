import { adviceFor, sentenceOf } from '#contract/failures/catalog.ts'
import { sql } from 'kysely'
import type { Boost } from '#contract/boosts.ts'
import type { Tx } from '../db/kysely.ts'
import type { BoostRow } from './access.ts'

/** Promotions as people see them, in the given order. */
export async function presentBoosts(tx: Tx, rows: readonly BoostRow[]): Promise<Boost[]> {
  const names = await namesOf(tx, [...new Set(rows.map(({ started_by: id }) => id))])
  return rows.map((row) => ({
    boostId: row.id,
    status: row.state,
    adAccount: { adAccountId: row.ad_account_id, name: row.ad_account_name },
    audience: { audienceId: row.audience_id, name: row.audience_name },
    currency: row.currency,
    minorUnits: row.minor_units,
    budget: row.budget,
    days: row.days,
    startedBy: names.has(row.started_by) ? { name: names.get(row.started_by) ?? '' } : null,
    createdAt: row.created_at.toISOString(),
    endsAt: row.ends_at?.toISOString() ?? null,
    spent: row.spent,
    impressions: row.impressions,
    reach: row.reach,
    readAt: row.read_at?.toISOString() ?? null,
    problem: row.problem && { text: sentenceOf(row.problem), advice: adviceFor(row.problem, 'boost') },
  }))
}

/** The row-level policy shows those who are or were members. */
async function namesOf(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{
    id: string
    name: string
  }>`select id::text as id, trim(first_name || ' ' || last_name) as name from person where id = any(${[...ids]}::uuid[])`.execute(
    tx,
  )
  return new Map(rows.filter(({ name }) => name !== '').map(({ id, name }) => [id, name]))
}
