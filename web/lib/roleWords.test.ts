import { expect, test } from 'vitest'
import { builtActions, grantableResources, systemRoles } from '#contract/permissions.ts'
import { actionsOf, listOf, summaryOf } from './roleWords.ts'

test('what User can do, and what not', () => {
  const { can, looksAt, cannot, cannotSee } = summaryOf(systemRoles.user.permissions)
  expect(can).toEqual(['Create posts; send posts for approval', 'Write internal notes'])
  expect(looksAt).toContain('channels')
  expect(cannot).toContain('Edit, delete and publish posts')
  expect(cannotSee).toEqual([])
})

test('Admin lacks nothing', () => {
  expect(summaryOf(systemRoles.admin.permissions)).toMatchObject({ cannot: [], cannotSee: [] })
})

test('a role without anything sees nothing that a role can hold', () => {
  const { can, looksAt, cannot, cannotSee } = summaryOf({})
  expect([can, looksAt, cannot]).toEqual([[], [], []])
  expect(cannotSee).toHaveLength(grantableResources.filter((resource) => builtActions(resource).length > 0).length)
})

test('every action that a role gives today is in one of the lines', () => {
  for (const resource of grantableResources) {
    for (const action of builtActions(resource)) {
      const { can, looksAt } = summaryOf({ [resource]: [action] })
      expect(can.length + looksAt.length, `${resource} ${action}`).toBe(1)
    }
  }
})

test('nothing is listed that does not exist yet, or that only admins of the organization may do', () => {
  const text = JSON.stringify(summaryOf(systemRoles.user.permissions))
  for (const word of ['reply', 'audit', 'projects', 'organization'])
    expect(text).not.toContain(word)
  expect(summaryOf({ dm: ['create'], audit: ['view'], insights: ['edit'] })).toMatchObject({
    can: [],
    looksAt: [],
  })
})

test('what can be done in the inbox is said in words', () => {
  expect(summaryOf({ inbox: ['view'], dm: ['view', 'edit'], comment: ['view'] })).toMatchObject({
    can: ['Assign, label and close direct messages'],
    looksAt: ['comments, mentions and reviews', 'the inbox'],
  })
})

test('lists', () => {
  expect([listOf([]), listOf(['a']), listOf(['a', 'b']), listOf(['a', 'b', 'c'])]).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ])
})

test('actions are shown with looking first', () => {
  expect(actionsOf('post')).toEqual(['view', 'create', 'edit', 'delete', 'publish', 'needs_approval'])
  expect(actionsOf('user')).toEqual(['view', 'add', 'delete'])
})
