import { allows } from '#contract/permissions.ts'
import { ReportContent, type BlockOf } from '#contract/reports/content.ts'
import { daysOfReport } from '#contract/reports/range.ts'
import type { ModelDeps } from '../ai/charge.ts'
import type { Dependencies } from '../dependencies.ts'
import { asTenant } from '../db/tenant.ts'
import { fail, Failure } from '../errors.ts'
import { emit } from '../live/emit.ts'
import { lockReport, seeReport } from './access.ts'
import { writeText } from './blocks/aiText.ts'
import type { ReportReader } from './blocks/reading.ts'
import { standingOf } from './standing.ts'

type Deps = Pick<Dependencies, 'env' | 'clock' | 'databases'> & Pick<ModelDeps, 'model' | 'log'>

/** Whose rights decide what the texts are about, and which days: those before `today`, in the project's zone. */
type Order = { orgId: string; projectId: string; reportId: string; personId: string; today: string }

/**
 * Has the AI texts of a report that a run is about to send written for its days, for one AI credit together, and saves them in the
 * report. Texts that are about these days stay, so a run that begins again pays once. Where there's nothing to write from, no credit, no
 * model, or the person may not have texts written any more, the texts stay as they are: they say which days they're about. Only throws what is worth another try.
 */
export async function renewTexts({ env, clock, databases, model, log }: Deps, order: Order): Promise<void> {
  const { orgId, reportId } = order
  const now = clock.now()
  const open = <T>(fn: (c: ReportReader) => Promise<T>): Promise<T> =>
    asTenant(databases.background, orgId, async (tx) => {
      const standing = await standingOf(tx, { ...order, now })
      if (!standing) throw fail('NOT_FOUND')
      return await fn({ tx, now, ...standing })
    })
  try {
    const content = await open(async (c) => {
      const { content: saved } = await seeReport(c, reportId)
      const { permissions } = c.project
      const mayWrite = allows(permissions, 'insights', 'create') && allows(permissions, 'insights', 'edit')
      return mayWrite && saved.blocks.some((block) => isDue(block, saved, order.today)) ? saved : undefined
    })
    if (!content) return
    const deps = { model, log, databases, accepted: env.analyticsTerms }
    const { text, about } = await writeText(open, { content, today: order.today }, deps)
    await open(async (c) => {
      const { row, content: current } = await lockReport(c, reportId)
      const blocks = current.blocks.map((block) =>
        isDue(block, current, order.today) ? { ...block, text, about } : block,
      )
      await c.tx
        .updateTable('report')
        .set({ content: JSON.stringify(ReportContent.parse({ ...current, blocks })), version: row.version + 1 })
        .where('org_id', '=', orgId)
        .where('id', '=', reportId)
        .execute()
      await emit(c.tx, [{ kind: 'report', ref: reportId, orgId, projectId: order.projectId }], now)
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    log.warn({ code: error.code, reportId }, "the AI texts of a report couldn't be written again")
  }
}

/** Whether a text is to be written again for the report's days as of `today`. */
function isDue(block: ReportContent['blocks'][number], { days }: ReportContent, today: string): block is BlockOf<'ai'> {
  if (block.kind !== 'ai' || !block.renew) return false
  const { from, to } = daysOfReport(days, today)
  return block.about?.from !== from || block.about.to !== to
}
