import type { Tx } from '../db/kysely.ts'

/** A colleague's full name, for an email. */
export async function nameOf(tx: Tx, personId: string): Promise<string> {
  const person = await tx
    .selectFrom('person')
    .select(['first_name', 'last_name'])
    .where('id', '=', personId)
    .executeTakeFirst()
  return `${person?.first_name ?? ''} ${person?.last_name ?? ''}`.trim() || 'An admin'
}
