import { sql, type RawBuilder } from 'kysely'

/**
 * SQL for the URL of a channel's picture, null if there is none; `table` is the channel table's name in the query. A
 * new picture has a new URL, so that browsers can cache it.
 */
export const pictureAddress = (table: 'c' | 'ch' | 'channel'): RawBuilder<string | null> => {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql<
    string | null
  >`'/api/' || ${column('org_id')} || '/project/' || ${column('project_id')} || '/social/' || ${column('id')} || '/picture?of=' || right(${column('picture_id')}::text, 12)`
}
