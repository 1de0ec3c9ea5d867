import { sql } from 'kysely'
import { LinkToken } from '#contract/reports/links.ts'
import type { Databases } from '../../db/pools.ts'
import { asSystem } from '../../db/system.ts'
import { hashToken } from '../../http/session.ts'

/** A link that holds, and whose role decides what it shows. */
export type SharedLink = { orgId: string; projectId: string; reportId: string; linkId: string; personId: string }

/** How often the last opening is stored at most. */
const OPENED_EVERY_MS = 60_000

/** The link with this token; undefined for one that never was, was ended, or has expired: nobody can tell which. */
export async function findLink(
  { system }: Pick<Databases, 'system'>,
  token: string,
  now: Date,
): Promise<SharedLink | undefined> {
  if (!LinkToken.safeParse(token).success) return undefined
  return await asSystem(system, async (tx) => {
    const { rows } = await sql<SharedLink>`
      select l.org_id as "orgId", r.project_id as "projectId", r.id as "reportId", l.id as "linkId", l.person_id as "personId"
      from report_link l join report r on r.org_id = l.org_id and r.id = l.report_id
      where l.token_hash = ${hashToken(token)} and l.revoked_at is null and l.expires_at > ${now}`.execute(tx)
    return rows[0]
  })
}

/** Stores that a person opened it; at most once a minute. */
export async function noteOpening(
  { system }: Pick<Databases, 'system'>,
  { orgId, linkId }: SharedLink,
  now: Date,
): Promise<void> {
  const before = new Date(now.getTime() - OPENED_EVERY_MS)
  await asSystem(
    system,
    (tx) =>
      sql`update report_link set opened_at = coalesce(opened_at, ${now}), last_opened_at = ${now}
        where org_id = ${orgId} and id = ${linkId} and (last_opened_at is null or last_opened_at < ${before})`.execute(
        tx,
      ),
    { durable: false },
  )
}
