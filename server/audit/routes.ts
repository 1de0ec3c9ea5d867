import * as contract from '#contract/audit.ts'
import { paginationOf } from '#contract/common.ts'
import { handle, handleBytes, type Route } from '../http/route.ts'
import { limitOffset } from '../http/limitOffset.ts'
import type { Dependencies } from '../dependencies.ts'
import { auditCsv } from './exportCsv.ts'
import { countAudit, readAudit, readAuditFilters } from './list.ts'

export function auditRoutes(deps: Dependencies): Route[] {
  return [
    handle(contract.listAudit, async (c) => {
      const { page, limit, ...filters } = c.query
      // the reply's schema leaves out what only the export needs
      const audits = await readAudit(c, filters, limitOffset({ page, limit }))
      return { audits, pagination: paginationOf({ page, limit }, await countAudit(c, filters)) }
    }),
    handle(contract.auditFilters, (c) => readAuditFilters(c)),
    handleBytes(contract.exportAudit, async (c) => ({
      bytes: auditCsv(deps.databases, c.org.orgId, c.query),
      contentType: 'text/csv; charset=utf-8',
      headers: {
        'content-disposition': `attachment; filename="audit-${c.now.toISOString().slice(0, 10)}.csv"`,
        'cache-control': 'no-store',
      },
    })),
  ]
}
