import { expect, test } from 'vitest'
import { builtActions, grantableResources, systemRoles } from '#contract/permissions.ts'
import { actionsOf, listOf, summaryOf } from './roleWords.ts'

test("lists what User can do, and what it can't", () => {
  const { can, looksAt, cannot, cannotSee } = summaryOf(systemRoles.user.permissions)
  expect(can).toEqual(['Create posts; send posts for approval', 'Write internal notes'])
  expect(looksAt).toContain('channels')
  expect(cannot).toContain('Edit, delete and publish posts')
  expect(cannotSee).toEqual([])
})

test('finds nothing missing in Admin', () => {
  expect(summaryOf(systemRoles.admin.permissions)).toMatchObject({ cannot: [], cannotSee: [] })
})

test('shows nothing that a role can have for a role without anything', () => {
  const { can, looksAt, cannot, cannotSee } = summaryOf({})
  expect([can, looksAt, cannot]).toEqual([[], [], []])
  expect(cannotSee).toHaveLength(grantableResources.filter((resource) => builtActions(resource).length > 0).length)
})

test('includes every action that a role grants today', () => {
  for (const resource of grantableResources) {
    for (const action of builtActions(resource)) {
      const { can, looksAt } = summaryOf({ [resource]: [action] })
      expect(can.length + looksAt.length, `${resource} ${action}`).toBe(1)
    }
  }
})

test("leaves out what doesn't exist yet, or belongs to organization admins", () => {
  const text = JSON.stringify(summaryOf(systemRoles.user.permissions))
  for (const word of ['audit', 'projects', 'organization']) expect(text).not.toContain(word)
  expect(summaryOf({ audit: ['view'], publishing: ['view'] })).toMatchObject({
    can: [],
    looksAt: [],
  })
})

test('words what the role can do in the inbox', () => {
  expect(summaryOf({ inbox: ['view'], dm: ['view', 'edit'], comment: ['view'] })).toMatchObject({
    can: ['Assign, label and close direct messages'],
    looksAt: ['comments, mentions and reviews', 'the inbox'],
  })
})

test('says that Editors answer people, and that User does not', () => {
  const answers = ['direct messages', 'comments, mentions and reviews'].map(
    (kind) => `Delete ${kind}; reply to ${kind}; assign, label and close ${kind}`,
  )
  expect(summaryOf(systemRoles.editor.permissions).can).toEqual(expect.arrayContaining(answers))
  expect(summaryOf(systemRoles.admin.permissions).can).toEqual(expect.arrayContaining(answers))
  expect(summaryOf(systemRoles.user.permissions).cannot).toEqual(expect.arrayContaining(answers))
})

test('joins lists', () => {
  expect([listOf([]), listOf(['a']), listOf(['a', 'b']), listOf(['a', 'b', 'c'])]).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ])
})

test('shows viewing first', () => {
  expect(actionsOf('post')).toEqual(['view', 'create', 'edit', 'delete', 'publish', 'needs_approval'])
  expect(actionsOf('user')).toEqual(['view', 'add', 'delete'])
})
