import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { ReportContent } from '#contract/reports/content.ts'
import { nextDue } from '#contract/reports/due.ts'
import type { ReportTime } from '#contract/reports/schedules.ts'
import { contentOf } from '#contract/reports/templates.ts'
import type { Tx } from '../db/kysely.ts'
import type { SeededProject } from './seededProject.ts'

const HOUR = 3_600_000

/** Two reports: the month, sent to a colleague on the third of each month, and the campaign with the most posts. */
export async function seedReports(
  tx: Tx,
  { orgId, projectId, zone, people }: Pick<SeededProject, 'orgId' | 'projectId' | 'zone' | 'people'>,
  now: Date,
): Promise<void> {
  const [author, reader] = people
  if (author === undefined) return
  const campaign = await sql<{ id: string; name: string }>`
    select c.id, c.name from campaign c join post_campaign p on p.org_id = c.org_id and p.campaign_id = c.id
    where c.org_id = ${orgId} and c.project_id = ${projectId} group by c.id, c.name order by count(*) desc, c.name limit 1`.execute(
    tx,
  )
  const add = async (name: string, content: ReportContent, hoursAgo: number): Promise<string> => {
    const at = new Date(now.getTime() - hoursAgo * HOUR)
    const row = { org_id: orgId, id: randomUUIDv7(), project_id: projectId, name, content: JSON.stringify(content) }
    await tx
      .insertInto('report')
      .values({ ...row, created_at: at, created_by: author, updated_at: at, updated_by: author })
      .execute()
    return row.id
  }
  for (const { id, name } of campaign.rows) await add(name, contentOf('campaign', { campaignId: id }), 50)
  const monthly = await add('Monthly report', contentOf('month'), 3)
  if (reader === undefined) return
  const when: ReportTime = { frequency: 'monthly', day: 3, time: '09:00', timezone: zone }
  const scheduleId = randomUUIDv7()
  await tx
    .insertInto('report_schedule')
    .values({
      org_id: orgId,
      id: scheduleId,
      project_id: projectId,
      report_id: monthly,
      owner_id: author,
      frequency: when.frequency,
      day: when.day,
      wall_time: when.time,
      zone,
      wait_days: 3,
      next_due_at: nextDue(when, now).at,
      created_at: now,
      updated_at: now,
    })
    .execute()
  await tx
    .insertInto('report_recipient')
    .values({ org_id: orgId, id: randomUUIDv7(), schedule_id: scheduleId, person_id: reader, created_at: now })
    .execute()
}
