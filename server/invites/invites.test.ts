import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteOrganization, keepOrganization } from '#contract/dataRights.ts'
import { verifyCode } from '#contract/identity.ts'
import {
  acceptInvite,
  declineInvite,
  inviteUsers,
  listInvites,
  readInvite,
  resendInvite,
  revokeInvite,
} from '#contract/invites.ts'
import {
  addUser,
  appointAdmin,
  leaveOrganization,
  removeFromOrganization,
  removeFromProject,
} from '#contract/members.ts'
import { home as homeCall, myPermissions, plan } from '#contract/organizations.ts'
import { customRole, systemRoles } from '#contract/permissions.ts'
import { changeEmail } from '#contract/profile.ts'
import { assignRole, deleteRole } from '#contract/roles.ts'
import { asSystem } from '../db/system.ts'
import { inTransaction } from '../db/transaction.ts'
import { contentOn } from '../testing/content.ts'
import { openEvents } from '../testing/events.ts'
import { TEST_PASSWORD, type TestHome, type TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn, type Team } from '../testing/team.ts'
import { until } from '../testing/until.ts'
import { countSeats } from '../members/seats.ts'
import { acceptInvite as accept } from './accept.ts'
import { inviteById, openInvitesOf } from './access.ts'

let app: TestApp
let team: Team
let channel: ReturnType<typeof contentOn>['channel']
let address: string
beforeAll(async () => {
  app = await startApp()
  team = teamOn(app)
  channel = contentOn(app.parts).channel
  address = await app.listen()
})
afterAll(() => app.close())

type Row = {
  email: string
  role?: 'admin' | 'editor' | 'user'
  roleId?: string
  channelIds?: string[] | null
  publishing?: 'full' | 'none'
}
const invite = (home: TestHome, invites: Row[], as: TestPerson = home.person) =>
  app.call(
    inviteUsers,
    { params: home.params, body: { invites: invites.map((row) => ({ role: 'user' as const, ...row })) } },
    { as },
  )
const inviteOne = async (
  home: TestHome,
  email: string,
  row: Omit<Row, 'email'> = {},
  as?: TestPerson,
): Promise<string> => (await invite(home, [{ email, ...row }], as)).inviteIds[0] ?? ''
const enter = (inviteId: string, as: TestPerson) => app.call(acceptInvite, { params: { inviteId } }, { as })
const decline = (inviteId: string, as: TestPerson) => app.call(declineInvite, { params: { inviteId } }, { as })
const resend = (home: TestHome, inviteId: string, as: TestPerson = home.person) =>
  app.call(resendInvite, { params: { ...home.params, inviteId } }, { as })
const revoke = (home: TestHome, inviteId: string, as: TestPerson = home.person) =>
  app.call(revokeInvite, { params: { ...home.params, inviteId } }, { as })
const open = async (home: TestHome, as: TestPerson = home.person) =>
  (await app.call(listInvites, { params: home.params }, { as })).invites
const look = (inviteId: string, remoteAddress?: string) =>
  app.call(readInvite, { params: { inviteId } }, remoteAddress ? { remoteAddress } : {})
const mailsTo = (email: string) => app.outbox.filter(({ to }) => to === email)
const someAddress = () => `${randomUUID().slice(0, 8)}@example.org`
const failure = async (home: TestHome, invites: Row[], as: TestPerson = home.person) =>
  (
    await app.send(
      inviteUsers,
      { params: home.params, body: { invites: invites.map((row) => ({ role: 'user', ...row })) } },
      { as },
    )
  ).json<{ code: string; detail: string; errors?: Record<string, string[]>; meta?: unknown }>()

describe('inviting', () => {
  it('refuses specific channels for the role Admin, which has all of them', async () => {
    const home = await app.signedInOwner()
    const one = await channel(home)
    expect(await failure(home, [{ email: someAddress(), role: 'admin', channelIds: [one] }])).toMatchObject({
      code: 'BAD_INPUT',
      errors: { 'invites.0.channelIds': [expect.stringMatching(/^Admins can access all channels/)] },
    })
    expect(await open(home)).toEqual([])
  })

  it('emails each address a link, and lists the invitations', async () => {
    const home = await app.signedInOwner()
    const one = await channel(home, { handle: '@one.example' })
    const [first, second] = [someAddress(), someAddress()]
    const done = await invite(home, [
      { email: ` ${first.toUpperCase()}`, role: 'editor', channelIds: [one], publishing: 'none' },
      { email: second, role: 'admin' },
    ])
    expect(done.message).toBe('Users Invited Successfully')
    expect(done.inviteIds).toHaveLength(2)
    const [letter] = mailsTo(first)
    expect(letter?.subject).toMatch(/^Olive Owner invites you to Project /)
    expect(letter?.text).toContain(`http://rookery.test/invite?inviteId=${done.inviteIds[0]}`)
    expect(letter?.text).toContain('Editor')
    const listed = await open(home)
    expect(listed).toHaveLength(2)
    expect(listed.find(({ email }) => email === first)).toEqual({
      inviteId: done.inviteIds[0],
      email: first,
      role: { roleId: home.roles.editor, name: 'Editor', kind: 'editor' },
      publishing: 'none',
      publishes: 'none',
      channels: [
        {
          channelId: one,
          channelName: 'one.example',
          platformName: 'bluesky',
          handle: '@one.example',
          profileUrl: null,
        },
      ],
      moreChannels: 0,
      invitedBy: 'Olive Owner',
      sentAt: '2026-11-21T10:00:00.000Z',
      expiresAt: '2026-11-28T10:00:00.000Z',
      state: 'open',
      link: `http://rookery.test/invite?inviteId=${done.inviteIds[0]}`,
    })
    // Admin has every channel
    expect(listed.find(({ email }) => email === second)).toMatchObject({ channels: null, role: { kind: 'admin' } })
    expect(await team.lastAudit(home)).toMatchObject({ action: 'invited', entity: 'invite' })
  })

  it('completes "Add a member" on the setup card', async () => {
    const home = await app.signedInOwner()
    const isDone = async () =>
      (await app.call(homeCall, {}, { as: home.person })).user.setupProgress.features.find(
        ({ feature }) => feature === 'ADD_NEW_MEMBER',
      )?.isCompleted
    expect(await isDone()).toBe(false)
    await inviteOne(home, someAddress())
    expect(await isDone()).toBe(true)
  })

  it('is all or none: every problem is reported at its row and field, and no one is emailed', async () => {
    const home = await app.signedInOwner()
    const [one, elsewhere] = [await channel(home), await app.signedInOwner()]
    const foreign = await channel(elsewhere)
    const [good, member] = [someAddress(), await app.colleague(home, 'user')]
    const answer = await failure(home, [
      { email: good },
      { email: member.email },
      { email: good.toUpperCase() },
      { email: someAddress(), channelIds: [one, foreign] },
      { email: someAddress(), roleId: elsewhere.roles.user },
      { email: home.person.email },
    ])
    expect(answer).toMatchObject({
      code: 'ALREADY_MEMBER',
      errors: {
        'invites.1.email': ['This person is already in the project.'],
        'invites.2.email': ['This address is listed more than once.'],
        'invites.3.channelIds': ["This channel doesn't exist, or you don't have access to it."],
        'invites.4.role': ["This doesn't exist, or you don't have access to it."],
        'invites.5.email': ['This person is already in the project.'],
      },
    })
    expect(Object.keys(answer.errors ?? {})).toHaveLength(5)
    expect(await failure(home, [{ email: 'nonsense' }, { email: '' }])).toMatchObject({
      code: 'BAD_INPUT',
      errors: { 'invites.0.email': ['Invalid email'], 'invites.1.email': ['Email is required'] },
    })
    expect(await failure(home, [])).toMatchObject({ code: 'BAD_INPUT', errors: { invites: ['Enter an email'] } })
    expect(await failure(home, [{ email: good, channelIds: [] }])).toMatchObject({
      errors: { 'invites.0.channelIds': ['Choose at least one channel'] },
    })
    expect(await open(home)).toEqual([])
    expect(mailsTo(good)).toEqual([])
  })

  it('grants no more than the inviter has', async () => {
    const home = await app.signedInOwner()
    const [one, two] = [await channel(home), await channel(home)]
    const chief = await team.holder(home, { user: ['add'], post: ['create'] }, { channelIds: [one] })
    const roleId = await team.role(home, { post: ['create'] })
    for (const role of ['admin', 'editor', 'user'] as const)
      expect(await failure(home, [{ email: someAddress(), role, channelIds: [one] }], chief)).toMatchObject({
        code: 'ROLE_EXCEEDS',
      })
    expect(await failure(home, [{ email: someAddress(), roleId }], chief)).toMatchObject({
      code: 'ROLE_EXCEEDS',
      errors: { 'invites.0.channelIds': ['Choose from your channels.'] },
    })
    expect(await failure(home, [{ email: someAddress(), roleId, channelIds: [one, two] }], chief)).toMatchObject({
      code: 'BAD_INPUT',
    })
    const own = await inviteOne(home, someAddress(), { roleId, channelIds: [one] }, chief)
    const above = someAddress()
    const wide = await inviteOne(home, above, { role: 'editor' })
    // what they couldn't grant, they can't resend, withdraw or replace either; and of its channels they see their own
    await expect(resend(home, wide, chief)).rejects.toMatchObject({ code: 'ROLE_EXCEEDS' })
    await expect(revoke(home, wide, chief)).rejects.toMatchObject({ code: 'ROLE_EXCEEDS' })
    expect(await failure(home, [{ email: above, roleId, channelIds: [one] }], chief)).toMatchObject({
      code: 'ROLE_EXCEEDS',
    })
    const both = await inviteOne(home, someAddress(), { roleId, channelIds: [one, two] })
    expect((await open(home, chief)).find(({ inviteId }) => inviteId === both)).toMatchObject({
      channels: [{ channelId: one }],
      moreChannels: 1,
    })
    await revoke(home, own, chief)
  })

  it("again replaces the address's open invitation: the old link stops working", async () => {
    const home = await app.signedInOwner()
    const guest = await app.person()
    const old = await inviteOne(home, guest.email, { role: 'user' })
    const fresh = await inviteOne(home, guest.email, { role: 'editor' })
    expect(fresh).not.toBe(old)
    expect((await open(home)).map(({ inviteId }) => inviteId)).toEqual([fresh])
    await expect(enter(old, guest)).rejects.toMatchObject({ code: 'INVITE_REVOKED' })
    await enter(fresh, guest)
    expect((await app.call(myPermissions, { params: home.params }, { as: guest })).roleName).toBe('Editor')
  })

  it("notifies open screens, without the invitation's ID: by that anyone could read to whom it was sent", async () => {
    const home = await app.signedInOwner()
    const ours = await openEvents(address, home.params, home.person)
    await until(() => ours.messages.length > 0)
    const inviteId = await inviteOne(home, someAddress())
    await app.call(revokeInvite, { params: { ...home.params, inviteId } }, { as: home.person })
    await until(() => ours.changes().length === 2)
    expect(ours.changes()).toEqual(Array.from({ length: 2 }, () => ({ kind: 'member', ref: home.projectId })))
    ours.close()
  })
})

describe('seats', () => {
  it('are used by members and open invitations, each person once, with none for members', async () => {
    const home = await app.signedInOwner()
    const second = await app.project(home.orgId, home.person)
    const other = { ...home, projectId: second.projectId, params: { orgId: home.orgId, projectId: second.projectId } }
    const colleague = await app.colleague(home, 'user')
    const guest = someAddress()
    const used = async () => (await app.call(plan, { params: { orgId: home.orgId } }, { as: home.person })).currentUsers
    await inviteOne(home, guest)
    await inviteOne(other, guest)
    await inviteOne(other, colleague.email)
    expect(await used()).toBe(3)
    await team.plan(home, 'free')
    expect(await failure(home, [{ email: someAddress() }])).toMatchObject({
      code: 'PLAN_LIMIT',
      detail: 'Your plan includes one user.',
      meta: { gate: 'users' },
    })
    // people who have a seat, in a plan that has become too small
    await inviteOne(other, colleague.email)
    await inviteOne(home, guest)
    expect(await used()).toBe(3)
  })

  it('are counted again when accepting: the plan may have become smaller', async () => {
    const home = await app.signedInOwner()
    const guest = await app.person()
    const inviteId = await inviteOne(home, guest.email)
    await team.plan(home, 'individual')
    await expect(enter(inviteId, guest)).rejects.toMatchObject({
      code: 'PLAN_LIMIT',
      problem: { meta: { gate: 'users' } },
    })
    expect(await open(home)).toHaveLength(1)
    expect((await app.call(homeCall, {}, { as: guest })).organizations).toEqual([])
    await team.plan(home, 'team')
    await enter(inviteId, guest)
  })

  it('are counted again when resending an expired invitation', async () => {
    const late = await startApp()
    const home = await late.signedInOwner()
    const { inviteIds } = await late.call(
      inviteUsers,
      { params: home.params, body: { invites: [{ email: someAddress(), role: 'user' }] } },
      { as: home.person },
    )
    const params = { ...home.params, inviteId: inviteIds[0] ?? '' }
    await teamOn(late).plan(home, 'individual')
    await late.call(resendInvite, { params }, { as: home.person })
    late.clock.advance({ days: 7 })
    expect((await late.call(listInvites, { params: home.params }, { as: home.person })).invites).toMatchObject([
      { state: 'expired' },
    ])
    await expect(late.call(resendInvite, { params }, { as: home.person })).rejects.toMatchObject({ code: 'PLAN_LIMIT' })
    await late.close()
  })
})

describe('an invitation', () => {
  it('shows anyone with its link what it is for, and nothing else', async () => {
    const home = await app.signedInOwner()
    const email = someAddress()
    const inviteId = await inviteOne(home, email, { role: 'editor' })
    const { name } = (await app.database.owner.query('select name from project where id = $1', [home.projectId]))
      .rows[0]
    expect(await look(inviteId)).toEqual({
      email,
      orgName: 'My Workspace',
      projectName: name,
      roleName: 'Editor',
      invitedBy: 'Olive Owner',
      state: 'open',
    })
    await revoke(home, inviteId)
    expect(await look(inviteId)).toMatchObject({ state: 'revoked' })
    for (const unknown of [randomUUID(), inviteId.slice(0, 20), "1' or '1'='1"])
      await expect(look(unknown)).rejects.toMatchObject({
        code: 'INVITE_NOT_FOUND',
        problem: { detail: "Can't accept invite" },
      })
  })

  it("can't be guessed: wrong ids are counted per client, even for people with a session; right ones aren't", async () => {
    const home = await app.signedInOwner()
    const inviteId = await inviteOne(home, someAddress())
    const from = '203.0.113.77'
    for (let i = 0; i < 40; i++) await look(inviteId, from)
    for (let i = 0; i < 30; i++)
      await expect(look(randomUUID(), from)).rejects.toMatchObject({ code: 'INVITE_NOT_FOUND' })
    await expect(look(randomUUID(), from)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    // the guesses of one don't take their invitations from others behind the same address
    expect(await look(inviteId, from)).toMatchObject({ state: 'open' })
    await expect(
      app.call(acceptInvite, { params: { inviteId: randomUUID() } }, { as: home.person, remoteAddress: from }),
    ).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(await look(inviteId, '203.0.113.78')).toMatchObject({ state: 'open' })
  })

  it('is resent with 7 new days, once a minute and 5 times a day', async () => {
    const late = await startApp()
    const home = await late.signedInOwner()
    const email = someAddress()
    const { inviteIds } = await late.call(
      inviteUsers,
      { params: home.params, body: { invites: [{ email, role: 'user' }] } },
      { as: home.person },
    )
    const again = () =>
      late.call(resendInvite, { params: { ...home.params, inviteId: inviteIds[0] ?? '' } }, { as: home.person })
    await again()
    await expect(again()).rejects.toMatchObject({ code: 'RATE_LIMITED', problem: { meta: { retryAfterSeconds: 60 } } })
    for (let i = 0; i < 4; i++) {
      late.clock.advance({ minutes: 1 })
      await again()
    }
    late.clock.advance({ minutes: 1 })
    await expect(again()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(late.outbox.filter(({ to }) => to === email)).toHaveLength(6)
    const [listed] = (await late.call(listInvites, { params: home.params }, { as: home.person })).invites
    expect(listed).toMatchObject({ sentAt: '2026-11-21T10:04:00.000Z', expiresAt: '2026-11-28T10:04:00.000Z' })
    late.clock.advance({ days: 8 })
    await again()
    expect((await late.call(listInvites, { params: home.params }, { as: home.person })).invites).toMatchObject([
      { state: 'open' },
    ])
    await late.close()
  })

  it('is one of at most 100 emails a day of its organization', async () => {
    const home = await app.signedInOwner()
    for (let i = 0; i < 5; i++)
      await invite(
        home,
        Array.from({ length: 20 }, () => ({ email: someAddress() })),
      )
    const email = someAddress()
    expect(await failure(home, [{ email }])).toMatchObject({ code: 'RATE_LIMITED' })
    expect(mailsTo(email)).toEqual([])
    expect(await open(home)).toHaveLength(100)
  })

  it("is one of few emails to its address, however often it's created again", async () => {
    const home = await app.signedInOwner()
    const email = someAddress()
    for (let i = 0; i < 10; i++) await inviteOne(home, email)
    expect(await failure(home, [{ email }])).toMatchObject({ code: 'RATE_LIMITED' })
    expect(await open(home)).toHaveLength(1)
  })

  it('is one of few emails from one person to its address, from any number of organizations', async () => {
    const home = await app.signedInOwner()
    const orgId = await app.organization(home.person, 'Second')
    const second = { ...home, orgId, ...(await app.project(orgId, home.person)) }
    const other = { ...second, params: { orgId, projectId: second.projectId } }
    const email = someAddress()
    for (let i = 0; i < 6; i++) await inviteOne(home, email)
    for (let i = 0; i < 4; i++) await inviteOne(other, email)
    expect(await failure(other, [{ email }])).toMatchObject({ code: 'RATE_LIMITED' })
    expect(mailsTo(email)).toHaveLength(10)
    // someone else may still invite them
    await inviteOne(await app.signedInOwner(), email)
  })

  it('is withdrawn once, and its link stops working', async () => {
    const home = await app.signedInOwner()
    const guest = await app.person()
    const inviteId = await inviteOne(home, guest.email)
    await revoke(home, inviteId)
    expect(await team.lastAudit(home)).toMatchObject({ action: 'revoked', entity_id: inviteId })
    await expect(revoke(home, inviteId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(resend(home, inviteId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(enter(inviteId, guest)).rejects.toMatchObject({ code: 'INVITE_REVOKED' })
  })

  it("doesn't keep its role from being deleted once it has ended; an open one does", async () => {
    const late = await startApp()
    const lateTeam = teamOn(late)
    const home = await late.signedInOwner()
    const guest = await late.person()
    const role = async () => await lateTeam.role(home, { post: ['create'] })
    const [used, left] = [await role(), await role()]
    const send = async (email: string, roleId: string) =>
      (
        await late.call(
          inviteUsers,
          { params: home.params, body: { invites: [{ email, role: 'user', roleId }] } },
          { as: home.person },
        )
      ).inviteIds[0] ?? ''
    const drop = (roleId: string) => late.call(deleteRole, { params: { ...home.params, roleId } }, { as: home.person })
    const accepted = await send(guest.email, used)
    const waiting = await send(someAddress(), left)
    await late.call(acceptInvite, { params: { inviteId: accepted } }, { as: guest })
    await lateTeam.give(home, guest, { roleId: home.roles.user })
    await drop(used)
    await late.call(acceptInvite, { params: { inviteId: accepted } }, { as: guest })
    await expect(drop(left)).rejects.toMatchObject({
      code: 'ROLE_IN_USE',
      problem: { meta: { members: 0, invites: 1 } },
    })
    late.clock.advance({ days: 7 })
    await drop(left)
    expect(await late.call(readInvite, { params: { inviteId: waiting } }, {})).toMatchObject({
      state: 'revoked',
      roleName: '',
    })
    await late.close()
  })
})

describe('an invitation into an organization that is being deleted', () => {
  it('is offered to no one and leads nowhere unless the deletion is canceled', async () => {
    const home = await app.signedInOwner()
    const guest = await app.person()
    const inviteId = await inviteOne(home, guest.email)
    const offered = async () => (await app.call(homeCall, {}, { as: guest })).invites.length
    expect(await offered()).toBe(1)
    await app.call(deleteOrganization, { params: home.params }, { as: home.person })
    expect(await offered()).toBe(0)
    expect(await look(inviteId)).toMatchObject({ state: 'revoked' })
    await expect(enter(inviteId, guest)).rejects.toMatchObject({ code: 'INVITE_REVOKED' })
    await app.call(keepOrganization, { params: home.params, body: {} }, { as: home.person })
    expect(await offered()).toBe(1)
    await enter(inviteId, guest)
  })
})

describe('accepting', () => {
  it('adds the person to the project with role, channels and publishing, and home leads there', async () => {
    const home = await app.signedInOwner()
    const one = await channel(home)
    const guest = await app.person()
    const inviteId = await inviteOne(home, guest.email, { role: 'editor', channelIds: [one], publishing: 'none' })
    expect((await app.call(homeCall, {}, { as: guest })).invites).toMatchObject([
      {
        inviteId,
        orgName: 'My Workspace',
        roleName: 'Editor',
        invitedBy: 'Olive Owner',
        expiresAt: '2026-11-28T10:00:00.000Z',
      },
    ])
    expect(await enter(inviteId, guest)).toMatchObject({ orgId: home.orgId, projectId: home.projectId })
    expect(await app.call(homeCall, {}, { as: guest })).toMatchObject({
      invites: [],
      organizations: [{ orgId: home.orgId, isOrgAdmin: false }],
      onboarding: { step: 'done' },
      lastProject: home.params,
    })
    expect(await app.call(myPermissions, { params: home.params }, { as: guest })).toMatchObject({
      roleName: 'Editor',
      publishing: 'none',
      channelIds: [one],
    })
    expect(await team.lastAudit(home)).toMatchObject({
      action: 'accepted',
      entity: 'invite',
      entity_id: inviteId,
      person_id: guest.personId,
    })
    expect(await open(home)).toEqual([])
  })

  it('leads to that project even for people who have others, finished or not', async () => {
    const home = await app.signedInOwner()
    const busy = await app.signedInOwner()
    await enter(await inviteOne(home, busy.person.email), busy.person)
    expect(await app.call(homeCall, {}, { as: busy.person })).toMatchObject({
      onboarding: { step: 'done' },
      lastProject: home.params,
    })
  })

  it("twice by the same person changes nothing; after their removal it's refused", async () => {
    const home = await app.signedInOwner()
    const guest = await app.person()
    const inviteId = await inviteOne(home, guest.email)
    const [first, second] = await Promise.all([enter(inviteId, guest), enter(inviteId, guest)])
    expect(first).toEqual(second)
    expect(await enter(inviteId, guest)).toEqual(first)
    await app.call(removeFromProject, { params: { ...home.params, userId: guest.personId } }, { as: home.person })
    await expect(enter(inviteId, guest)).rejects.toMatchObject({ code: 'INVITE_NOT_FOUND' })
    expect(await team.access(home, guest)).toBeUndefined()
  })

  it('requires the confirmed address, in time', async () => {
    const late = await startApp()
    const home = await late.signedInOwner()
    const [guest, other, unconfirmed] = [
      await late.person(),
      await late.person(),
      await late.person({ confirmed: false }),
    ]
    const send = async (email: string) =>
      (
        await late.call(
          inviteUsers,
          { params: home.params, body: { invites: [{ email, role: 'user' }] } },
          { as: home.person },
        )
      ).inviteIds[0] ?? ''
    const inviteId = await send(guest.email)
    const go = (id: string, as: TestPerson) => late.call(acceptInvite, { params: { inviteId: id } }, { as })
    await expect(go(inviteId, other)).rejects.toMatchObject({ code: 'INVITE_WRONG_ADDRESS' })
    await expect(go(await send(unconfirmed.email), unconfirmed)).rejects.toMatchObject({ code: 'USER_NOT_CONFIRMED' })
    await expect(go(randomUUID(), guest)).rejects.toMatchObject({
      code: 'INVITE_NOT_FOUND',
      problem: { detail: "Can't accept invite" },
    })
    late.clock.advance({ days: 7 })
    await expect(go(inviteId, guest)).rejects.toMatchObject({ code: 'INVITE_EXPIRED' })
    expect((await late.call(homeCall, {}, { as: guest })).invites).toEqual([])
    await late.close()
  })

  it('is refused to people who changed to the address after someone accepted', async () => {
    const home = await app.signedInOwner()
    const [guest, heir] = [await app.person(), await app.person()]
    const inviteId = await inviteOne(home, guest.email)
    await enter(inviteId, guest)
    await app.database.owner.query("update person set email = 'moved-' || email where id = $1", [guest.personId])
    await app.database.owner.query('update person set email = $1 where id = $2', [guest.email, heir.personId])
    await expect(enter(inviteId, heir)).rejects.toMatchObject({ code: 'INVITE_NOT_FOUND' })
    expect(await enter(inviteId, guest)).toMatchObject(home.params)
  })

  it('by two at the same moment adds one', async () => {
    const home = await app.signedInOwner()
    const [guest, heir] = [await app.person(), await app.person()]
    const inviteId = await inviteOne(home, guest.email)
    const now = app.clock.now()
    const found = await asSystem(app.parts.databases.system, (tx) => inviteById(tx, inviteId, now))
    if (!found) throw new Error('the invitation is not there')
    // an address that moves from one to the other: each of them had it when it was looked up
    const both = await Promise.allSettled(
      [guest, heir].map(({ personId }) =>
        inTransaction(app.parts.databases.web, null, (tx) => accept(tx, found, { personId, email: guest.email }, now)),
      ),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    for (const result of both)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'INVITE_NOT_FOUND' })
    const { rows } = await app.database.owner.query(
      'select person_id from project_member where project_id = $1 and person_id = any($2)',
      [home.projectId, [guest.personId, heir.personId]],
    )
    expect(rows).toHaveLength(1)
  })

  it('downgrades no one: people in the project keep what they have', async () => {
    const home = await app.signedInOwner()
    const guest = await app.person()
    const inviteId = await inviteOne(home, guest.email, { role: 'user' })
    await app.database.owner.query('insert into member (org_id, person_id, added_at) values ($1, $2, now())', [
      home.orgId,
      guest.personId,
    ])
    await app.database.owner.query(
      'insert into project_member (org_id, project_id, person_id, role_id, added_at) values ($1, $2, $3, $4, now())',
      [home.orgId, home.projectId, guest.personId, home.roles.admin],
    )
    await enter(inviteId, guest)
    expect(await team.access(home, guest)).toMatchObject({ role_id: home.roles.admin })
  })

  it("doesn't bring back people who were added to a project at the moment of their removal", async () => {
    const home = await app.signedInOwner()
    const second = await app.project(home.orgId, home.person)
    const guest = await app.memberOnly(home)
    const removal = await app.database.owner.connect()
    try {
      await removal.query('begin')
      await removal.query('update member set removed_at = now() where org_id = $1 and person_id = $2', [
        home.orgId,
        guest.personId,
      ])
      await removal.query('delete from project_member where org_id = $1 and person_id = $2', [
        home.orgId,
        guest.personId,
      ])
      await app.call(
        addUser,
        {
          params: { orgId: home.orgId, projectId: second.projectId },
          body: { email: guest.email, roleId: second.roles.admin },
        },
        { as: home.person },
      )
      await removal.query('commit')
    } finally {
      removal.release()
    }
    await enter(await inviteOne(home, guest.email, { role: 'user' }), guest)
    const { organizations } = await app.call(homeCall, {}, { as: guest })
    expect(organizations[0]?.projects.map(({ projectId }) => projectId)).toEqual([home.projectId])
  })

  it('brings back people who were removed from the organization, as members', async () => {
    const home = await app.signedInOwner()
    const teammate = await app.colleague(home, 'admin')
    await app.call(
      appointAdmin,
      { params: { orgId: home.orgId, userId: teammate.personId }, body: { isOrgAdmin: true } },
      { as: home.person },
    )
    const dismiss = () =>
      app.call(
        removeFromOrganization,
        { params: { orgId: home.orgId, userId: teammate.personId } },
        { as: home.person },
      )
    await dismiss()
    const inviteId = await inviteOne(home, teammate.email, { role: 'user' })
    await enter(inviteId, teammate)
    expect(await app.call(myPermissions, { params: home.params }, { as: teammate })).toMatchObject({
      isOrgAdmin: false,
      roleName: 'User',
    })
    // a pending invitation isn't a way back in
    const second = await app.project(home.orgId, home.person)
    const waiting = await inviteOne(
      { ...home, params: { orgId: home.orgId, projectId: second.projectId } },
      teammate.email,
    )
    await dismiss()
    await expect(enter(waiting, teammate)).rejects.toMatchObject({ code: 'INVITE_REVOKED' })
  })

  it('uses the current role, whatever became of the sender', async () => {
    const home = await app.signedInOwner()
    const chief = await team.holder(home, { user: ['add'], post: ['create', 'publish'] })
    const roleId = await team.role(home, { post: ['create', 'publish'] })
    const [guest, other] = [await app.person(), await app.person()]
    const [first, second] = [
      await inviteOne(home, guest.email, { roleId }, chief),
      await inviteOne(home, other.email, { roleId }, chief),
    ]
    await team.give(home, chief, { roleId: home.roles.user })
    await enter(first, guest)
    await app.call(leaveOrganization, { params: { orgId: home.orgId } }, { as: chief })
    expect(await look(second)).toMatchObject({ invitedBy: 'Cole none', state: 'open' })
    await enter(second, other)
    expect((await app.call(myPermissions, { params: home.params }, { as: other })).project).toEqual({
      channel: ['view'],
      post: ['view', 'create', 'publish'],
    })
  })

  it("notifies the organization's open screens", async () => {
    const home = await app.signedInOwner()
    const guest = await app.person()
    const inviteId = await inviteOne(home, guest.email)
    const ours = await openEvents(address, home.params, home.person)
    await until(() => ours.messages.length > 0)
    await enter(inviteId, guest)
    await until(() => ours.changes().some(({ kind, ref }) => kind === 'member' && ref === guest.personId))
    ours.close()
  })
})

describe('declining', () => {
  it('withdraws the invitation, once, for its address alone', async () => {
    const home = await app.signedInOwner()
    const [guest, other] = [await app.person(), await app.person()]
    const inviteId = await inviteOne(home, guest.email)
    await expect(decline(inviteId, other)).rejects.toMatchObject({ code: 'INVITE_WRONG_ADDRESS' })
    await decline(inviteId, guest)
    expect(await team.lastAudit(home)).toMatchObject({
      action: 'declined',
      entity_id: inviteId,
      person_id: guest.personId,
    })
    expect(await open(home)).toEqual([])
    await expect(decline(inviteId, guest)).rejects.toMatchObject({ code: 'INVITE_NOT_FOUND' })
    await expect(enter(inviteId, guest)).rejects.toMatchObject({ code: 'INVITE_REVOKED' })
    const accepted = await inviteOne(home, guest.email)
    await enter(accepted, guest)
    await expect(decline(accepted, guest)).rejects.toMatchObject({ code: 'INVITE_NOT_FOUND' })
  })
})

it("removes it from the address's open invitations", async () => {
  const home = await app.signedInOwner()
  const [email, other] = [someAddress(), await app.signedInOwner()]
  const kept = [await inviteOne(home, email), await inviteOne(other, email)]
  const { projectId } = await app.project(home.orgId, home.person)
  await revoke(
    { ...home, params: { orgId: home.orgId, projectId } },
    await inviteOne({ ...home, params: { orgId: home.orgId, projectId } }, email),
  )
  const found = await asSystem(app.parts.databases.system, (tx) => openInvitesOf(tx, email, app.clock.now()))
  expect(found.map(({ inviteId }) => inviteId).toSorted()).toEqual(kept.toSorted())
})

describe('the widest custom role', () => {
  it('grants, resends and withdraws User and Editor, and not Admin', async () => {
    const home = await app.signedInOwner()
    const chief = await team.holder(home, customRole(systemRoles.admin.permissions))
    for (const role of ['user', 'editor'] as const) {
      const inviteId = await inviteOne(home, someAddress(), { role }, chief)
      app.clock.advance({ minutes: 2 })
      await resend(home, inviteId, chief)
      await revoke(home, inviteId, chief)
      const held = await app.colleague(home, role)
      await app.call(
        assignRole,
        {
          params: home.params,
          body: { roleId: home.roles[role === 'user' ? 'editor' : 'user'], userId: held.personId, channelIds: null },
        },
        { as: chief },
      )
      await app.call(removeFromProject, { params: { ...home.params, userId: held.personId } }, { as: chief })
    }
    expect(await failure(home, [{ email: someAddress(), role: 'admin' }], chief)).toMatchObject({
      code: 'ROLE_EXCEEDS',
    })
  })
})

it("to a member's old address end when they change it: nobody returns with one, and nobody has two seats", async () => {
  const home = await app.signedInOwner()
  const second = await app.project(home.orgId, home.person)
  const to: TestHome = { ...home, ...second, params: { orgId: home.orgId, projectId: second.projectId } }
  const teammate = await app.colleague(home, 'user')
  const elsewhere = await app.signedInOwner()
  const [own, other] = [await inviteOne(to, teammate.email), await inviteOne(elsewhere, teammate.email)]
  const seats = () => asSystem(app.parts.databases.system, (tx) => countSeats(tx, home.orgId, app.clock.now()))
  const before = await seats()
  const address = someAddress()
  await app.call(changeEmail, { body: { email: address, password: TEST_PASSWORD } }, { as: teammate })
  await app.call(
    verifyCode,
    { body: { code: /^\d{6}/.exec(mailsTo(address).at(-1)?.subject ?? '')?.[0] ?? '' } },
    { as: teammate },
  )
  expect(await seats()).toBe(before)
  expect(await open(to)).toEqual([])
  await app.call(
    removeFromOrganization,
    { params: { orgId: home.orgId, userId: teammate.personId } },
    { as: home.person },
  )
  const back = await app.person({ email: teammate.email })
  await expect(enter(own, back)).rejects.toMatchObject({ code: 'INVITE_REVOKED' })
  // where they weren't a member, the address's new owner may join
  await enter(other, back)
})
