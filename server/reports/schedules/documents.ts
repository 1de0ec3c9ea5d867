import { openModel } from '../../ai/model.ts'
import { asTenant } from '../../db/tenant.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Failure } from '../../errors.ts'
import { OutOfBounds } from '../../typesetting/typeset.ts'
import { seeReport } from '../access.ts'
import { notFinalOf } from '../blocks/notFinal.ts'
import { pdfOf } from '../files/pdf.ts'
import { documentsOf } from '../make.ts'
import { renewTexts } from '../renew.ts'
import { standingOf } from '../standing.ts'
import type { MakeRefusal, ReportMakers } from './makers.ts'

/** Reports as runs send them: the same documents that people see and export. */
export function reportMakers(
  deps: Parameters<typeof documentsOf>[0] & Pick<Dependencies, 'env' | 'databases' | 'log'>,
): ReportMakers {
  const { makeSaved } = documentsOf(deps)
  const model = openModel(deps.env)
  return {
    renew: (order) => renewTexts({ ...deps, model }, order),
    make: async (order) => {
      try {
        const document = await makeSaved(order)
        const { pdf, pages } = await pdfOf(document, order.orgId)
        return { pdf, pages, range: document.range, reportName: document.title, notFinal: document.notFinal }
      } catch (error) {
        const refusal = refusalOf(error)
        if (!refusal) throw error
        return refusal
      }
    },
    notFinal: async ({ orgId, projectId, personId, reportId, today, now }) =>
      await asTenant(deps.databases.exports, orgId, async (tx) => {
        const standing = await standingOf(tx, { orgId, projectId, personId, now })
        if (!standing) return []
        const reader = { tx, now, ...standing }
        const { content } = await seeReport(reader, reportId)
        return await notFinalOf(reader, { content, today }, { accepted: deps.env.analyticsTerms })
      }),
  }
}

function refusalOf(error: unknown): MakeRefusal | undefined {
  if (error instanceof OutOfBounds) return { refused: error.bound === 'time' ? 'tooSlow' : 'tooLarge' }
  if (error instanceof Failure && error.code === 'NOT_FOUND') return { refused: 'gone' }
  if (error instanceof Failure && error.code === 'PLAN_LIMIT') return { refused: 'plan' }
  return undefined
}
