import { sql, type RawBuilder } from 'kysely'
import { allows, effective, type Action, type Resource } from '#contract/permissions.ts'

/**
 * Whether the person of a query may do something in its project: for statements that look for people, the same answer as
 * `admit` (http/access.ts) gives a caller. Needs `m`, their member row, and, left joined where they may be missing, `pm`,
 * their row in the project, and `r`, its role.
 */
export function memberMay(resource: Resource, action: Action): RawBuilder<boolean> {
  const byRole = sql`coalesce(r.permissions -> ${sql.lit(resource)} ? ${sql.lit(action)}, false)`
  const kept = allows(effective({ [resource]: [action] }, 'none'), resource, action)
  const publishing = kept ? sql`` : sql` and pm.publishing <> 'none'`
  const withoutRole = allows(effective(null, 'full'), resource, action) ? sql`r.id is null or ` : sql``
  return sql`(m.is_admin or (pm.person_id is not null and (${withoutRole}(${byRole}${publishing}))))`
}
