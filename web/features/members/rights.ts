import type { ProjectUser } from '#contract/members.ts'

/** What the caller's own role allows with the project's members. */
export type MemberRights = { add: boolean; remove: boolean; assign: boolean; isOrgAdmin: boolean }

export const rowActions = ['role', 'access', 'makeAdmin', 'takeAdmin', 'leaveProject', 'leaveOrganization'] as const
export type RowAction = (typeof rowActions)[number]

type Row = Pick<ProjectUser, 'isYou' | 'isOrgAdmin' | 'role'>

const OWN = "You can't change or remove your own access. Ask another admin."
const ROLE = "Your role doesn't allow this. Ask a project admin."
const ORG = 'Only organization admins can do this.'
const EVERYWHERE = 'Organization admins are Admins in every project. Remove them as organization admin first.'

/** Which actions a row's menu shows; `whyNot` says whether each is possible. */
export function actionsOf(row: Row, may: MemberRights): RowAction[] {
  return rowActions.filter((action) => {
    if (action === 'makeAdmin') return may.isOrgAdmin && !row.isOrgAdmin
    if (action === 'takeAdmin') return may.isOrgAdmin && row.isOrgAdmin
    return true
  })
}

/** Why the caller can't do this for the row, for its tooltip; undefined if they can. The server decides again. */
export function whyNot(action: RowAction, row: Row, may: MemberRights): string | undefined {
  if (row.isYou) return OWN
  switch (action) {
    case 'role':
      return !may.assign ? ROLE : row.isOrgAdmin ? EVERYWHERE : undefined
    case 'access':
      if (!may.assign) return ROLE
      if (row.isOrgAdmin) return EVERYWHERE
      if (row.role === null) return 'Give this person a role first.'
      return row.role.kind === 'admin' ? 'Project admins can access every channel.' : undefined
    case 'leaveProject':
      return !may.remove ? ROLE : row.isOrgAdmin ? EVERYWHERE : undefined
    case 'makeAdmin':
    case 'takeAdmin':
    case 'leaveOrganization':
    default:
      return may.isOrgAdmin ? undefined : ORG
  }
}

/** "Ana Ruiz", or the address of someone without a name. */
export function nameOf(person: { firstName: string; lastName: string; email: string }): string {
  return `${person.firstName} ${person.lastName}`.trim() || person.email
}
