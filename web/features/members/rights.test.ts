import { describe, expect, it } from 'vitest'
import { actionsOf, nameOf, rowActions, whyNot, type MemberRights } from './rights.ts'

const role = { roleId: '0190a000-0000-7000-8000-000000000001', name: 'Editor', kind: 'editor' as const }
const colleague = { isYou: false, isOrgAdmin: false, role }
const orgAdmin: MemberRights = { add: true, remove: true, assign: true, isOrgAdmin: true }
const projectAdmin: MemberRights = { ...orgAdmin, isOrgAdmin: false }
const editor: MemberRights = { add: false, remove: false, assign: false, isOrgAdmin: false }
const possible = (row: typeof colleague, may: MemberRights) =>
  actionsOf(row, may).filter((action) => whyNot(action, row, may) === undefined)

describe('the actions for a member', () => {
  it('allow an organization admin everything for a colleague', () => {
    expect(possible(colleague, orgAdmin)).toEqual(['role', 'access', 'makeAdmin', 'leaveProject', 'leaveOrganization'])
  })
  it("don't let a project admin appoint, or remove from the organization", () => {
    expect(possible(colleague, projectAdmin)).toEqual(['role', 'access', 'leaveProject'])
    expect(actionsOf(colleague, projectAdmin)).not.toContain('makeAdmin')
    expect(actionsOf(colleague, projectAdmin)).toContain('leaveOrganization')
  })
  it('are all disabled for an editor, with the reason', () => {
    expect(possible(colleague, editor)).toEqual([])
    expect(whyNot('leaveProject', colleague, editor)).toContain('role')
  })
  it('let nobody change or remove themselves', () => {
    for (const action of rowActions)
      expect(whyNot(action, { ...colleague, isYou: true }, orgAdmin)).toContain('own access')
  })
  it('keep an organization admin Admin of the project until that ends', () => {
    expect(possible({ ...colleague, isOrgAdmin: true }, orgAdmin)).toEqual(['takeAdmin', 'leaveOrganization'])
  })
  it("include channels once the role is known and doesn't have all of them", () => {
    expect(whyNot('access', { ...colleague, role: null }, orgAdmin)).toBe('Give this person a role first.')
    expect(whyNot('access', { ...colleague, role: { ...role, kind: 'admin' } }, orgAdmin)).toBe(
      'Project admins can access every channel.',
    )
  })
})

it("use people's names", () => {
  expect(nameOf({ firstName: 'Ana', lastName: '', email: 'ana@example.org' })).toBe('Ana')
  expect(nameOf({ firstName: '', lastName: '', email: 'ana@example.org' })).toBe('ana@example.org')
})
