import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as billing from '#contract/billing.ts'
import { acceptInvite, inviteUsers } from '#contract/invites.ts'
import * as members from '#contract/members.ts'
import { myPermissions } from '#contract/organisations.ts'
import type { Permissions } from '#contract/permissions.ts'
import { PRICE_LIST } from '#contract/priceList.ts'
import * as roles from '#contract/roles.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { runTimeline } from './timeline.ts'

/* Members whom a plan has locked: what is taken from them meanwhile stays taken, and nothing under a lock holds others up. */

let app: TestApp
let home: TestHome
let colleague: TestPerson
beforeAll(async () => {
  app = await startApp({ env: { PAYMENTS: 'local' } })
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  colleague = await app.colleague(home, 'user')
})

const as = {
  get as() {
    return home.person
  },
}
const choose = (userIds: string[]) =>
  app.call(
    billing.keepActive,
    { params: home.params, body: { channelIds: [], userIds, projectIds: [home.projectId] } },
    as,
  )
const lock = () => choose([home.person.personId])
const open = () => choose([home.person.personId, colleague.personId])
const appoint = (isOrgAdmin: boolean) =>
  app.call(members.appointAdmin, { params: { ...home.params, userId: colleague.personId }, body: { isOrgAdmin } }, as)
const customRole = async (permissions: Permissions) =>
  (
    await app.call(
      roles.createRole,
      { params: home.params, body: { name: `Role ${crypto.randomUUID().slice(0, 8)}`, permissions } },
      as,
    )
  ).roleId
const assign = (roleId: string, who = home.person, userId = colleague.personId) =>
  app.call(roles.assignRole, { params: home.params, body: { userId, roleId, channelIds: null } }, { as: who })
const standing = async () => (await app.call(myPermissions, { params: home.params }, { as: colleague })).isOrgAdmin

describe('an admin who is locked', () => {
  beforeEach(async () => {
    await appoint(true)
    expect(await standing()).toBe(true)
    await lock()
  })

  it('and no longer appointed stays none when the lock opens', async () => {
    await appoint(false)
    await open()
    expect(await standing()).toBe(false)
  })

  it('and still appointed is one again', async () => {
    await open()
    expect(await standing()).toBe(true)
  })

  it('and removed comes back as a member, also after the lock', async () => {
    await app.call(members.removeFromOrganisation, { params: { ...home.params, userId: colleague.personId } }, as)
    await app.call(
      inviteUsers,
      { params: home.params, body: { invites: [{ email: colleague.email, role: 'user', publishing: 'full' }] } },
      as,
    )
    const { rows } = await app.database.owner.query<{ id: string }>(
      'select id from invite where org_id = $1 and email = $2',
      [home.orgId, colleague.email],
    )
    await app.call(acceptInvite, { params: { inviteId: rows[0]?.id ?? '' } }, { as: colleague })
    await open()
    expect(await standing()).toBe(false)
  })

  it('is nobody whom a project’s admin may touch', async () => {
    const other = await app.colleague(home, 'admin')
    await expect(assign(home.roles.user, other)).rejects.toMatchObject({ code: 'ORG_ADMIN' })
  })
})

describe('the role of somebody who is locked', () => {
  it('is in use: it cannot be deleted from under the lock', async () => {
    const roleId = await customRole({ post: ['view'] })
    await assign(roleId)
    await lock()
    await expect(app.call(roles.deleteRole, { params: { ...home.params, roleId } }, as)).rejects.toMatchObject({
      code: 'ROLE_IN_USE',
      problem: { meta: { members: 1 } },
    })
    await open()
    expect((await app.call(myPermissions, { params: home.params }, { as: colleague })).roleId).toBe(roleId)
  })

  it('is taken away only by somebody who holds as much', async () => {
    await assign(home.roles.admin)
    const small = await app.colleague(home, 'none')
    await assign(
      await customRole({ user: ['view', 'add', 'delete'], role: ['view', 'assign'], post: ['view'] }),
      home.person,
      small.personId,
    )
    await lock()
    await choose([home.person.personId, small.personId])
    await expect(assign(await customRole({ post: ['view'] }), small)).rejects.toMatchObject({ code: 'ROLE_EXCEEDS' })
    await expect(
      app.call(members.removeFromProject, { params: { ...home.params, userId: colleague.personId } }, { as: small }),
    ).rejects.toMatchObject({ code: 'ROLE_EXCEEDS' })
  })
})

it('a subscription that cannot be renewed holds up no other', async () => {
  const buy = async (one: TestHome) => {
    const { transactionId } = await app.call(
      billing.checkout,
      { params: one.params, body: { basePlanId: 'team', billingInterval: 'monthly', addonQuantity: 0 } },
      { as: one.person },
    )
    await app.call(
      billing.payLocally,
      {
        params: { ...one.params, transactionId },
        body: {
          cardNumber: '4242424242424242',
          expiryMonth: 12,
          expiryYear: 2099,
          securityCode: '123',
          cardholderName: 'Olive Owner',
        },
      },
      { as: one.person },
    )
  }
  const broken = await app.signedInOwner()
  await buy(broken)
  app.clock.advance({ minutes: 1 })
  await buy(home)
  await app.database.owner.query(`update subscription set overdue = '{"nonsense": true}' where org_id = $1`, [
    broken.orgId,
  ])
  app.clock.advance({ days: 32 })
  await runTimeline(app.parts, { prices: PRICE_LIST, seller: { lines: ['Rookery'] }, pays: true })
  const { rows } = await app.database.owner.query(
    'select count(*)::int as n from billing_transaction where org_id = $1 and kind = $2',
    [home.orgId, 'renewal'],
  )
  expect(rows).toEqual([{ n: 1 }])
})
