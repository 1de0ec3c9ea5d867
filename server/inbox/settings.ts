import { BusinessHours, type InboxSettings } from '#contract/inbox/settings.ts'
import type { ProjectContext } from '../http/route.ts'
import type { InboxReader } from './access.ts'

const WEEKDAY: [number, number] = [540, 1020]
const standard: InboxSettings = {
  replyCloses: false,
  answerHours: null,
  businessHours: [WEEKDAY, WEEKDAY, WEEKDAY, WEEKDAY, WEEKDAY, null, null],
}

/** What the project wants of its inbox; what it never chose is as for everyone. */
export async function readSettings({
  tx,
  org,
  project,
}: Pick<InboxReader, 'tx' | 'org' | 'project'>): Promise<InboxSettings> {
  const row = await tx
    .selectFrom('inbox_setting')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .executeTakeFirst()
  return row
    ? {
        replyCloses: row.reply_closes,
        answerHours: row.answer_hours,
        businessHours: BusinessHours.parse(row.business_hours),
      }
    : standard
}

export async function changeSettings(c: ProjectContext, settings: InboxSettings): Promise<void> {
  const before = await readSettings(c)
  const columns = {
    reply_closes: settings.replyCloses,
    answer_hours: settings.answerHours,
    business_hours: JSON.stringify(settings.businessHours),
  }
  await c.tx
    .insertInto('inbox_setting')
    .values({ org_id: c.org.orgId, project_id: c.project.projectId, ...columns })
    .onConflict((oc) => oc.columns(['org_id', 'project_id']).doUpdateSet(columns))
    .execute()
  await c.audit({ entityId: c.project.projectId, detail: { before, after: settings } })
  await c.emit({ kind: 'project', ref: c.project.projectId })
}
