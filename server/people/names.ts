import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'

/** Names of people and roles by their ids; those that are gone have none. */
export async function namesOf(tx: Tx, orgId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select r.id, r.name from role r where r.org_id = ${orgId} and r.id = any(${[...ids]}::uuid[])
    union all
    select a.id, trim(a.first_name || ' ' || a.last_name) from member m join person a on a.id = m.person_id where m.org_id = ${orgId} and m.person_id = any(${[...ids]}::uuid[])`.execute(
    tx,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** A person as others read of them. */
export async function nameOf(tx: Tx, personId: string, nameless = 'Someone'): Promise<string> {
  const person = await tx
    .selectFrom('person')
    .select(['first_name', 'last_name'])
    .where('id', '=', personId)
    .executeTakeFirst()
  return `${person?.first_name ?? ''} ${person?.last_name ?? ''}`.trim() || nameless
}
