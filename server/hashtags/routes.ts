import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import * as contract from '#contract/labels.ts'
import { fail } from '../errors.ts'
import { handle, type ProjectRequest, type Route } from '../http/route.ts'
import { assertNameAvailable } from '../labels/assertNameAvailable.ts'

export function hashtagRoutes(): Route[] {
  return [
    handle(contract.listHashtagGroups, async (c) => {
      const rows = await c.tx
        .selectFrom('hashtag_group')
        .select(['id', 'name', 'hash_tags'])
        .where('org_id', '=', c.org.orgId)
        .where('project_id', '=', c.project.projectId)
        .orderBy(sql`lower(name)`)
        .orderBy('id')
        .execute()
      return { groups: rows.map((row) => ({ hashtagGroupId: row.id, name: row.name, hashTags: row.hash_tags })) }
    }),
    handle(contract.createHashtagGroup, async (c) => {
      const { name, hashTags } = c.body
      await assertNameAvailable(c, 'hashtag_group', name, 'name')
      const hashtagGroupId = randomUUIDv7()
      await c.tx
        .insertInto('hashtag_group')
        .values({
          org_id: c.org.orgId,
          id: hashtagGroupId,
          project_id: c.project.projectId,
          name,
          hash_tags: eachOnce(hashTags),
          created_at: c.now,
        })
        .execute()
      await c.audit({ entityId: hashtagGroupId, detail: { hashTags: hashTags.length } })
      await c.emit({ kind: 'taxonomy', ref: hashtagGroupId })
      return { hashtagGroupId, message: 'Hashtag group created successfully' }
    }),
    handle(contract.editHashtagGroup, async (c) => {
      const { hashtagGroupId } = c.params
      const { name, hashTags } = c.body
      const before = await lockGroup(c, hashtagGroupId)
      await assertNameAvailable(c, 'hashtag_group', name, 'name', hashtagGroupId)
      await c.tx
        .updateTable('hashtag_group')
        .set({ name, hash_tags: eachOnce(hashTags) })
        .where('org_id', '=', c.org.orgId)
        .where('id', '=', hashtagGroupId)
        .execute()
      await c.audit({
        entityId: hashtagGroupId,
        detail: { before, after: { name, hashTags: eachOnce(hashTags).length } },
      })
      await c.emit({ kind: 'taxonomy', ref: hashtagGroupId })
      return { message: 'Hashtag group updated successfully' }
    }),
    handle(contract.deleteHashtagGroup, async (c) => {
      const { hashtagGroupId } = c.params
      await lockGroup(c, hashtagGroupId)
      await c.tx
        .deleteFrom('hashtag_group')
        .where('org_id', '=', c.org.orgId)
        .where('id', '=', hashtagGroupId)
        .execute()
      await c.audit({ entityId: hashtagGroupId })
      await c.emit({ kind: 'taxonomy', ref: hashtagGroupId })
      return { message: 'Hashtag group deleted successfully' }
    }),
  ]
}

/** As people wrote them, in their order; one that comes again in other letters is the same hashtag. */
const eachOnce = (hashTags: readonly string[]): string[] =>
  hashTags.filter((hashTag, i) => hashTags.findIndex((other) => other.toLowerCase() === hashTag.toLowerCase()) === i)

/** Of another project: NOT_FOUND. */
async function lockGroup(
  { tx, org, project }: Pick<ProjectRequest, 'tx' | 'org' | 'project'>,
  hashtagGroupId: string,
): Promise<{ name: string; hashTags: number }> {
  const group = await tx
    .selectFrom('hashtag_group')
    .select(['name', 'hash_tags'])
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', '=', hashtagGroupId)
    .forUpdate()
    .executeTakeFirst()
  if (!group) throw fail('NOT_FOUND')
  return { name: group.name, hashTags: group.hash_tags.length }
}
