import { describe, expect, it } from 'vitest'
import { allows, customRole, systemRoles, viewFollows } from '#contract/permissions.ts'
import { grantableOf, publishingOf, startOf, withAction, withPublishing } from './choosing.ts'

const admin = systemRoles.admin.permissions
const editor = systemRoles.editor.permissions

describe('the editor of a role', () => {
  it('gives sight along with any other action, and keeps it while one is left', () => {
    const one = withAction({}, 'label', 'edit', true)
    expect(one).toEqual({ label: ['view', 'edit'] })
    expect(viewFollows(one, 'label')).toBe(true)
    expect(withAction(one, 'label', 'view', false)).toEqual(one)
    expect(withAction(one, 'label', 'edit', false)).toEqual({ label: ['view'] })
    expect(withAction({ label: ['view'] }, 'label', 'view', false)).toEqual({})
  })

  it('offers nothing that belongs to the admins of the organization, and nothing that no call asks for', () => {
    expect(grantableOf('organization')).toEqual([])
    expect(grantableOf('channel')).toContain('post')
    expect(grantableOf('channel')).not.toContain('publishing')
  })

  it('offers only what exists today, and keeps what else a role holds', () => {
    for (const resource of ['inbox', 'dm', 'comment', 'canned_response'] as const)
      expect([...grantableOf('channel'), ...grantableOf('project')]).not.toContain(resource)
    expect(grantableOf('channel')).toContain('note')
    const held = startOf({ comment: ['view', 'create'], insights: ['view', 'edit'] })
    expect(withAction(held, 'label', 'edit', true)).toMatchObject({
      comment: ['view', 'create'],
      insights: ['view', 'edit'],
    })
  })

  it('gives sight of the roles along with adding users', () => {
    const adder = withAction({}, 'user', 'add', true)
    expect(adder).toEqual({ role: ['view'], user: ['view', 'add'] })
    expect(withAction(adder, 'role', 'view', false)).toEqual(adder)
    expect(viewFollows(adder, 'role')).toBe(true)
  })

  it('begins with sight of the channels, whatever the role held', () => {
    expect(startOf({})).toEqual({ channel: ['view'] })
    expect(startOf(editor)).toEqual(startOf(startOf(editor)))
    expect(allows(startOf(admin), 'channel', 'delete')).toBe(true)
  })
})

describe('the publishing shortcut', () => {
  it('sets and clears what publishing is about, and nothing else', () => {
    const full = withPublishing({ label: ['view'] }, 'full', admin)
    expect(allows(full, 'post', 'publish') && allows(full, 'queue', 'edit')).toBe(true)
    const none = withPublishing(full, 'none', admin)
    expect(none).toEqual({ label: ['view'], post: ['view'], queue: ['view'] })
  })
  it('never gives more than the own rights', () => {
    expect(allows(withPublishing({}, 'full', systemRoles.user.permissions), 'post', 'publish')).toBe(false)
  })
  it('knows which of the two a role is, or neither', () => {
    expect(publishingOf(editor, admin)).toBe('full')
    expect(publishingOf(customRole(withPublishing({}, 'full', admin)), admin)).toBe('full')
    expect(publishingOf({ post: ['view'], queue: ['view'] }, admin)).toBe('none')
    expect(publishingOf({ post: ['view', 'create'], queue: ['view'] }, admin)).toBeUndefined()
  })
})
