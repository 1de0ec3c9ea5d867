import { sql } from 'kysely'
import { z } from 'zod'
import { daysOfReport, ReportDays } from '#contract/reports/range.ts'
import type { Report, ReportEntry } from '#contract/reports/reports.ts'
import { todayIn } from '../analytics/scope.ts'
import { namesOf } from '../people/names.ts'
import { withoutHiddenTexts } from './aiTexts.ts'
import { includesAll, type Asker, type ReportRow, type Saved } from './access.ts'

/** Without its texts: those of a project's reports can have a hundred megabytes. */
type Listed = Pick<ReportRow, 'id' | 'name' | 'updated_at' | 'updated_by'> &
  Pick<ReportEntry, 'blocks' | 'links' | 'schedules'> & { days: unknown; named: unknown }
/** Of lists without a channel, null stands for all. */
const Channels = z.array(z.string().nullable()).transform((ids) => ids.filter((id) => id !== null))

/** The project's reports that name only channels of the role, the last changed one first. */
export async function listReports(c: Asker): Promise<ReportEntry[]> {
  const { tx, org, project, now } = c
  const { rows } = await sql<Listed>`
    select r.id, r.name, r.updated_at, r.updated_by, r.content -> 'days' as days,
      jsonb_array_length(jsonb_path_query_array(r.content, '$.blocks[*].blockId')) as blocks,
      jsonb_path_query_array(r.content, '$.channelIds[*]') || jsonb_path_query_array(r.content, '$.blocks[*].channelIds[*]') as named,
      (select count(*)::int from report_link l where l.org_id = r.org_id and l.report_id = r.id and l.revoked_at is null and l.expires_at > ${now}) as links,
      coalesce((select json_agg(json_build_object('nextDueAt', ${instantText(sql`s.next_due_at`)}, 'timezone', s.zone, 'paused', s.paused) order by s.next_due_at)
        from report_schedule s where s.org_id = r.org_id and s.report_id = r.id), '[]') as schedules
    from report r where r.org_id = ${org.orgId} and r.project_id = ${project.projectId} order by r.updated_at desc, r.id desc`.execute(
    tx,
  )
  const names = await namesOf(
    tx,
    org.orgId,
    rows.flatMap((row) => row.updated_by ?? []),
  )
  const today = todayIn(c)
  return rows.flatMap((row): ReportEntry[] => {
    const { data: days } = ReportDays.safeParse(row.days)
    if (!days || !includesAll(project, Channels.parse(row.named))) return []
    return [
      {
        reportId: row.id,
        reportName: row.name,
        days,
        range: daysOfReport(days, today),
        blocks: row.blocks,
        updatedAt: row.updated_at.toISOString(),
        updatedBy: (row.updated_by === null ? undefined : names.get(row.updated_by)) ?? null,
        links: row.links,
        schedules: row.schedules,
      },
    ]
  })
}

/** An instant as the API has it. */
const instantText = (at: ReturnType<typeof sql>) =>
  sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export const presentReport = (c: Asker, { row, content }: Saved): Report => ({
  reportId: row.id,
  reportName: row.name,
  content: withoutHiddenTexts(c.project, content),
  version: row.version,
  range: daysOfReport(content.days, todayIn(c)),
  updatedAt: row.updated_at.toISOString(),
})
