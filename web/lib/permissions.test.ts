import { expect, test } from 'vitest'
import { systemRoles } from '#contract/permissions.ts'
import { mayDo, permissionsAt, type MyPermissions } from './permissions.ts'

const { permissions } = systemRoles.user

test('allows any or all of the wanted actions', () => {
  expect(
    mayDo(
      permissions,
      [
        ['post', 'create'],
        ['post', 'publish'],
      ],
      'any',
    ),
  ).toBe(true)
  expect(
    mayDo(
      permissions,
      [
        ['post', 'create'],
        ['post', 'publish'],
      ],
      'all',
    ),
  ).toBe(false)
  expect(
    mayDo(
      permissions,
      [
        ['post', 'create'],
        ['post', 'needs_approval'],
      ],
      'all',
    ),
  ).toBe(true)
  expect(mayDo({}, [['channel', 'view']], 'any')).toBe(false)
})

const mine = (channelIds: string[] | null): MyPermissions => ({
  isOrgAdmin: false,
  roleId: null,
  roleName: 'User',
  publishing: 'full',
  channelIds,
  viewOnlyByPlan: null,
  organization: { project: ['view'] },
  project: permissions,
  channel: { one: { post: ['view'] } },
  rights: 'aaaaaaaaaaaa',
})

test('checks each level separately', () => {
  expect(permissionsAt(mine(null))).toEqual(permissions)
  expect(permissionsAt(mine(null), { level: 'organization' })).toEqual({ project: ['view'] })
  expect(permissionsAt(mine(null), { channelId: 'one' })).toEqual({ post: ['view'] })
})

test('treats an unlisted channel like the project for people with all channels, and allows nothing for others', () => {
  expect(permissionsAt(mine(null), { channelId: 'new' })).toEqual(permissions)
  expect(permissionsAt(mine(['one']), { channelId: 'new' })).toEqual({})
})
