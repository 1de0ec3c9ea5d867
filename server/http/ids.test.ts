import { afterAll, beforeAll, expect, it } from 'vitest'
import { appointAdmin, removeFromOrganization, removeFromProject } from '#contract/members.ts'
import { assignRole } from '#contract/roles.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

/* An id is the same in any spelling: PostgreSQL compares UUIDs by value, our own comparisons compare text. */

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

it('keeps the last admin, also under an id in capitals', async () => {
  const { person, orgId } = await app.signedInOwner()
  const params = { orgId, userId: person.personId.toUpperCase() }
  await expect(app.call(appointAdmin, { params, body: { isOrgAdmin: false } }, { as: person })).rejects.toMatchObject({
    code: 'LAST_ADMIN',
  })
  await expect(app.call(removeFromOrganization, { params }, { as: person })).rejects.toMatchObject({
    code: 'OWN_ACCESS',
  })
  const { rows } = await app.database.owner.query(
    'select person_id from member where org_id = $1 and is_admin and removed_at is null',
    [orgId],
  )
  expect(rows).toEqual([{ person_id: person.personId }])
})

it('keeps people from changing or removing their own access under another spelling of their id', async () => {
  const home = await app.signedInOwner()
  const other = await app.colleague(home, 'admin')
  const userId = other.personId.toUpperCase()
  await expect(
    app.call(removeFromProject, { params: { ...home.params, userId } }, { as: other }),
  ).rejects.toMatchObject({ code: 'OWN_ACCESS' })
  const body = { userId, roleId: home.roles.user, channelIds: null }
  await expect(app.call(assignRole, { params: home.params, body }, { as: other })).rejects.toMatchObject({
    code: 'OWN_ACCESS',
  })
})
