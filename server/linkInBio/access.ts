import type { Selectable } from 'kysely'
import type { Database } from '../db/schema.ts'
import { fail } from '../errors.ts'
import type { ProjectContext } from '../http/route.ts'
import { mustHavePlan } from '../plans/gates.ts'

export type PageRow = Selectable<Database['bio_page']>
export type Asker = Pick<ProjectContext, 'tx' | 'org' | 'project' | 'now'>

/** A project's pages, oldest first: the plan has room for the first ones. */
export const pagesOf = ({ tx, org, project }: Asker): Promise<PageRow[]> =>
  tx
    .selectFrom('bio_page')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Whether the plan has room for the page among those of its project (`pagesOf`). */
export const isEditable = ({ org }: Pick<Asker, 'org'>, pages: readonly PageRow[], pageId: string): boolean =>
  pages.slice(0, org.entitlements.bioPages).some(({ id }) => id === pageId)

/** The page for a verb that reads it. NOT_FOUND if it doesn't exist or belongs to another project. */
export async function seePage(c: Asker, pageId: string): Promise<PageRow> {
  const page = await pageQuery(c, pageId).executeTakeFirst()
  if (!page) throw fail('NOT_FOUND')
  return page
}

/** The page, locked until the transaction ends. Same refusal. */
export async function lockPage(c: Asker, pageId: string): Promise<PageRow> {
  const page = await pageQuery(c, pageId).forUpdate().executeTakeFirst()
  if (!page) throw fail('NOT_FOUND')
  return page
}

/** The same to change it. Throws PLAN_LIMIT if the plan has ended or has no room for it. */
export async function changePage(c: Asker, pageId: string): Promise<PageRow> {
  const page = await lockPage(c, pageId)
  mustHavePlan(c)
  if (!isEditable(c, await pagesOf(c), pageId)) throw fail('PLAN_LIMIT', { meta: { gate: 'bio_pages' } })
  return page
}

/** Throws PAGE_BLOCKED for a page that an operator stopped: it neither gets another address nor disappears. */
export function mustNotBeBlocked({ blocked_at: blockedAt }: PageRow): void {
  if (blockedAt !== null) throw fail('PAGE_BLOCKED')
}

const pageQuery = ({ tx, org, project }: Asker, pageId: string) =>
  tx
    .selectFrom('bio_page')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', '=', pageId)
