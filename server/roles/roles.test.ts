import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { myPermissions } from '#contract/organizations.ts'
import { Permissions, systemRoles, tidy, withoutPublishing } from '#contract/permissions.ts'
import { assignRole, createRole, deleteRole, editRole, listRoles, pageOfRoles } from '#contract/roles.ts'
import { contentOn } from '../testing/content.ts'
import { openEvents } from '../testing/events.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn, type Team } from '../testing/team.ts'
import { until } from '../testing/until.ts'

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

const writer = { post: ['create', 'edit'] }
const assigner = { role: ['assign'], user: ['add', 'delete'], post: ['create'] }
const unknown = '01920000-0000-7000-8000-00000000000a'

const make = (home: TestHome, name: string, permissions: Record<string, string[]>, as: TestPerson = home.person) =>
  app.call(createRole, { params: home.params, body: { name, permissions } }, { as })
const edit = (
  home: TestHome,
  roleId: string,
  name: string,
  permissions: Record<string, string[]>,
  as: TestPerson = home.person,
) => app.call(editRole, { params: { ...home.params, roleId }, body: { name, permissions } }, { as })
const remove = (home: TestHome, roleId: string, as: TestPerson = home.person) =>
  app.call(deleteRole, { params: { ...home.params, roleId } }, { as })
const assign = (
  home: TestHome,
  body: { roleId: string; userId: string; channelIds: string[] | null; publishing?: 'full' | 'none' },
  as: TestPerson = home.person,
) => app.call(assignRole, { params: home.params, body }, { as })
const mine = (home: TestHome, as: TestPerson) => app.call(myPermissions, { params: home.params }, { as })

/** What a migration makes of roles that are stored like this. */
async function afterMigration(
  home: TestHome,
  migration: string,
  stored: readonly Permissions[],
): Promise<Permissions[]> {
  const roleIds: string[] = []
  for (const permissions of stored) {
    const roleId = await team.role(home, {})
    await app.database.owner.query('update role set permissions = $1 where id = $2', [permissions, roleId])
    roleIds.push(roleId)
  }
  const file = new URL(`../db/migrations/${migration}.sql`, import.meta.url)
  await app.database.owner.query(readFileSync(file, 'utf8'))
  const { rows } = await app.database.owner.query('select permissions from role where id = any($1) order by id', [
    roleIds,
  ])
  return rows.map(({ permissions }) => Permissions.parse(permissions))
}

describe('a custom role', () => {
  it('is created with its permissions in order, each once, and what they imply', async () => {
    const home = await app.signedInOwner()
    const made = await make(home, ' Writers ', {
      post: ['edit', 'create', 'edit'],
      label: ['create'],
    })
    expect(made.message).toBe('Role created successfully')
    const { roles, pagination } = await app.call(pageOfRoles, { params: home.params }, { as: home.person })
    expect(pagination).toEqual({ currentPage: 1, totalPages: 1, totalCount: 4 })
    expect(roles.map(({ name, kind, members }) => [name, kind, members])).toEqual([
      ['Admin', 'admin', 1],
      ['Editor', 'editor', 0],
      ['User', 'user', 0],
      ['Writers', 'custom', 0],
    ])
    expect(roles[3]).toEqual({
      roleId: made.roleId,
      name: 'Writers',
      kind: 'custom',
      permissions: { channel: ['view'], label: ['view', 'create'], post: ['view', 'edit', 'create'] },
      members: 0,
      invites: 0,
      assignable: true,
    })
    expect(await team.lastAudit(home)).toMatchObject({
      action: 'created',
      entity: 'role',
      entity_id: made.roleId,
      person_id: home.person.personId,
    })
  })

  it('is refused with unknown actions, and with those of organization admins', async () => {
    const home = await app.signedInOwner()
    const refused: Record<string, string[]>[] = [
      { post: ['explode'] },
      { label: ['publish'] },
      { dm: ['publish'] },
      { audit: ['view'] },
    ]
    for (const permissions of refused) {
      const [resource] = Object.keys(permissions)
      await expect(make(home, 'Odd', permissions)).rejects.toMatchObject({
        code: 'BAD_INPUT',
        problem: { errors: { [`permissions.${resource}`]: [expect.any(String)] } },
      })
    }
    const kept = await team.role(home, { label: ['view'] })
    await expect(edit(home, kept, 'Odd', { post: ['explode'] })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    const { roles } = await app.call(pageOfRoles, { params: home.params }, { as: home.person })
    expect(roles.filter(({ kind }) => kind === 'custom')).toMatchObject([
      { roleId: kept, permissions: { channel: ['view'], label: ['view'] } },
    ])
  })

  it('stored before messages and comments included the inbox can open it after the migration', async () => {
    const home = await app.signedInOwner()
    const stored: Record<string, string[]>[] = [
      { dm: ['view'] },
      { comment: ['view', 'create'], inbox: [] },
      { inbox: ['view'], dm: ['edit'] },
      { dm: [], comment: [] },
      { label: ['view'] },
    ]
    const permissions = await afterMigration(home, '0048-inbox-of-answering-roles', stored)
    expect(permissions.map(tidy)).toEqual(stored.map(tidy))
    expect(permissions.map(({ inbox = [] }) => inbox)).toEqual([['view'], ['view'], ['view'], [], []])
  })

  it('stored before approving included viewing posts can view them after the migration', async () => {
    const home = await app.signedInOwner()
    const stored: Record<string, string[]>[] = [
      { workflow: ['view', 'approve'] },
      { post: [], workflow: ['approve'] },
      { post: ['view', 'edit'], workflow: ['view', 'approve'] },
      { workflow: ['view', 'edit'] },
    ]
    const permissions = await afterMigration(home, '0050-posts-of-approving-roles', stored)
    expect(permissions.map(tidy)).toEqual(stored.map(tidy))
    expect(permissions.map(({ post = [] }) => post)).toEqual([['view'], ['view'], ['view', 'edit'], []])
  })

  it('never returns permissions of organization admins at project level', async () => {
    const home = await app.signedInOwner()
    const admin = await app.colleague(home, 'admin')
    const { organization, project } = await mine(home, admin)
    expect(organization).toEqual({ project: ['view'], user: ['view'] })
    expect(project).toMatchObject({ post: systemRoles.admin.permissions.post, project: ['view'] })
    expect([project.audit, project.org_settings]).toEqual([[], []])
    expect((await mine(home, home.person)).project).toEqual(systemRoles.admin.permissions)
    // the specification's default set
    expect((await mine(home, await app.colleague(home, 'none'))).project).toMatchObject({ audit: ['view'] })
  })

  it('is listed after the system roles, page by page', async () => {
    const home = await app.signedInOwner()
    for (const name of ['b role', 'A role', 'c role']) await make(home, name, writer)
    const names = async (page: number) =>
      (await app.call(pageOfRoles, { params: home.params, query: { page, limit: 4 } }, { as: home.person })).roles.map(
        ({ name }) => name,
      )
    expect(await names(1)).toEqual(['Admin', 'Editor', 'User', 'A role'])
    expect(await names(2)).toEqual(['b role', 'c role'])
    expect(
      (await app.call(listRoles, { params: home.params }, { as: await app.colleague(home, 'user') })).roles.map(
        ({ name, assignable }) => [name, assignable],
      ),
    ).toEqual([
      ['Admin', false],
      ['Editor', false],
      ['User', true],
      ['A role', false],
      ['b role', false],
      ['c role', false],
    ])
  })

  it('has a valid name that is unique in its project, ignoring case', async () => {
    const home = await app.signedInOwner()
    const errors = async (name: string) =>
      (
        await app.send(createRole, { params: home.params, body: { name, permissions: writer } }, { as: home.person })
      ).json<{ code: string; errors?: { name?: string[] } }>()
    expect((await errors('  ')).errors?.name).toContain('Role name is required')
    expect((await errors('x'.repeat(51))).errors?.name).toEqual(['Role name is too long'])
    expect((await errors('<b>')).errors?.name).toEqual(['Invalid role name'])
    expect(await errors('EDITOR')).toMatchObject({
      code: 'NAME_TAKEN',
      errors: { name: ['A role with this name already exists.'] },
    })
    const { roleId } = await make(home, 'Élan', writer)
    expect(await errors('éLAN')).toMatchObject({ code: 'NAME_TAKEN' })
    await edit(home, roleId, 'ÉLAN', writer)
    await expect(edit(home, roleId, 'user', writer)).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    const other = await app.project(home.orgId, home.person)
    expect(
      await make({ ...home, params: { ...home.params, projectId: other.projectId } }, 'Élan', writer),
    ).toHaveProperty('roleId')
  })

  it('is created once by two simultaneous requests with one name', async () => {
    const home = await app.signedInOwner()
    const results = await Promise.allSettled(['Twins', 'TWINS', 'twins'].map((name) => make(home, name, writer)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'NAME_TAKEN' })
  })

  it('needs the Team plan; existing ones keep working, and can be deleted', async () => {
    const home = await app.signedInOwner()
    const held = await team.holder(home, writer)
    const spare = await team.role(home, writer)
    await team.plan(home, 'individual')
    const gate = {
      code: 'PLAN_LIMIT',
      problem: { detail: 'Custom roles are only available on the Team plan.', meta: { gate: 'custom_roles' } },
    }
    await expect(make(home, 'More', writer)).rejects.toMatchObject(gate)
    await expect(edit(home, held.roleId, 'Other', writer)).rejects.toMatchObject(gate)
    expect((await mine(home, held)).project).toEqual({ channel: ['view'], post: ['view', 'edit', 'create'] })
    await remove(home, spare)
  })

  it('changes for its members from the next request, with an audit entry', async () => {
    const home = await app.signedInOwner()
    const held = await team.holder(home, writer)
    expect((await edit(home, held.roleId, 'Publishers', { post: ['create', 'publish'] })).message).toBe(
      'Role updated successfully',
    )
    expect(await mine(home, held)).toMatchObject({
      roleName: 'Publishers',
      project: { post: ['view', 'create', 'publish'] },
    })
    expect(await team.lastAudit(home)).toMatchObject({
      action: 'edited',
      entity_id: held.roleId,
      detail: { given: ['post.publish'], taken: ['post.edit'] },
    })
  })

  it("can't be changed by its own members, nor beyond what the caller has", async () => {
    const home = await app.signedInOwner()
    const keeper = await team.holder(home, { role: ['create', 'edit', 'delete', 'assign'], post: ['create'] })
    await expect(edit(home, keeper.roleId, 'Mine', { role: ['edit'] }, keeper)).rejects.toMatchObject({
      code: 'OWN_ACCESS',
    })
    await expect(make(home, 'Above', { post: ['publish'] }, keeper)).rejects.toMatchObject({ code: 'ROLE_EXCEEDS' })
    const { roleId } = await make(home, 'Below', { post: ['create'] }, keeper)
    await expect(edit(home, roleId, 'Below', { post: ['create', 'publish'] }, keeper)).rejects.toMatchObject({
      code: 'ROLE_EXCEEDS',
    })
    await edit(home, roleId, 'Below too', { post: ['view'] }, keeper)
    const above = await team.role(home, { post: ['publish'] })
    await expect(edit(home, above, 'Below', { post: ['view'] }, keeper)).rejects.toMatchObject({ code: 'ROLE_EXCEEDS' })
    // an organization admin has their permissions from elsewhere
    await team.give(home, home.person, { roleId })
    await edit(home, roleId, 'Below again', { post: ['create'] })
  })

  it("can't be changed if someone has it on channels the caller can't access", async () => {
    const home = await app.signedInOwner()
    const [one, two] = [await channel(home), await channel(home)]
    const keeper = await team.holder(home, { role: ['edit'], post: ['create', 'publish'] }, { channelIds: [one] })
    const held = await team.holder(home, { post: ['create'] }, { channelIds: [two] })
    await expect(edit(home, held.roleId, 'More', { post: ['create', 'publish'] }, keeper)).rejects.toMatchObject({
      code: 'ROLE_EXCEEDS',
    })
    await team.give(home, held, { roleId: held.roleId, channelIds: [one] })
    await edit(home, held.roleId, 'More', { post: ['create', 'publish'] }, keeper)
  })

  it('is deleted only if no member or invitation uses it', async () => {
    const home = await app.signedInOwner()
    const held = await team.holder(home, writer)
    await expect(remove(home, held.roleId)).rejects.toMatchObject({
      code: 'ROLE_IN_USE',
      problem: { detail: '1 member has this role. Give them another one first.', meta: { members: 1, invites: 0 } },
    })
    await team.give(home, held, { roleId: home.roles.user })
    expect((await remove(home, held.roleId)).message).toBe('Role deleted successfully')
    expect(await team.lastAudit(home)).toMatchObject({ action: 'deleted', entity: 'role', entity_id: held.roleId })
    await expect(remove(home, held.roleId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it("isn't deleted while it's being assigned: one of the two happens", async () => {
    const home = await app.signedInOwner()
    const teammate = await app.colleague(home, 'user')
    for (let round = 0; round < 5; round++) {
      const roleId = await team.role(home, writer)
      const [assigned, removed] = await Promise.allSettled([
        assign(home, { roleId, userId: teammate.personId, channelIds: null }),
        remove(home, roleId),
      ])
      expect([assigned.status, removed.status].toSorted()).toEqual(['fulfilled', 'rejected'])
      if (assigned.status === 'rejected') expect(assigned.reason).toMatchObject({ code: 'NOT_FOUND' })
      if (removed.status === 'rejected') expect(removed.reason).toMatchObject({ code: 'ROLE_IN_USE' })
    }
  })
})

describe('a system role', () => {
  it("can't be changed or deleted by anyone", async () => {
    const home = await app.signedInOwner()
    for (const kind of ['admin', 'editor', 'user'] as const) {
      await expect(edit(home, home.roles[kind], 'Mine', writer)).rejects.toMatchObject({ code: 'SYSTEM_ROLE' })
      await expect(remove(home, home.roles[kind])).rejects.toMatchObject({ code: 'SYSTEM_ROLE' })
    }
  })
})

describe('assigning', () => {
  it('sets role, channels and publishing choice, from the next request', async () => {
    const home = await app.signedInOwner()
    const [one, two] = [await channel(home), await channel(home)]
    const teammate = await app.colleague(home, 'user')
    const done = await assign(home, {
      roleId: home.roles.editor,
      userId: teammate.personId,
      channelIds: [one, one],
      publishing: 'none',
    })
    expect(done.message).toBe('Role assigned successfully')
    const now = await mine(home, teammate)
    expect(now).toEqual({
      isOrgAdmin: false,
      roleId: home.roles.editor,
      roleName: 'Editor',
      publishing: 'none',
      channelIds: [one],
      viewOnlyByPlan: null,
      organization: { project: ['view'], user: ['view'] },
      project: withoutPublishing(systemRoles.editor.permissions),
      channel: { [one]: withoutPublishing(systemRoles.editor.permissions) },
      rights: expect.any(String),
    })
    expect(now.channel[two]).toBeUndefined()
    expect(await team.lastAudit(home)).toMatchObject({
      action: 'assigned',
      entity: 'role',
      entity_id: home.roles.editor,
      detail: {
        userId: teammate.personId,
        before: { roleId: home.roles.user, channelIds: null, publishing: 'full' },
        after: { roleId: home.roles.editor, channelIds: [one], publishing: 'none' },
      },
    })
    // without a publishing choice, it stays
    await assign(home, { roleId: home.roles.editor, userId: teammate.personId, channelIds: null })
    expect(await team.access(home, teammate)).toEqual({
      role_id: home.roles.editor,
      channel_ids: null,
      publishing: 'none',
    })
  })

  it('of Admin includes all channels; specific ones are refused and change nothing', async () => {
    const home = await app.signedInOwner()
    const one = await channel(home)
    const teammate = await app.colleague(home, 'user', { channelIds: [one] })
    await expect(
      assign(home, { roleId: home.roles.admin, userId: teammate.personId, channelIds: [one] }),
    ).rejects.toMatchObject({ code: 'BAD_INPUT', problem: { errors: { channelIds: [expect.any(String)] } } })
    expect(await team.access(home, teammate)).toMatchObject({ role_id: home.roles.user, channel_ids: [one] })
    await assign(home, { roleId: home.roles.admin, userId: teammate.personId, channelIds: null })
    expect(await team.access(home, teammate)).toMatchObject({ role_id: home.roles.admin, channel_ids: null })
  })

  it('needs at least one channel of the project, and refuses foreign, missing and deleted ones alike', async () => {
    const home = await app.signedInOwner()
    const elsewhere = await app.signedInOwner()
    const second = await app.project(home.orgId, home.person)
    const [own, foreign, next, gone] = [
      await channel(home),
      await channel(elsewhere),
      await channel({ ...home, projectId: second.projectId }),
      await channel(home),
    ]
    await app.database.owner.query('update channel set deleted_at = now() where id = $1', [gone])
    const teammate = await app.colleague(home, 'user')
    const errors = async (channelIds: string[]) =>
      (
        await app.send(
          assignRole,
          { params: home.params, body: { roleId: home.roles.user, userId: teammate.personId, channelIds } },
          { as: home.person },
        )
      ).json<{ code: string; errors?: unknown }>()
    expect(await errors([])).toMatchObject({
      code: 'BAD_INPUT',
      errors: { channelIds: ['Choose at least one channel'] },
    })
    for (const other of [foreign, next, gone, unknown])
      expect(await errors([own, other])).toMatchObject({
        code: 'BAD_INPUT',
        errors: { channelIds: ["This channel doesn't exist, or you don't have access to it."] },
      })
    expect(await team.access(home, teammate)).toMatchObject({ channel_ids: null })
  })

  it('grants no more than the caller has, and nothing to themselves', async () => {
    const home = await app.signedInOwner()
    const chief = await team.holder(home, assigner)
    const teammate = await app.colleague(home, 'none')
    for (const kind of ['admin', 'editor', 'user'] as const)
      await expect(
        assign(home, { roleId: home.roles[kind], userId: teammate.personId, channelIds: null }, chief),
      ).rejects.toMatchObject({ code: 'ROLE_EXCEEDS' })
    const below = await team.role(home, { post: ['create'] })
    await assign(home, { roleId: below, userId: teammate.personId, channelIds: null }, chief)
    await expect(
      assign(home, { roleId: below, userId: chief.personId, channelIds: null }, chief),
    ).rejects.toMatchObject({ code: 'OWN_ACCESS' })
    await expect(assign(home, { roleId: below, userId: home.person.personId, channelIds: null })).rejects.toMatchObject(
      { code: 'OWN_ACCESS' },
    )
  })

  it('compares what the role allows with No Access, and all of it with Full Publishing', async () => {
    const home = await app.signedInOwner()
    const chief = await team.holder(home, { role: ['assign'] })
    const roleId = await team.role(home, { post: ['create', 'publish'] })
    const teammate = await app.colleague(home, 'none')
    const looker = await team.holder(home, { role: ['assign'], post: ['view'] })
    await expect(
      assign(home, { roleId, userId: teammate.personId, channelIds: null, publishing: 'none' }, chief),
    ).rejects.toMatchObject({ code: 'ROLE_EXCEEDS' })
    await assign(home, { roleId, userId: teammate.personId, channelIds: null, publishing: 'none' }, looker)
    await expect(
      assign(home, { roleId, userId: teammate.personId, channelIds: null, publishing: 'full' }, looker),
    ).rejects.toMatchObject({ code: 'ROLE_EXCEEDS' })
    expect((await mine(home, teammate)).project).toEqual({
      channel: ['view'],
      post: ['view'],
      publishing: [],
      queue: [],
    })
  })

  it('takes nothing from people who may do more than the caller', async () => {
    const home = await app.signedInOwner()
    const chief = await team.holder(home, assigner)
    const editor = await app.colleague(home, 'editor')
    const below = await team.role(home, { post: ['create'] })
    await expect(
      assign(home, { roleId: below, userId: editor.personId, channelIds: null }, chief),
    ).rejects.toMatchObject({ code: 'ROLE_EXCEEDS' })
    expect(await team.access(home, editor)).toMatchObject({ role_id: home.roles.editor })
  })

  it("doesn't affect organization admins, who are Admin everywhere", async () => {
    const home = await app.signedInOwner()
    const admin = await app.colleague(home, 'admin')
    await expect(
      assign(home, { roleId: home.roles.user, userId: home.person.personId, channelIds: null }, admin),
    ).rejects.toMatchObject({ code: 'ORG_ADMIN' })
  })

  it('only finds members and roles of this project', async () => {
    const home = await app.signedInOwner()
    const second = await app.project(home.orgId, home.person)
    const [teammate, outsider] = [await app.colleague(home, 'user'), await app.memberOnly(home)]
    await expect(
      assign(home, { roleId: second.roles.user, userId: teammate.personId, channelIds: null }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(
      assign(home, { roleId: home.roles.user, userId: outsider.personId, channelIds: null }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(assign(home, { roleId: home.roles.user, userId: unknown, channelIds: null })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('a caller limited to channels', () => {
  const rights = { ...assigner, post: ['create', 'edit'] }

  it('assigns only their own, and never all', async () => {
    const home = await app.signedInOwner()
    const [one, two] = [await channel(home), await channel(home)]
    const chief = await team.holder(home, rights, { channelIds: [one] })
    const roleId = await team.role(home, { post: ['create'] })
    const teammate = await app.colleague(home, 'none', { channelIds: [one] })
    await expect(assign(home, { roleId, userId: teammate.personId, channelIds: null }, chief)).rejects.toMatchObject({
      code: 'ROLE_EXCEEDS',
    })
    await expect(
      assign(home, { roleId, userId: teammate.personId, channelIds: [one, two] }, chief),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await assign(home, { roleId, userId: teammate.personId, channelIds: [one] }, chief)
    expect(await team.access(home, teammate)).toEqual({ role_id: roleId, channel_ids: [one], publishing: 'full' })
  })

  it('changes their part of the channels; the rest stays, with its permissions', async () => {
    const home = await app.signedInOwner()
    const [one, two, three] = [await channel(home), await channel(home), await channel(home)]
    const chief = await team.holder(home, rights, { channelIds: [one, two] })
    const [roleId, other] = [await team.role(home, { post: ['create'] }), await team.role(home, { post: ['edit'] })]
    const teammate = await app.colleague(home, 'none')
    await team.give(home, teammate, { roleId, channelIds: [one, three] })
    await assign(home, { roleId, userId: teammate.personId, channelIds: [two] }, chief)
    expect(await team.access(home, teammate)).toEqual({
      role_id: roleId,
      channel_ids: [two, three],
      publishing: 'full',
    })
    await expect(
      assign(home, { roleId: other, userId: teammate.personId, channelIds: [two] }, chief),
    ).rejects.toMatchObject({ code: 'ROLE_EXCEEDS' })
    await expect(
      assign(home, { roleId, userId: teammate.personId, channelIds: [two], publishing: 'none' }, chief),
    ).rejects.toMatchObject({ code: 'ROLE_EXCEEDS' })
    // a deleted channel belongs to no one anymore
    await app.database.owner.query('update channel set deleted_at = now() where id = $1', [three])
    await assign(home, { roleId: other, userId: teammate.personId, channelIds: [two] }, chief)
    expect(await team.access(home, teammate)).toEqual({ role_id: other, channel_ids: [two], publishing: 'full' })
  })

  it('changes no one who has every channel', async () => {
    const home = await app.signedInOwner()
    const one = await channel(home)
    const chief = await team.holder(home, rights, { channelIds: [one] })
    const roleId = await team.role(home, { post: ['create'] })
    const teammate = await app.colleague(home, 'none')
    await expect(assign(home, { roleId, userId: teammate.personId, channelIds: [one] }, chief)).rejects.toMatchObject({
      code: 'ROLE_EXCEEDS',
    })
    expect(
      (await app.call(listRoles, { params: home.params }, { as: await app.colleague(home, 'admin') })).roles.every(
        ({ assignable }) => assignable,
      ),
    ).toBe(true)
  })
})

describe('open screens', () => {
  it('learn about a changed role, and its streams restart', async () => {
    const home = await app.signedInOwner()
    const one = await channel(home)
    const teammate = await app.colleague(home, 'editor')
    const [ours, theirs] = [
      await openEvents(address, home.params, home.person),
      await openEvents(address, home.params, teammate),
    ]
    await until(() => ours.messages.length > 0 && theirs.messages.length > 0)
    await assign(home, { roleId: home.roles.user, userId: teammate.personId, channelIds: null })
    await until(() => ours.changes().some(({ kind, ref }) => kind === 'member' && ref === teammate.personId))
    await theirs.ended
    // so do those of the same role with other channels
    const again = await openEvents(address, home.params, teammate)
    await until(() => again.messages.length > 0)
    await assign(home, { roleId: home.roles.user, userId: teammate.personId, channelIds: [one] })
    await again.ended
    ours.close()
  })

  it('learn about a changed role, whatever is left of it', async () => {
    const home = await app.signedInOwner()
    const held = await team.holder(home, writer)
    const theirs = await openEvents(address, home.params, held)
    await until(() => theirs.messages.length > 0)
    await edit(home, held.roleId, 'Nothing', { label: ['view'] })
    await until(() => theirs.changes().some(({ kind, ref }) => kind === 'member' && ref === held.roleId))
    expect(await mine(home, held)).toMatchObject({ project: { channel: ['view'], label: ['view'] } })
    theirs.close()
  })
})
