import type { Platform } from '../platforms/platform.ts'
import { finish, type PublishContext } from './stepContext.ts'
import { quotaFailure, type UsedUp } from './budgets.ts'
import type { Claimed } from './claim.ts'
import { waitsFor } from './decide.ts'

/** Records once why a due post waits for an exhausted rate limit; the post keeps its place. Never throws; returns false if it failed. */
export async function recordExhausted(
  publishing: PublishContext,
  platform: Platform,
  claimed: Claimed,
): Promise<boolean> {
  try {
    const failure = quotaFailure(platform, await readUsedUp(publishing, platform, claimed, publishing.clock.now()))
    await finish(publishing, claimed, { ...waitsFor(claimed, 'held'), failure, outcome: 'used up' })
    return true
  } catch (error) {
    publishing.log.error(
      { err: error, subject: claimed.subject, id: claimed.subject_id },
      'could not record why a delivery waits',
    )
    return false
  }
}

/** A limit that a platform closes for less than this is closed "at the moment", not "today", whatever its window. */
const SHORT_MS = 2 * 3_600_000
const READ = `
  select exists (select from app_credentials a where a.org_id = l.org_id and a.client_id = l.credentials) as has_own_app,
    (select g.closed_until from budget g where g.closed_until > $5::timestamptz and g.key = l.platform || ':' || $3::text || ':' || case $4::text when 'channel' then l.channel_id::text else l.credentials end) as closed_until
  from lane l where l.org_id = $1 and l.channel_id = $2`

async function readUsedUp(
  { pool }: PublishContext,
  { budgets }: Platform,
  claimed: Claimed,
  now: Date,
): Promise<UsedUp> {
  const name = claimed.used_up ?? ''
  const per = budgets.find((budget) => budget.name === name)?.per ?? null
  const { rows } = await pool.query<{ has_own_app: boolean; closed_until: Date | null }>(READ, [
    claimed.org_id,
    claimed.channel_id,
    name,
    per,
    now,
  ])
  const [row] = rows
  return {
    name,
    isShort: row?.closed_until instanceof Date && row.closed_until.getTime() - now.getTime() < SHORT_MS,
    hasOwnApp: row?.has_own_app ?? false,
  }
}
