import { describe, expect, it } from 'vitest'
import { allows, noRole, permissionTable, type Resource, resources, systemRoles } from './permissions.ts'

describe('permissions', () => {
  it('Admin may do everything, and whoever has no role may only see', () => {
    for (const resource of resources) {
      for (const action of permissionTable[resource]) {
        expect(allows(systemRoles.admin.permissions, resource, action)).toBe(true)
        expect(allows(noRole, resource, action)).toBe(action === 'view')
      }
    }
  })
  it('Editor works on content and only sees channels and users', () => {
    const editor = systemRoles.editor.permissions
    expect(allows(editor, 'post', 'publish')).toBe(true)
    expect(allows(editor, 'channel', 'create')).toBe(false)
    expect(allows(editor, 'user', 'add')).toBe(false)
    expect(allows(editor, 'workflow', 'approve')).toBe(true)
    expect(allows(editor, 'workflow', 'create')).toBe(false)
  })
  it('User writes posts that need approval and publishes none', () => {
    const user = systemRoles.user.permissions
    expect(allows(user, 'post', 'create')).toBe(true)
    expect(allows(user, 'post', 'needs_approval')).toBe(true)
    expect(allows(user, 'post', 'publish')).toBe(false)
    expect(allows(user, 'post', 'delete')).toBe(false)
  })
  it('an action that the resource does not know is never allowed', () => {
    expect(allows({ label: ['publish'] }, 'label' satisfies Resource, 'publish')).toBe(false)
  })
})
