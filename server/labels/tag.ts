import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'
import { problem } from '#contract/postProblems.ts'
import { fail } from '../errors.ts'

type Tagger = Pick<ProjectContext, 'tx' | 'org' | 'project'>

/** What carries labels. */
type Labeled = 'post' | 'conversation'
const carriers = {
  post: { table: sql.table('post_label'), id: sql.ref('post_id') },
  conversation: { table: sql.table('conversation_label'), id: sql.ref('conversation_id') },
} as const

/**
 * Sets the labels of posts or conversations to exactly these. The caller has checked them and emits their events. An
 * archived label stays where it is and can't be added elsewhere: BAD_INPUT. One that isn't the project's: NOT_FOUND.
 * Both at the field `at`.
 */
export async function setLabels(
  c: Tagger,
  what: Labeled,
  ids: readonly string[],
  labelIds: readonly string[],
  at: string,
): Promise<void> {
  if (ids.length === 0) return
  await mustBeGivable(c, what, ids, labelIds, at)
  const { table, id } = carriers[what]
  await sql`delete from ${table} where org_id = ${c.org.orgId} and ${id} = any(${[...ids]}::uuid[]) and not (label_id = any(${[...labelIds]}::uuid[]))`.execute(
    c.tx,
  )
  await give(c, what, ids, labelIds)
}

/** Adds some labels to posts or conversations and removes others; labels in neither list stay. Same refusals as setLabels, at `at`. */
export async function changeLabels(
  c: Tagger,
  what: Labeled,
  ids: readonly string[],
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
  at: string,
): Promise<void> {
  if (ids.length === 0) return
  await mustBeGivable(c, what, ids, add, at)
  const { table, id } = carriers[what]
  if (remove.length > 0)
    await sql`delete from ${table} where org_id = ${c.org.orgId} and ${id} = any(${[...ids]}::uuid[]) and label_id = any(${[...remove]}::uuid[])`.execute(
      c.tx,
    )
  await give(c, what, ids, add)
}

async function give(
  { tx, org }: Tagger,
  what: Labeled,
  ids: readonly string[],
  labelIds: readonly string[],
): Promise<void> {
  if (labelIds.length === 0) return
  const { table, id } = carriers[what]
  await sql`
    insert into ${table} (org_id, ${id}, label_id)
    select ${org.orgId}, p.id, l.id from unnest(${[...ids]}::uuid[]) p(id) cross join unnest(${[...new Set(labelIds)]}::uuid[]) l(id)
    on conflict do nothing`.execute(tx)
}

/** Locks the labels: none of them can be archived or deleted before the transaction ends. */
async function mustBeGivable(
  { tx, org, project }: Tagger,
  what: Labeled,
  ids: readonly string[],
  labelIds: readonly string[],
  at: string,
): Promise<void> {
  if (labelIds.length === 0) return
  const wanted = [...new Set(labelIds)]
  const { rows } = await sql<{ id: string; name: string; state: string }>`
    select id, name, state from label where org_id = ${org.orgId} and project_id = ${project.projectId} and id = any(${wanted}::uuid[]) order by id for share`.execute(
    tx,
  )
  if (rows.length < wanted.length)
    throw fail('NOT_FOUND', { problem: problem('label-gone'), problems: { [at]: [problem('label-gone')] } })
  const archived = rows.filter(({ state }) => state === 'ARCHIVED')
  if (archived.length === 0) return
  const carried = await sql<{ label_id: string }>`
    select label_id from ${carriers[what].table} where org_id = ${org.orgId} and label_id = any(${archived.map(({ id }) => id)}::uuid[]) and ${carriers[what].id} = any(${[...ids]}::uuid[])
    group by label_id having count(*) = ${new Set(ids).size}`.execute(tx)
  const refused = archived.find(({ id }) => !carried.rows.some((row) => row.label_id === id))
  if (refused) throw fail('BAD_INPUT', { problems: { [at]: [problem('label-archived', { name: refused.name })] } })
}
