import { sql } from 'kysely'
import type { ReportContent } from '#contract/reports/content.ts'
import type { Dependencies } from '../dependencies.ts'
import { asTenant } from '../db/tenant.ts'
import { fail } from '../errors.ts'
import { seeReport } from './access.ts'
import { documentBuilder, type ReadReport, type ReportSource } from './blocks/build.ts'
import type { ReportReader } from './blocks/reading.ts'
import { readLogo } from './brand.ts'
import type { ReportDocument } from './document.ts'
import { troubleOf } from './links.ts'
import { standingOf } from './standing.ts'

type Deps = Pick<Dependencies, 'env' | 'clock' | 'databases' | 'fetch' | 'media'>

/** What a report is read from: saved, or as someone is editing it. */
type Source = {
  name: string
  content: ReportContent
  /** Today of the project's zone by default. */ today?: string | undefined
}

/** Opens a short transaction as the reader, with the rights of that moment. */
type Opener = <T>(fn: (c: ReportReader) => Promise<T>) => Promise<T>

/** Makes the document of a saved report as a person sees it now, without their session. Throws NOT_FOUND, PLAN_LIMIT. */
type DocumentMaker = (order: {
  orgId: string
  projectId: string
  reportId: string
  personId: string
  /** The day that its days end before; today of the project's zone by default. */
  today?: string
}) => Promise<ReportDocument>

/** How documents are made here. */
export function documentsOf(deps: Deps) {
  const { clock, databases } = deps
  const builder = documentBuilder(deps)
  const { withPictures } = builder
  /** As the reader sees it, without its pictures, which `withPictures` adds after the transaction. Throws PLAN_LIMIT. */
  const read = async (c: ReportReader, source: Source): Promise<ReadReport> =>
    await builder.read(c, await sourceOf(c, source))
  /** As the opened transactions' reader sees it. Throws PLAN_LIMIT. */
  const make = async (open: Opener, source: Source): Promise<ReportDocument> =>
    await withPictures(await open((c) => read(c, source)))

  const makeSaved: DocumentMaker = async ({ orgId, projectId, reportId, personId, today }) => {
    const now = clock.now()
    const found = await asTenant(databases.exports, orgId, async (tx) => {
      const standing = await standingOf(tx, { orgId, projectId, personId, now })
      if (!standing) throw fail('NOT_FOUND')
      const c = { tx, now, ...standing }
      const saved = await seeReport(c, reportId)
      const trouble = troubleOf(standing, saved)
      if (trouble === 'owner') throw fail('NOT_FOUND')
      if (trouble === 'plan') throw fail('PLAN_LIMIT', { meta: { gate: 'analytics' } })
      return await read(c, { name: saved.row.name, content: saved.content, today })
    })
    return await withPictures(found)
  }
  return { read, withPictures, make, makeSaved }
}

/** The same with what belongs to its organization and project. */
async function sourceOf(c: ReportReader, source: Source): Promise<ReportSource> {
  const { tx, org, project } = c
  const { rows } = await sql<{ organization: string; project: string; accent: string | null }>`
    select o.name as organization, p.name as project, b.accent from project p join organization o on o.org_id = p.org_id left join organization_brand b on b.org_id = p.org_id
    where p.org_id = ${org.orgId} and p.id = ${project.projectId}`.execute(tx)
  const [row] = rows
  if (!row) throw fail('NOT_FOUND')
  return { ...source, ...row, logo: (await readLogo(c, null)) ?? null }
}
