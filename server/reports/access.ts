import type { Selectable } from 'kysely'
import { channelsNamed, ReportContent } from '#contract/reports/content.ts'
import type { Database } from '../db/schema.ts'
import { fail } from '../errors.ts'
import type { ProjectContext } from '../http/route.ts'
import { seesInsights } from './standing.ts'

export type Asker = Pick<ProjectContext, 'tx' | 'org' | 'project' | 'now'>
export type ReportRow = Selectable<Database['report']>
/** A saved report. */
export type Saved = { row: ReportRow; content: ReportContent }

/**
 * The report for a verb that reads it. NOT_FOUND if it doesn't exist, belongs to another project, or names a channel that the role
 * doesn't include.
 */
export async function seeReport(c: Asker, reportId: string): Promise<Saved> {
  return seen(c, await reportQuery(c, reportId).executeTakeFirst())
}

/** The report, locked until the transaction ends. Same refusal. */
export async function lockReport(c: Asker, reportId: string): Promise<Saved> {
  return seen(c, await reportQuery(c, reportId).forUpdate().executeTakeFirst())
}

/** The same to delete it. One whose content can't be read any more can be deleted too, by those whose role has all channels. */
export async function lockToDelete(c: Asker, reportId: string): Promise<void> {
  const row = await reportQuery(c, reportId).forUpdate().executeTakeFirst()
  const { data } = ReportContent.safeParse(row?.content)
  const isSeen = data ? includesChannels(c.project, data) : c.project.channelIds === null
  if (!row || !isSeen) throw fail('NOT_FOUND')
}

const reportQuery = ({ tx, org, project }: Asker, reportId: string) =>
  tx
    .selectFrom('report')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', '=', reportId)

function seen({ project }: Pick<Asker, 'project'>, row: ReportRow | undefined): Saved {
  const content = row && ReportContent.parse(row.content)
  if (!row || !content || !includesChannels(project, content)) throw fail('NOT_FOUND')
  return { row, content }
}

/** Whether a role includes every channel that the report names. */
const includesChannels = (role: Pick<Asker['project'], 'channelIds'>, content: ReportContent): boolean =>
  includesAll(role, channelsNamed(content))

/** Whether a role includes all of these channels. */
export const includesAll = ({ channelIds }: Pick<Asker['project'], 'channelIds'>, named: readonly string[]): boolean =>
  channelIds === null || named.every((id) => channelIds.includes(id))

/** Whether someone may see the report; whether the plan has reports is another question. */
export const seesReport = (who: Pick<Asker, 'project'>, content: ReportContent): boolean =>
  seesInsights(who) && includesChannels(who.project, content)

/** Whether the plan shows reports to people without an account, and sends them. */
export const hasReports = ({ org: { entitlements } }: { org: Pick<Asker['org'], 'entitlements'> }): boolean =>
  entitlements.valid && !entitlements.closed.includes('analytics')
