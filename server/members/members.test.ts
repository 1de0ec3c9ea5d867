import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addableUsers,
  addUser,
  allUsers,
  appointAdmin,
  leaveOrganization,
  listOrgUsers,
  listUsers,
  removeFromOrganization,
  removeFromProject,
} from '#contract/members.ts'
import { inviteUsers, listInvites } from '#contract/invites.ts'
import { home as homeCall, myPermissions } from '#contract/organizations.ts'
import { deleteProject } from '#contract/orgSettings.ts'
import { contentOn } from '../testing/content.ts'
import { openEvents } from '../testing/events.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn, type Team } from '../testing/team.ts'
import { until } from '../testing/until.ts'

let app: TestApp
let team: Team
let channel: ReturnType<typeof contentOn>['channel']
let posts: ReturnType<typeof postsOn>
let address: string
beforeAll(async () => {
  app = await startApp()
  team = teamOn(app)
  channel = contentOn(app.parts).channel
  posts = postsOn(app, app.database)
  address = await app.listen()
})
afterAll(() => app.close())

const unknown = '01920000-0000-7000-8000-00000000000a'
const users = async (home: TestHome, as: TestPerson = home.person, query = {}) =>
  await app.call(listUsers, { params: home.params, query }, { as })
const row = async (home: TestHome, who: TestPerson, as: TestPerson = home.person) =>
  (await users(home, as)).users.find(({ userId }) => userId === who.personId)
const add = (
  home: TestHome,
  email: string,
  body: { roleId: string; channelIds?: string[] | null; publishing?: 'full' | 'none' },
  as: TestPerson = home.person,
) => app.call(addUser, { params: home.params, body: { email, ...body } }, { as })
const takeOut = (home: TestHome, who: TestPerson, as: TestPerson = home.person) =>
  app.call(removeFromProject, { params: { ...home.params, userId: who.personId } }, { as })
const dismiss = (home: TestHome, who: TestPerson, as: TestPerson = home.person) =>
  app.call(removeFromOrganization, { params: { orgId: home.orgId, userId: who.personId } }, { as })
const appoint = (home: TestHome, who: TestPerson, isOrgAdmin: boolean, as: TestPerson = home.person) =>
  app.call(appointAdmin, { params: { orgId: home.orgId, userId: who.personId }, body: { isOrgAdmin } }, { as })
const leave = (home: TestHome, as: TestPerson) => app.call(leaveOrganization, { params: { orgId: home.orgId } }, { as })
const admins = async (home: TestHome) =>
  (
    await app.database.owner.query(
      'select person_id from member where org_id = $1 and is_admin and removed_at is null',
      [home.orgId],
    )
  ).rows.map((one) => String(one.person_id))

describe('mails', () => {
  const mailsTo = ({ email }: TestPerson) => app.outbox.filter(({ to }) => to === email).map(({ subject }) => subject)

  it('tell people that they were removed, from a project or from the organization', async () => {
    const home = await app.signedInOwner()
    const teammate = await app.colleague(home, 'user')
    await app.call(removeFromProject, { params: { ...home.params, userId: teammate.personId } }, { as: home.person })
    await until(() => mailsTo(teammate).length === 1)
    expect(mailsTo(teammate)[0]).toMatch(/^You were removed from Project /)
    await app.call(
      removeFromOrganization,
      { params: { orgId: home.orgId, userId: teammate.personId } },
      { as: home.person },
    )
    await until(() => mailsTo(teammate).length === 2)
    expect(mailsTo(teammate)[1]).toBe('You were removed from My Workspace')
    // refused removals notify no one
    const editor = await app.colleague(home, 'editor')
    await expect(
      app.call(removeFromProject, { params: { ...home.params, userId: editor.personId } }, { as: editor }),
    ).rejects.toBeDefined()
    expect(mailsTo(editor)).toEqual([])
  })

  it("tell a project's members that it was deleted", async () => {
    const home = await app.signedInOwner()
    await app.project(home.orgId, home.person)
    const [editor, outsider] = [await app.colleague(home, 'editor'), await app.memberOnly(home)]
    await app.call(deleteProject, { params: { orgId: home.orgId, id: home.projectId } }, { as: home.person })
    await until(() => mailsTo(editor).length === 1)
    expect(mailsTo(editor)[0]).toMatch(/^The project Project \w+ was deleted$/)
    expect([mailsTo(outsider), mailsTo(home.person)]).toEqual([[], []])
  })
})

describe('Manage Users', () => {
  it("lists the project's members with their access, and organization admins as Admin", async () => {
    const home = await app.signedInOwner()
    const [one, two] = [await channel(home, { handle: '@one.example' }), await channel(home)]
    const bound = await app.colleague(home, 'editor', { channelIds: [one, two], firstName: 'Bea' })
    const none = await app.colleague(home, 'none', { firstName: 'Nina' })
    await app.memberOnly(home)
    const second = await app.memberOnly(home)
    await appoint(home, second, true)
    await posts.post(home, one, { as: bound })
    const { users: listed, pagination } = await users(home)
    expect(pagination).toEqual({ currentPage: 1, totalPages: 1, totalCount: 4 })
    expect(listed.map(({ firstName }) => firstName)).toEqual(['Bea', 'Mem', 'Nina', 'Olive'])
    expect(listed[0]).toEqual({
      userId: bound.personId,
      firstName: 'Bea',
      lastName: 'editor',
      email: bound.email,
      profileUrl: null,
      isOrgAdmin: false,
      planLocked: false,
      role: { roleId: home.roles.editor, name: 'Editor', kind: 'editor' },
      publishing: 'full',
      publishes: 'full',
      answers: true,
      channels: [
        {
          channelId: one,
          channelName: 'one.example',
          platformName: 'bluesky',
          handle: '@one.example',
          profileUrl: null,
        },
        expect.objectContaining({ channelId: two }),
      ],
      moreChannels: 0,
      addedOn: '2026-11-21T10:00:00.000Z',
      scheduledPosts: 1,
      isYou: false,
    })
    expect(listed[1]).toMatchObject({
      isOrgAdmin: true,
      role: { roleId: home.roles.admin, kind: 'admin' },
      channels: null,
    })
    expect(listed[2]).toMatchObject({ userId: none.personId, role: null, isOrgAdmin: false })
    expect(listed[3]).toMatchObject({ isYou: true, isOrgAdmin: true })
    expect((await app.call(allUsers, { params: home.params }, { as: none })).users.map(({ userId }) => userId)).toEqual(
      listed.map(({ userId }) => userId),
    )
  })

  it('says who answers people, whatever they publish', async () => {
    const home = await app.signedInOwner()
    const people = [
      await team.holder(home, { dm: ['create'] }),
      await team.holder(home, { comment: ['create'] }, { publishing: 'none' }),
      await team.holder(home, { dm: ['edit'], post: ['view'] }),
    ]
    const listed = (await users(home)).users
    const of = ({ personId }: { personId: string }) => listed.find(({ userId }) => userId === personId)
    expect(people.map((person) => [of(person)?.publishes, of(person)?.answers])).toEqual([
      ['none', true],
      ['none', true],
      ['none', false],
    ])
  })

  it("shows how far each person's posts get, by role and publishing choice together", async () => {
    const home = await app.signedInOwner()
    await app.colleague(home, 'user', { firstName: 'Ada' })
    const [bo, cy] = [
      await app.colleague(home, 'editor', { firstName: 'Bo' }),
      await app.colleague(home, 'none', { firstName: 'Cy' }),
    ]
    await team.give(home, bo, { roleId: home.roles.editor, publishing: 'none' })
    await team.give(home, cy, { roleId: await team.role(home, { post: ['create', 'needs_approval'] }) })
    await app.colleague(home, 'none', { firstName: 'Dee' })
    const listed = (await users(home)).users.map(({ firstName, publishing, publishes }) => [
      firstName,
      publishing,
      publishes,
    ])
    expect(listed).toEqual([
      ['Ada', 'full', 'approval'],
      ['Bo', 'none', 'none'],
      ['Cy', 'full', 'approval'],
      ['Dee', 'full', 'none'],
      ['Olive', 'full', 'full'],
    ])
  })

  it('is paginated', async () => {
    const home = await app.signedInOwner()
    for (const firstName of ['Aa', 'Bb', 'Cc', 'Dd']) await app.colleague(home, 'user', { firstName })
    const page = await users(home, home.person, { page: 2, limit: 2 })
    expect(page.users.map(({ firstName }) => firstName)).toEqual(['Cc', 'Dd'])
    expect(page.pagination).toEqual({ currentPage: 2, totalPages: 3, totalCount: 5 })
    expect((await users(home, home.person, { page: 9, limit: 2 })).users).toEqual([])
  })

  it("names no channel that the caller can't access, and counts no post on it", async () => {
    const home = await app.signedInOwner()
    const [one, two] = [await channel(home), await channel(home)]
    const teammate = await app.colleague(home, 'editor', { channelIds: [one, two] })
    const looker = await app.colleague(home, 'editor', { channelIds: [one] })
    await posts.post(home, two, { as: teammate })
    const seen = await row(home, teammate, looker)
    expect(seen).toMatchObject({ channels: [{ channelId: one }], moreChannels: 1, scheduledPosts: 0 })
    expect(JSON.stringify(seen)).not.toContain(two)
    expect(await row(home, teammate)).toMatchObject({ moreChannels: 0, scheduledPosts: 1 })
  })
})

describe('adding a user', () => {
  it('adds a member of the organization to the project', async () => {
    const home = await app.signedInOwner()
    const one = await channel(home)
    const teammate = await app.memberOnly(home)
    expect(
      (await app.call(addableUsers, { params: home.params }, { as: home.person })).users.map(({ userId }) => userId),
    ).toEqual([teammate.personId])
    const added = await add(home, ` ${teammate.email.toUpperCase()} `, {
      roleId: home.roles.editor,
      channelIds: [one],
      publishing: 'none',
    })
    expect(added).toEqual({ userId: teammate.personId, message: 'User added successfully' })
    expect(await row(home, teammate)).toMatchObject({
      role: { kind: 'editor' },
      publishing: 'none',
      channels: [{ channelId: one }],
    })
    expect(await team.lastAudit(home)).toMatchObject({
      action: 'added',
      entity: 'member',
      entity_id: teammate.personId,
      detail: { after: { roleId: home.roles.editor, channelIds: [one], publishing: 'none' } },
    })
    expect((await app.call(addableUsers, { params: home.params }, { as: home.person })).users).toEqual([])
    await expect(add(home, teammate.email, { roleId: home.roles.user })).rejects.toMatchObject({
      code: 'ALREADY_MEMBER',
      problem: { errors: { email: ['This person is already in the project.'] } },
    })
  })

  it('finds no one outside the organization, and no one who left it', async () => {
    const home = await app.signedInOwner()
    const [stranger, gone] = [await app.person(), await app.memberOnly(home)]
    await dismiss(home, gone)
    for (const email of [stranger.email, gone.email, 'nobody@example.org'])
      await expect(add(home, email, { roleId: home.roles.user })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        problem: { errors: { email: ['Nobody in your organization uses this address. Invite them instead.'] } },
      })
  })

  it('gives no more than the caller has', async () => {
    const home = await app.signedInOwner()
    const [one, two] = [await channel(home), await channel(home)]
    const chief = await team.holder(home, { user: ['add'], post: ['create'] }, { channelIds: [one] })
    const roleId = await team.role(home, { post: ['create'] })
    const teammate = await app.memberOnly(home)
    await expect(add(home, teammate.email, { roleId: home.roles.admin }, chief)).rejects.toMatchObject({
      code: 'ROLE_EXCEEDS',
    })
    await expect(add(home, teammate.email, { roleId }, chief)).rejects.toMatchObject({ code: 'ROLE_EXCEEDS' })
    await expect(add(home, teammate.email, { roleId, channelIds: [two] }, chief)).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
    expect(await team.access(home, teammate)).toBeUndefined()
    await add(home, teammate.email, { roleId, channelIds: [one] }, chief)
  })
})

describe('removing from the project', () => {
  it('ends the access and keeps their work, which is still published', async () => {
    const home = await app.signedInOwner()
    const one = await channel(home)
    const teammate = await app.colleague(home, 'editor')
    const postId = await posts.post(home, one, { as: teammate })
    expect((await takeOut(home, teammate)).message).toBe('User deleted from project successfully')
    await expect(app.call(myPermissions, { params: home.params }, { as: teammate })).rejects.toMatchObject({
      code: 'IDENTIFIERS_ERROR',
    })
    expect(await posts.row(postId)).toMatchObject({ state: 'SCHEDULED', author_id: teammate.personId })
    expect(await team.lastAudit(home)).toMatchObject({
      action: 'removed',
      entity: 'member',
      entity_id: teammate.personId,
      detail: { before: { roleId: home.roles.editor, channelIds: null, publishing: 'full' } },
    })
    await expect(takeOut(home, teammate)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(
      (await app.call(addableUsers, { params: home.params }, { as: home.person })).users.map(({ userId }) => userId),
    ).toContain(teammate.personId)
  })

  it('refuses removing oneself, organization admins, and people who may do more', async () => {
    const home = await app.signedInOwner()
    const [one, two] = [await channel(home), await channel(home)]
    const [admin, editor] = [await app.colleague(home, 'admin'), await app.colleague(home, 'editor')]
    const chief = await team.holder(home, { user: ['delete'], post: ['create'] }, { channelIds: [one] })
    await expect(takeOut(home, admin, admin)).rejects.toMatchObject({ code: 'OWN_ACCESS' })
    await expect(takeOut(home, home.person, admin)).rejects.toMatchObject({ code: 'ORG_ADMIN' })
    await expect(takeOut(home, editor, chief)).rejects.toMatchObject({ code: 'ROLE_EXCEEDS' })
    const wide = await team.holder(home, { post: ['create'] }, { channelIds: [one, two] })
    const alike = await team.holder(home, { post: ['create'] }, { channelIds: [one] })
    await expect(takeOut(home, wide, chief)).rejects.toMatchObject({ code: 'ROLE_EXCEEDS' })
    await takeOut(home, alike, chief)
    await takeOut(home, editor, admin)
  })

  it("ends the person's open streams, and notifies the screens of others", async () => {
    const home = await app.signedInOwner()
    const teammate = await app.colleague(home, 'user')
    const [ours, theirs] = [
      await openEvents(address, home.params, home.person),
      await openEvents(address, home.params, teammate),
    ]
    await until(() => ours.messages.length > 0 && theirs.messages.length > 0)
    await takeOut(home, teammate)
    await theirs.ended
    await until(() => ours.changes().some(({ kind, ref }) => kind === 'member' && ref === teammate.personId))
    expect(ours.isOpen).toBe(true)
    ours.close()
    await expect(openEvents(address, home.params, teammate)).rejects.toThrow('IDENTIFIERS_ERROR')
  })
})

describe('the organization', () => {
  it('lists its members with their projects, for its admins', async () => {
    const home = await app.signedInOwner()
    const second = await app.project(home.orgId, home.person, { name: 'Another' })
    const one = await channel(home)
    const teammate = await app.colleague(home, 'user', { channelIds: [one], firstName: 'Bea' })
    const lonely = await app.memberOnly(home)
    await posts.post(home, one)
    const { users: listed, pagination } = await app.call(
      listOrgUsers,
      { params: { orgId: home.orgId } },
      { as: home.person },
    )
    const { name } = (await app.database.owner.query('select name from project where id = $1', [home.projectId]))
      .rows[0]
    expect(pagination.totalCount).toBe(3)
    expect(listed).toMatchObject([
      {
        userId: teammate.personId,
        isOrgAdmin: false,
        isYou: false,
        scheduledPosts: 0,
        projects: [{ projectId: home.projectId, projectName: name, roleName: 'User', channels: 1 }],
      },
      { userId: lonely.personId, projects: [] },
      {
        userId: home.person.personId,
        isOrgAdmin: true,
        isYou: true,
        scheduledPosts: 1,
        projects: [
          { projectId: second.projectId, roleName: 'Admin', channels: null },
          { projectId: home.projectId, roleName: 'Admin', channels: null },
        ],
      },
    ])
  })

  it('removes a member from all its projects, keeping their work and their session', async () => {
    const home = await app.signedInOwner()
    const second = await app.project(home.orgId, home.person)
    const one = await channel(home)
    const teammate = await app.colleague(home, 'editor')
    await add(
      { ...home, projectId: second.projectId, params: { orgId: home.orgId, projectId: second.projectId } },
      teammate.email,
      { roleId: second.roles.user },
    )
    const postId = await posts.post(home, one, { as: teammate })
    const theirs = await openEvents(address, { orgId: home.orgId, projectId: second.projectId }, teammate)
    await until(() => theirs.messages.length > 0)
    expect((await dismiss(home, teammate)).message).toBe('User deleted from org successfully')
    await theirs.ended
    expect((await app.call(homeCall, {}, { as: teammate })).organizations).toEqual([])
    await expect(app.call(myPermissions, { params: home.params }, { as: teammate })).rejects.toMatchObject({
      code: 'IDENTIFIERS_ERROR',
    })
    expect(await posts.row(postId)).toMatchObject({ state: 'SCHEDULED' })
    const { detail, ...entry } = (await team.lastAudit(home)) ?? { detail: undefined }
    expect(entry).toMatchObject({ action: 'removed', entity: 'member', entity_id: teammate.personId })
    expect(detail).toEqual({
      before: { isOrgAdmin: false, projectIds: expect.arrayContaining([home.projectId, second.projectId]) },
    })
    await expect(dismiss(home, teammate)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is left by oneself; others are removed', async () => {
    const home = await app.signedInOwner()
    const teammate = await app.colleague(home, 'user')
    await expect(dismiss(home, home.person)).rejects.toMatchObject({ code: 'OWN_ACCESS' })
    await leave(home, teammate)
    expect(await team.lastAudit(home)).toMatchObject({
      action: 'left',
      entity_id: teammate.personId,
      person_id: teammate.personId,
    })
    await expect(leave(home, teammate)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
    await expect(leave(home, home.person)).rejects.toMatchObject({ code: 'LAST_ADMIN' })
  })

  it('appoints admins, who are Admin everywhere from the next request, and demotes them', async () => {
    const home = await app.signedInOwner()
    const teammate = await app.colleague(home, 'user')
    await appoint(home, teammate, true)
    expect(await app.call(myPermissions, { params: home.params }, { as: teammate })).toMatchObject({
      isOrgAdmin: true,
      roleName: 'Admin',
    })
    expect(await team.lastAudit(home)).toMatchObject({
      action: 'appointed',
      entity_id: teammate.personId,
      detail: { before: { isOrgAdmin: false }, after: { isOrgAdmin: true } },
    })
    await appoint(home, home.person, false, teammate)
    await expect(appoint(home, teammate, false)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await appoint(home, home.person, true, teammate)
    await appoint(home, teammate, false)
    expect(await app.call(myPermissions, { params: home.params }, { as: teammate })).toMatchObject({
      isOrgAdmin: false,
      roleName: 'User',
    })
  })

  it('keeps its last admin', async () => {
    const home = await app.signedInOwner()
    await expect(appoint(home, home.person, false)).rejects.toMatchObject({ code: 'LAST_ADMIN' })
    await appoint(home, home.person, true)
    expect(await admins(home)).toEqual([home.person.personId])
    await expect(
      app.call(
        appointAdmin,
        { params: { orgId: home.orgId, userId: unknown }, body: { isOrgAdmin: true } },
        { as: home.person },
      ),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('keeps an admin when two demote each other, or leave, at the same moment', async () => {
    for (let round = 0; round < 6; round++) {
      const home = await app.signedInOwner()
      const other = await app.memberOnly(home)
      await appoint(home, other, true)
      const both = await Promise.allSettled(
        round % 2 === 0
          ? [appoint(home, other, false), appoint(home, home.person, false, other)]
          : [leave(home, home.person), leave(home, other)],
      )
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(await admins(home)).toHaveLength(1)
      for (const result of both)
        if (result.status === 'rejected') expect(['LAST_ADMIN', 'FORBIDDEN']).toContain(result.reason.code)
    }
  })

  it('that removed an admin also ends that right: people who return are members', async () => {
    const home = await app.signedInOwner()
    const other = await app.memberOnly(home)
    await appoint(home, other, true)
    await dismiss(home, other)
    const { rows } = await app.database.owner.query(
      'select is_admin, removed_at from member where org_id = $1 and person_id = $2',
      [home.orgId, other.personId],
    )
    expect(rows).toEqual([{ is_admin: false, removed_at: app.clock.now() }])
  })
})

it('withdraws the invitations sent by a removed member, and keeps those of one who leaves', async () => {
  const home = await app.signedInOwner()
  const open = async () =>
    (await app.call(listInvites, { params: home.params }, { as: home.person })).invites.map(({ email }) => email)
  const send = (as: TestPerson, email: string) =>
    app.call(inviteUsers, { params: home.params, body: { invites: [{ email, role: 'user' }] } }, { as })
  const [dismissed, taken, leaver] = [
    await app.colleague(home, 'admin'),
    await app.colleague(home, 'admin'),
    await app.colleague(home, 'admin'),
  ]
  await send(dismissed, 'dismissed.own@example.org')
  await send(taken, 'taken.own@example.org')
  await send(leaver, 'leaver.friend@example.org')
  await dismiss(home, dismissed)
  expect(await open()).toEqual(expect.not.arrayContaining(['dismissed.own@example.org']))
  await takeOut(home, taken)
  await leave(home, leaver)
  expect(await open()).toEqual(['leaver.friend@example.org'])
})
