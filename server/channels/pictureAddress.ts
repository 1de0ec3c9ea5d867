import { sql, type RawBuilder } from 'kysely'

/**
 * SQL for the address from which members load a channel's picture, null while none is kept; `table` is the name of the
 * channel's table in the query. A new picture has a new address, so that browsers may keep it.
 */
export const pictureAddress = (table: 'c' | 'ch' | 'channel'): RawBuilder<string | null> => {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql<
    string | null
  >`'/api/' || ${column('org_id')} || '/project/' || ${column('project_id')} || '/social/' || ${column('id')} || '/picture?of=' || right(${column('picture_id')}::text, 12)`
}
