import { expect, test } from 'vitest'
import { systemRoles } from '#contract/permissions.ts'
import { mayDo } from './permissions.ts'

const { permissions } = systemRoles.user

test('any or all of the wanted actions', () => {
  expect(mayDo(permissions, [['post', 'create'], ['post', 'publish']], 'any')).toBe(true)
  expect(mayDo(permissions, [['post', 'create'], ['post', 'publish']], 'all')).toBe(false)
  expect(mayDo(permissions, [['post', 'create'], ['post', 'needs_approval']], 'all')).toBe(true)
  expect(mayDo({}, [['channel', 'view']], 'any')).toBe(false)
})
