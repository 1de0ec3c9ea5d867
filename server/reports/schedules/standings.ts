import { sql } from 'kysely'
import type { ReportContent } from '#contract/reports/content.ts'
import type { Tx } from '../../db/kysely.ts'
import { readAllowance } from '../../plans/allowance.ts'
import { hasReports, seesReport } from '../access.ts'
import { standingOf, type Standing } from '../standing.ts'

type Of = { orgId: string; projectId: string; now: Date }

/** What someone may see of a report; null if they can't see it, now. */
export async function readerStanding(
  tx: Tx,
  personId: string,
  content: ReportContent,
  of: Of,
): Promise<Standing | null> {
  const standing = await standingOf(tx, { ...of, personId })
  return standing && seesReport(standing, content) ? standing : null
}

/** Why a schedule of the report sends nothing now, by its plan and its owner; null if it does. */
export async function obstacle(
  tx: Tx,
  ownerId: string,
  content: ReportContent,
  of: Of,
): Promise<'plan' | 'owner' | null> {
  if (!hasReports({ org: await readAllowance(tx, of.orgId, of.now) })) return 'plan'
  return (await readerStanding(tx, ownerId, content, of)) ? null : 'owner'
}

/** Members of the project, each with a name and an address. Those who left have none. */
export async function peopleOf(
  tx: Tx,
  orgId: string,
  personIds: readonly string[],
): Promise<Map<string, { name: string; email: string }>> {
  const { rows } = await sql<{ id: string; name: string; email: string }>`
    select p.id, trim(p.first_name || ' ' || p.last_name) as name, p.email from member m join person p on p.id = m.person_id
    where m.org_id = ${orgId} and m.removed_at is null and m.person_id = any(${[...personIds]}::uuid[])`.execute(tx)
  return new Map(rows.map(({ id, name, email }) => [id, { name: name || email, email }]))
}
