import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as billing from '#contract/billing.ts'
import { acceptInvite, inviteUsers } from '#contract/invites.ts'
import { createLabel } from '#contract/labels.ts'
import * as members from '#contract/members.ts'
import { listNotices } from '#contract/notices.ts'
import { home as homeCall, myPermissions } from '#contract/organizations.ts'
import type { Permissions } from '#contract/permissions.ts'
import { PRICE_LIST } from '#contract/priceList.ts'
import * as roles from '#contract/roles.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { runTimeline } from './timeline.ts'

/*
 * Members paused by a plan: what is taken from them in the meantime stays taken, and a paused member blocks no one
 * else.
 */

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

describe('a paused admin', () => {
  beforeEach(async () => {
    await appoint(true)
    expect(await standing()).toBe(true)
    await lock()
  })

  it('who was demoted stays demoted when the pause ends', async () => {
    await appoint(false)
    await open()
    expect(await standing()).toBe(false)
  })

  it('who is still appointed is an admin again', async () => {
    await open()
    expect(await standing()).toBe(true)
  })

  it('who was removed comes back as a member, also after the pause', async () => {
    await app.call(members.removeFromOrganization, { params: { ...home.params, userId: colleague.personId } }, as)
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

  it("can't be changed by a project’s admin", async () => {
    const other = await app.colleague(home, 'admin')
    await expect(assign(home.roles.user, other)).rejects.toMatchObject({ code: 'ORG_ADMIN' })
  })
})

describe("a paused member's role", () => {
  it("is in use: it can't be deleted", async () => {
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

  it('can only be taken away by people who have as much', async () => {
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

describe('a member made view-only by the plan', () => {
  const mine = () => app.call(myPermissions, { params: home.params }, { as: colleague })
  const noticesOf = async (who: TestPerson) =>
    (await app.call(listNotices, { params: home.params, query: { page: 1 } }, { as: who })).notices
  const isMailed = async (who: TestPerson) =>
    (
      await app.database.owner.query(
        "select from notice where person_id = $1 and kind = 'plan-reader' and mail_due_at is not null",
        [who.personId],
      )
    ).rowCount
  const toFree = () => app.call(billing.switchToFree, { params: home.params, body: {} }, as)

  it('is notified in the app and by email, and again when the plan includes them', async () => {
    await toFree()
    expect(await noticesOf(colleague)).toMatchObject([
      {
        kind: 'plan-reader',
        title: 'You can only view My Workspace now',
        body: expect.stringContaining('includes only 1 member.'),
      },
    ])
    expect(await isMailed(colleague)).toBe(1)
    // people who stay are notified about the plan, not about a pause
    expect((await noticesOf(home.person)).map(({ kind }) => kind)).not.toContain('plan-reader')
    await buy(home)
    expect((await noticesOf(colleague)).map(({ kind }) => kind)).toContain('plan-member')
    expect(await mine()).toMatchObject({ viewOnlyByPlan: null, roleName: 'User' })
  })

  it('reads the real reason, and whom to ask, in their permissions and in refusals', async () => {
    const write = () =>
      app.call(createLabel, { params: home.params, body: { labelName: 'Spring', color: 'blue' } }, { as: colleague })
    await expect(write()).rejects.toMatchObject({
      code: 'FORBIDDEN',
      problem: { detail: "Your role doesn't allow this. Ask a project admin." },
    })
    await toFree()
    expect(await mine()).toMatchObject({ viewOnlyByPlan: { members: 1, admins: ['Olive Owner'], wasOrgAdmin: false } })
    const detail = expect.stringContaining("because the organization's plan includes only 1 member. Ask an admin")
    await expect(write()).rejects.toMatchObject({ code: 'FORBIDDEN', problem: { detail } })
    // an admin's call, which their role wouldn't allow either, unless they were one
    const administer = () => app.call(billing.switchToFree, { params: home.params, body: {} }, { as: colleague })
    await expect(administer()).rejects.toMatchObject({
      problem: { detail: expect.stringContaining('Only organization admins') },
    })
    await appoint(true)
    await expect(administer()).rejects.toMatchObject({ code: 'FORBIDDEN', problem: { detail } })
  })

  it('still sees every project if they were an organization admin without a role in it', async () => {
    await appoint(true)
    await app.database.owner.query('delete from project_member where person_id = $1', [colleague.personId])
    await toFree()
    expect(await mine()).toMatchObject({ isOrgAdmin: false, roleId: null, viewOnlyByPlan: { members: 1 } })
    const { organizations } = await app.call(homeCall, {}, { as: colleague })
    expect(organizations[0]?.projects.map(({ projectId }) => projectId)).toEqual([home.projectId])
  })

  it('is listed with their own role, and marked', async () => {
    await appoint(true)
    const editor = await app.colleague(home, 'editor')
    await toFree()
    const { users } = await app.call(members.listUsers, { params: home.params, query: {} }, as)
    const roleOf = (userId: string) => users.find((one) => one.userId === userId)
    expect(roleOf(editor.personId)).toMatchObject({
      role: { kind: 'editor' },
      planLocked: true,
      publishes: 'none',
      isOrgAdmin: false,
    })
    expect(roleOf(colleague.personId)).toMatchObject({ role: { kind: 'admin' }, planLocked: true, isOrgAdmin: true })
    expect(roleOf(home.person.personId)).toMatchObject({ planLocked: false })
    const ofOrg = await app.call(members.listOrgUsers, { params: { orgId: home.orgId }, query: {} }, as)
    expect(ofOrg.users.find(({ userId }) => userId === editor.personId)).toMatchObject({
      planLocked: true,
      projects: [{ roleName: 'Editor' }],
    })
  })
})

async function buy(one: TestHome): Promise<void> {
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

it("a subscription that can't be renewed doesn't block others", async () => {
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
