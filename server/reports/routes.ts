import { writeReportText } from '#contract/reports/aiText.ts'
import * as brandCalls from '#contract/reports/brand.ts'
import * as linkCalls from '#contract/reports/links.ts'
import { REPORTS } from '#contract/reports/limits.ts'
import * as calls from '#contract/reports/reports.ts'
import { openModel } from '../ai/model.ts'
import type { Dependencies } from '../dependencies.ts'
import { fail } from '../errors.ts'
import { handle, handleBytes, handleDetached, type Route } from '../http/route.ts'
import { mustHaveGate, mustHaveRunning } from '../plans/gates.ts'
import { seeReport } from './access.ts'
import { writeText } from './blocks/aiText.ts'
import { drawLogo, readBrand, readLogo, writeBrand } from './brand.ts'
import { createReport, deleteReport, duplicateReport, saveReport } from './change.ts'
import { reportFileRoutes } from './fileRoutes.ts'
import { createLink, listLinks, revokeLink } from './links.ts'
import { listReports, presentReport } from './list.ts'

/** Never changes under its URL; its type is declared, never guessed. */
const LOGO_HEADERS = {
  'cache-control': 'private, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
}

/** Saved reports, their links, and how an organization's reports look. `env` says where the installation is. */
export function reportRoutes(
  deps: Pick<Dependencies, 'env' | 'clock' | 'databases' | 'fetch' | 'media' | 'log'>,
): Route[] {
  const { env, log, databases } = deps
  const model = openModel(env)
  return [
    handle(calls.listReports, async (c) => {
      mustHaveGate(c, 'analytics')
      return { reports: await listReports(c), most: REPORTS.perProject }
    }),
    handle(calls.getReport, async (c) => {
      mustHaveGate(c, 'analytics')
      return presentReport(c, await seeReport(c, c.params.reportId))
    }),
    handle(calls.createReport, async (c) => {
      mustHaveRunning(c, 'analytics')
      const reportId = await createReport(c, c.body)
      await c.audit({ entityId: reportId, detail: { template: c.body.template } })
      await c.emit({ kind: 'report', ref: reportId })
      return { reportId, message: 'Report created' }
    }),
    handle(calls.saveReport, async (c) => {
      mustHaveRunning(c, 'analytics')
      const { reportId } = c.params
      const version = await saveReport(c, reportId, c.body)
      await c.audit({ entityId: reportId, detail: { version } })
      await c.emit({ kind: 'report', ref: reportId })
      return { version, message: 'Report saved' }
    }),
    handle(calls.duplicateReport, async (c) => {
      mustHaveRunning(c, 'analytics')
      const reportId = await duplicateReport(c, c.params.reportId)
      await c.audit({ entityId: reportId, detail: { from: c.params.reportId } })
      await c.emit({ kind: 'report', ref: reportId })
      return { reportId, message: 'Report duplicated' }
    }),
    handle(calls.deleteReport, async (c) => {
      mustHaveGate(c, 'analytics')
      const { reportId } = c.params
      await c.audit({ entityId: reportId })
      await deleteReport(c, reportId)
      await c.emit({ kind: 'report', ref: reportId })
      return { message: 'Report deleted' }
    }),

    ...reportFileRoutes(deps),
    handleDetached(writeReportText, async (c) => {
      mustHaveGate(c, 'analytics')
      return await writeText((fn) => c.inTenant(fn), c.body, { model, log, databases, accepted: env.analyticsTerms })
    }),

    handle(linkCalls.listReportLinks, async (c) => {
      mustHaveGate(c, 'analytics')
      return { links: await listLinks(c, c.params.reportId) }
    }),
    handle(linkCalls.createReportLink, async (c) => {
      mustHaveRunning(c, 'analytics')
      const { reportId } = c.params
      const { linkId, token } = await createLink(c, reportId, c.body)
      await c.audit({ entityId: reportId, detail: { link: linkId, days: c.body.days } })
      await c.emit({ kind: 'report', ref: reportId })
      return { linkId, address: `${env.publicUrl}${linkCalls.sharedPath(token)}`, message: 'Link created' }
    }),
    handle(linkCalls.revokeReportLink, async (c) => {
      mustHaveGate(c, 'analytics')
      const { reportId, linkId } = c.params
      await revokeLink(c, reportId, linkId)
      await c.audit({ entityId: reportId, detail: { link: linkId } })
      await c.emit({ kind: 'report', ref: reportId })
      return { message: 'Link ended' }
    }),

    handle(brandCalls.organizationBrand, async (c) => await readBrand(c)),
    handleDetached(brandCalls.setOrganizationBrand, async (c) => {
      const { accent, logo: file } = c.body
      const logo = typeof file === 'string' ? await drawLogo(Buffer.from(file, 'base64'), c.org.orgId) : file
      await c.inTenant(async (t) => {
        await writeBrand(t, { accent, logo })
        await t.audit({
          entityId: t.org.orgId,
          detail: { accent, ...(logo === undefined ? {} : { logo: logo !== null }) },
        })
        await t.emit({ kind: 'organization', ref: t.org.orgId })
      })
      return { message: 'Look of reports saved' }
    }),
    handleBytes(brandCalls.organizationLogo, async (c) => {
      const bytes = await readLogo(c, c.params.logoId)
      if (!bytes) throw fail('NOT_FOUND')
      return { bytes, contentType: 'image/png', length: bytes.length, headers: LOGO_HEADERS }
    }),
  ]
}
