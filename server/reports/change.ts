import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { BodyOf } from '#contract/endpoint.ts'
import { excerptOf } from '#contract/excerpt.ts'
import { channelsNamed, type ReportContent } from '#contract/reports/content.ts'
import { REPORTS } from '#contract/reports/limits.ts'
import type { createReport as createCall, saveReport as saveCall } from '#contract/reports/reports.ts'
import { contentOf } from '#contract/reports/templates.ts'
import { readChannels } from '../analytics/scope.ts'
import { fail } from '../errors.ts'
import { lockReport, lockToDelete, type Asker } from './access.ts'
import { withHiddenTexts } from './aiTexts.ts'

type Changer = Asker & { caller: { personId: string } }

/** Creates a report from a template and returns its ID. Throws REPORTS_FULL, BAD_INPUT for a template without its subject, NOT_FOUND. */
export async function createReport(
  c: Changer,
  { reportName, template, campaignId, channelId }: BodyOf<typeof createCall>,
): Promise<string> {
  if (template === 'campaign') await mustBeCampaign(c, campaignId)
  if (template === 'channel' && channelId === null)
    throw fail('BAD_INPUT', { errors: { channelId: ['Choose a channel'] } })
  const content = contentOf(template, { campaignId, channelId })
  await mustIncludeChannels(c, content, 'channelId')
  return await insertReport(c, reportName, content)
}

async function mustBeCampaign({ tx, org, project }: Asker, campaignId: string | null): Promise<void> {
  if (campaignId === null) throw fail('BAD_INPUT', { errors: { campaignId: ['Choose a campaign'] } })
  const found = await tx
    .selectFrom('campaign')
    .select('id')
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', '=', campaignId)
    .executeTakeFirst()
  if (!found) throw fail('NOT_FOUND')
}

/** Throws BAD_INPUT if the content names a channel that the role doesn't include. Deleted ones stay nameable: their figures are kept. */
async function mustIncludeChannels(c: Asker, content: ReportContent, at: string): Promise<void> {
  const named = channelsNamed(content)
  if (named.length === 0) return
  const own = new Set((await readChannels(c, { channelIds: named })).map(({ channelId }) => channelId))
  if (named.some((id) => !own.has(id)))
    throw fail('BAD_INPUT', { errors: { [at]: ["Your role doesn't include one of these channels"] } })
}

async function insertReport(c: Changer, name: string, content: ReportContent): Promise<string> {
  const { tx, org, project, now, caller } = c
  // one at a time, so that the limit holds
  await sql`select pg_advisory_xact_lock(hashtextextended(${`reports ${project.projectId}`}, 0))`.execute(tx)
  const { n } = await tx
    .selectFrom('report')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .executeTakeFirstOrThrow()
  if (n >= REPORTS.perProject) throw fail('REPORTS_FULL')
  const id = randomUUIDv7()
  await tx
    .insertInto('report')
    .values({
      org_id: org.orgId,
      id,
      project_id: project.projectId,
      name,
      content: JSON.stringify(content),
      created_at: now,
      created_by: caller.personId,
      updated_at: now,
      updated_by: caller.personId,
    })
    .execute()
  return id
}

/** Saves a report and returns its new version. Throws NOT_FOUND, BAD_INPUT, STALE_VERSION. */
export async function saveReport(
  c: Changer,
  reportId: string,
  { reportName, content, version }: BodyOf<typeof saveCall>,
): Promise<number> {
  const { row, content: saved } = await lockReport(c, reportId)
  if (row.version !== version) throw fail('STALE_VERSION')
  await mustIncludeChannels(c, content, 'content')
  await c.tx
    .updateTable('report')
    .set({
      name: reportName,
      content: JSON.stringify(withHiddenTexts(c.project, saved, content)),
      version: version + 1,
      updated_at: c.now,
      updated_by: c.caller.personId,
    })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', reportId)
    .execute()
  return version + 1
}

/** A copy with another name, without links and schedules; returns its ID. Throws NOT_FOUND, REPORTS_FULL. */
export async function duplicateReport(c: Changer, reportId: string): Promise<string> {
  const { row, content } = await lockReport(c, reportId)
  return await insertReport(c, copyName(row.name), content)
}

/** "Month (copy)", as long as names may be. */
const copyName = (name: string): string => {
  const end = ' (copy)'
  return `${excerptOf(name, REPORTS.name - end.length).trimEnd()}${end}`
}

/** Deletes a report with everything that belongs to it, also one that can't be read any more. Throws NOT_FOUND. */
export async function deleteReport(c: Asker, reportId: string): Promise<void> {
  await lockToDelete(c, reportId)
  await c.tx.deleteFrom('report').where('org_id', '=', c.org.orgId).where('id', '=', reportId).execute()
}
