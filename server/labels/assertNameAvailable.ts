import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'

type Place = { tx: Tx; org: { orgId: string }; project: { projectId: string } }

/** What has names in a project's taxonomy, and what people call one. */
const taxonomy = {
  label: 'label',
  campaign: 'campaign',
  hashtag_group: 'hashtag group',
  canned_response: 'canned response',
} as const

/**
 * Refuses (NAME_TAKEN, at `field`) a name that another one of its kind has in the project, ignoring case. Changes of
 * names wait for each other until the transaction ends, so that two can't take the same one.
 */
export async function assertNameAvailable(
  { tx, org, project }: Place,
  table: keyof typeof taxonomy,
  name: string,
  field: string,
  except?: string,
): Promise<void> {
  await tx
    .selectFrom('project')
    .select('id')
    .where('org_id', '=', org.orgId)
    .where('id', '=', project.projectId)
    .forNoKeyUpdate()
    .execute()
  const { rows } = await sql`
    select from ${sql.table(table)} where org_id = ${org.orgId} and project_id = ${project.projectId} and lower(name) = lower(${name}) and id is distinct from ${except ?? null}::uuid`.execute(
    tx,
  )
  const words = `A ${taxonomy[table]} with this name already exists.`
  if (rows.length > 0) throw fail('NAME_TAKEN', { detail: words, errors: { [field]: [words] } })
}
