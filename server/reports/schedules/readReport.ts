import { ReportContent } from '#contract/reports/content.ts'
import type { Tx } from '../../db/kysely.ts'
import type { ScheduleRow } from './access.ts'

/** What a schedule sends, and the zone of its project's days. The content is null if it can't be read any more. */
export async function readReport(
  tx: Tx,
  { org_id: orgId, report_id: reportId }: ScheduleRow,
): Promise<{ name: string; content: ReportContent | null; zone: string }> {
  const row = await tx
    .selectFrom('report')
    .innerJoin('project', (on) =>
      on.onRef('project.org_id', '=', 'report.org_id').onRef('project.id', '=', 'report.project_id'),
    )
    .select(['report.name', 'report.content', 'project.zone'])
    .where('report.org_id', '=', orgId)
    .where('report.id', '=', reportId)
    .executeTakeFirstOrThrow()
  return { ...row, content: ReportContent.safeParse(row.content).data ?? null }
}
