import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import * as contract from '#contract/labels.ts'
import { fail } from '../errors.ts'
import { handle, type ProjectRequest, type Route } from '../http/route.ts'
import { visibleTo } from '../access/visiblePosts.ts'
import { assertNameAvailable } from './assertNameAvailable.ts'

type Asker = Pick<ProjectRequest, 'tx' | 'org' | 'project'>

export function labelRoutes(): Route[] {
  return [
    handle(contract.listLabels, async (c) => ({ labels: await findLabels(c, c.query.state) })),
    handle(contract.createLabel, async (c) => {
      const { labelName, color } = c.body
      await assertNameAvailable(c, 'label', labelName, 'labelName')
      const labelId = randomUUIDv7()
      await c.tx
        .insertInto('label')
        .values({
          org_id: c.org.orgId,
          id: labelId,
          project_id: c.project.projectId,
          name: labelName,
          color,
          created_at: c.now,
        })
        .execute()
      await c.audit({ entityId: labelId, detail: { color } })
      await c.emit({ kind: 'taxonomy', ref: labelId })
      return { labelId, message: 'Label created successfully' }
    }),
    handle(contract.editLabel, async (c) => {
      const { labelId } = c.params
      const { labelName, color, state } = c.body
      const before = await loadLabel(c, labelId)
      if (labelName !== undefined) await assertNameAvailable(c, 'label', labelName, 'labelName', labelId)
      const changes = {
        ...(labelName !== undefined && { name: labelName }),
        ...(color !== undefined && { color }),
        ...(state !== undefined && { state }),
      }
      if (Object.keys(changes).length > 0)
        await c.tx
          .updateTable('label')
          .set(changes)
          .where('org_id', '=', c.org.orgId)
          .where('id', '=', labelId)
          .execute()
      await c.audit({
        entityId: labelId,
        detail: {
          before: { name: before.name, color: before.color, state: before.state },
          after: { name: labelName, color, state },
        },
      })
      await c.emit({ kind: 'taxonomy', ref: labelId })
      return {
        message:
          state === undefined || state === before.state
            ? 'Label updated successfully'
            : state === 'ARCHIVED'
              ? 'Label archived'
              : 'Label restored',
      }
    }),
    handle(contract.deleteLabel, async (c) => {
      const { labelId } = c.params
      await loadLabel(c, labelId)
      await c.tx.deleteFrom('label').where('org_id', '=', c.org.orgId).where('id', '=', labelId).execute()
      await c.audit({ entityId: labelId })
      await c.emit({ kind: 'taxonomy', ref: labelId })
      return { message: 'Label deleted successfully' }
    }),
  ]
}

/** The labels by name, each with the number of its posts that the caller can see; deleted posts don't count. */
async function findLabels(
  c: Pick<ProjectRequest, 'tx' | 'org' | 'project' | 'caller'>,
  state: contract.TaxonomyState | undefined,
): Promise<contract.Label[]> {
  const { rows } = await sql<contract.Label>`
    select l.id as "labelId", l.name as "labelName", l.color, l.state,
      (select count(*) from post_label pl join post p on p.org_id = pl.org_id and p.id = pl.post_id
        where pl.org_id = l.org_id and pl.label_id = l.id and p.state <> 'DELETED' and ${visibleTo(c)}) as posts
    from label l
    where l.org_id = ${c.org.orgId} and l.project_id = ${c.project.projectId} and (${state ?? null}::text is null or l.state = ${state ?? null})
    order by lower(l.name), l.id`.execute(c.tx)
  return rows
}

/** The label, locked. NOT_FOUND for another project's. */
async function loadLabel({ tx, org, project }: Asker, labelId: string) {
  const label = await tx
    .selectFrom('label')
    .select(['name', 'color', 'state'])
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', '=', labelId)
    .forUpdate()
    .executeTakeFirst()
  if (!label) throw fail('NOT_FOUND')
  return label
}
