import { describe, expect, it } from 'vitest'
import { allows, builtActions, customRole, systemRoles, viewFollows } from '#contract/permissions.ts'
import { grantableOf, publishingOf, startOf, withAction, withPublishing } from './choosing.ts'

const admin = systemRoles.admin.permissions
const editor = systemRoles.editor.permissions

describe('the role editor', () => {
  it('adds viewing along with any other action, and keeps it while one is left', () => {
    const one = withAction({}, 'label', 'edit', true)
    expect(one).toEqual({ label: ['view', 'edit'] })
    expect(viewFollows(one, 'label')).toBe(true)
    expect(withAction(one, 'label', 'view', false)).toEqual(one)
    expect(withAction(one, 'label', 'edit', false)).toEqual({ label: ['view'] })
    expect(withAction({ label: ['view'] }, 'label', 'view', false)).toEqual({})
  })

  it('offers nothing that belongs to organization admins, and nothing that no call checks', () => {
    expect(grantableOf('organization')).toEqual([])
    expect(grantableOf('channel')).toContain('post')
    expect(grantableOf('channel')).not.toContain('publishing')
  })

  it("offers only what exists today, and keeps a role's other permissions", () => {
    const offered = [...grantableOf('channel'), ...grantableOf('project')]
    expect(offered).toEqual(expect.arrayContaining(['note', 'inbox', 'dm', 'comment', 'canned_response']))
    expect(builtActions('insights')).toEqual(['view', 'create', 'edit', 'delete'])
    expect(builtActions('publishing')).not.toContain('view')
    const held = startOf({ comment: ['view', 'create'], insights: ['view', 'edit'] })
    expect(withAction(held, 'label', 'edit', true)).toMatchObject({
      comment: ['view', 'create'],
      insights: ['view', 'edit'],
    })
  })

  it('adds viewing roles along with adding users', () => {
    const adder = withAction({}, 'user', 'add', true)
    expect(adder).toEqual({ role: ['view'], user: ['view', 'add'] })
    expect(withAction(adder, 'role', 'view', false)).toEqual(adder)
    expect(viewFollows(adder, 'role')).toBe(true)
  })

  it('adds viewing the inbox along with messages and comments, and keeps it while one is left', () => {
    const both = withAction(withAction({}, 'comment', 'create', true), 'dm', 'view', true)
    expect(both).toEqual({ inbox: ['view'], dm: ['view'], comment: ['view', 'create'] })
    expect(withAction(both, 'inbox', 'view', false)).toEqual(both)
    const without = withAction(withAction(both, 'comment', 'create', false), 'comment', 'view', false)
    expect(withAction(without, 'inbox', 'view', false)).toEqual(without)
    const none = withAction(without, 'dm', 'view', false)
    expect(withAction(none, 'inbox', 'view', false)).toEqual({})
  })

  it('starts with viewing channels, whatever the role had', () => {
    expect(startOf({})).toEqual({ channel: ['view'] })
    expect(startOf(editor)).toEqual(startOf(startOf(editor)))
    expect(allows(startOf(admin), 'channel', 'delete')).toBe(true)
  })
})

describe('the publishing shortcut', () => {
  it('sets and clears publishing permissions, and nothing else', () => {
    const full = withPublishing({ label: ['view'] }, 'full', admin)
    expect(allows(full, 'post', 'publish') && allows(full, 'queue', 'edit')).toBe(true)
    const none = withPublishing(full, 'none', admin)
    expect(none).toEqual({ label: ['view'], post: ['view'], queue: ['view'] })
  })
  it('never grants more than the person has', () => {
    expect(allows(withPublishing({}, 'full', systemRoles.user.permissions), 'post', 'publish')).toBe(false)
  })
  it('recognizes which of the two a role is, or neither', () => {
    expect(publishingOf(editor, admin)).toBe('full')
    expect(publishingOf(customRole(withPublishing({}, 'full', admin)), admin)).toBe('full')
    expect(publishingOf({ post: ['view'], queue: ['view'] }, admin)).toBe('none')
    expect(publishingOf({ post: ['view', 'create'], queue: ['view'] }, admin)).toBeUndefined()
  })
})
