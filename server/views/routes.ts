import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { allows } from '#contract/permissions.ts'
import * as contract from '#contract/views.ts'
import { fail } from '../errors.ts'
import { handle, type ProjectRequest, type Route } from '../http/route.ts'

export function viewRoutes(): Route[] {
  return [
    handle(contract.listViews, async (c) => {
      const { rows } = await sql<contract.SavedView>`
        select id as "viewId", name, page, search from saved_view
        where org_id = ${c.org.orgId} and project_id = ${c.project.projectId} and person_id = ${c.caller.personId}
          and page = any(${pagesOf(c)}::text[])
        order by lower(name), page, id`.execute(c.tx)
      return { views: rows }
    }),
    handle(contract.saveView, async (c) => ({ viewId: await save(c, c.body), message: 'View saved' })),
    handle(contract.deleteView, async (c) => {
      const gone = await c.tx
        .deleteFrom('saved_view')
        .where('org_id', '=', c.org.orgId)
        .where('project_id', '=', c.project.projectId)
        .where('person_id', '=', c.caller.personId)
        .where('id', '=', c.params.viewId)
        .where(sql<boolean>`page = any(${pagesOf(c)}::text[])`)
        .returning('id')
        .execute()
      if (gone.length === 0) throw fail('NOT_FOUND')
      return { message: 'View deleted' }
    }),
  ]
}

/** The pages that the caller's role allows: views of others are kept, but neither listed nor changed. */
const pagesOf = ({ project }: ProjectRequest) =>
  contract.savedViewPages.filter((page) => {
    const [resource, action] = contract.viewNeeds[page]
    return allows(project.permissions, resource, action)
  })

/**
 * Saves a view under its name; one with that name (ignoring case) on that page is replaced and keeps its id. FORBIDDEN for
 * a page that the role doesn't allow, BAD_INPUT beyond the maximum of a page. Each page has its own, so that views which the
 * role hides take no place.
 */
async function save(c: ProjectRequest, { name, page, search }: Omit<contract.SavedView, 'viewId'>): Promise<string> {
  if (!pagesOf(c).includes(page)) throw fail('FORBIDDEN')
  // one at a time, so that the limit holds
  await sql`select pg_advisory_xact_lock(hashtextextended(${`views ${c.project.projectId} ${c.caller.personId}`}, 0))`.execute(
    c.tx,
  )
  const { rows } = await sql<{ id: string }>`
    insert into saved_view (org_id, id, project_id, person_id, name, page, search, created_at)
    values (${c.org.orgId}, ${randomUUIDv7()}, ${c.project.projectId}, ${c.caller.personId}, ${name}, ${page}, ${search}, ${c.now})
    on conflict (org_id, project_id, person_id, page, lower(name)) do update set name = excluded.name, search = excluded.search returning id`.execute(
    c.tx,
  )
  const { kept } = await c.tx
    .selectFrom('saved_view')
    .select((e) => e.fn.countAll<number>().as('kept'))
    .where('org_id', '=', c.org.orgId)
    .where('project_id', '=', c.project.projectId)
    .where('person_id', '=', c.caller.personId)
    .where('page', '=', page)
    .executeTakeFirstOrThrow()
  if (kept > contract.SAVED_VIEWS_MOST)
    throw fail('BAD_INPUT', {
      errors: { name: [`You can save up to ${contract.SAVED_VIEWS_MOST} views of a page. Delete one first.`] },
    })
  return rows[0]?.id ?? ''
}
