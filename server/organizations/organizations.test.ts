import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createOrganization,
  createProject,
  home,
  myPermissions,
  onboarding,
  plan,
  setOnboardingStep,
} from '#contract/organizations.ts'
import { systemRoles } from '#contract/permissions.ts'
import type { TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const rows = async <T extends object>(sql: string, values: unknown[]): Promise<T[]> =>
  (await app.database.owner.query<T>(sql, values)).rows
const newOrg = { orgType: 'organization', orgName: 'Rook & Co'.replace('&', 'and'), orgSize: '2-10' } as const

describe('an organization', () => {
  it('is created with its creator as admin, a 14-day trial and an audit entry', async () => {
    const person = await app.person()
    const { orgId } = await app.call(createOrganization, { body: newOrg }, { as: person })
    expect(await app.call(plan, { params: { orgId } }, { as: person })).toEqual({
      planId: 'team',
      planStatus: 'TRIAL_ACTIVE',
      trailEndsAt: '2026-12-05T10:00:00.000Z',
      currentChannels: 0,
      restingChannels: 0,
      maxChannels: 20,
      currentUsers: 1,
      maxUsers: null,
      currentProjects: 0,
      maxProjects: null,
      scheduledCap: 10,
      valid: true,
      closed: [],
    })
    expect(
      await rows('select person_id, action, entity, entity_id, detail from audit where org_id = $1', [orgId]),
    ).toEqual([
      {
        person_id: person.personId,
        action: 'created',
        entity: 'organization',
        entity_id: orgId,
        detail: { orgType: 'organization' },
      },
    ])
    expect(await rows('select is_admin from member where org_id = $1', [orgId])).toEqual([{ is_admin: true }])
    expect(await app.call(home, {}, { as: person })).toMatchObject({
      organizations: [{ orgId, orgName: 'Rook and Co', isOrgAdmin: true, projects: [] }],
      onboarding: { step: 'setupProject', orgId, projectId: null },
      lastProject: null,
    })
  })

  it('of type Individual has the size 1', async () => {
    const person = await app.person()
    await app.call(
      createOrganization,
      { body: { orgType: 'individual', orgName: 'Ada Test', orgSize: '1' } },
      { as: person },
    )
    await expect(
      app.call(
        createOrganization,
        { body: { orgType: 'individual', orgName: 'Ada Test', orgSize: '2-10' } },
        { as: person },
      ),
    ).rejects.toMatchObject({ code: 'BAD_INPUT', problem: { errors: { orgSize: ['An Individual has the size 1'] } } })
  })

  it('validates its name with the specified messages, and stores nothing otherwise', async () => {
    const person = await app.person()
    const name = async (orgName: string) => {
      const response = await app.send(createOrganization, { body: { ...newOrg, orgName } }, { as: person })
      return response.json<{ errors?: { orgName?: string[] } }>().errors?.orgName
    }
    expect(await name('ab')).toEqual(['Organization name must be at least 3 characters long'])
    expect(await name('x'.repeat(31))).toEqual(['Organization name is too long'])
    expect(await name('Rook & Co')).toEqual(['Organization name must be alphanumeric, with dashes and underscores'])
    expect(await rows('select from organization where created_by = $1', [person.personId])).toHaveLength(0)
  })

  it('can be created ten times a day per person, even at once, because each has a trial', async () => {
    const own = await startApp()
    const person = await own.person()
    const tries = await Promise.allSettled(
      Array.from({ length: 14 }, () => own.call(createOrganization, { body: newOrg }, { as: person })),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    await expect(own.call(createOrganization, { body: newOrg }, { as: person })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      status: 429,
    })
    own.clock.advance({ days: 1 })
    await own.call(createOrganization, { body: newOrg }, { as: person })
    await own.close()
  })

  it('loses its trial on the date alone', async () => {
    const late = await startApp()
    const owner = await late.signedInOwner()
    late.clock.advance({ days: 14 })
    expect(await late.call(plan, { params: owner.params }, { as: owner.person })).toMatchObject({
      planStatus: 'TRIAL_EXPIRED',
      valid: false,
    })
    await late.close()
  })

  it('shows its plan to members only', async () => {
    const owner = await app.signedInOwner()
    const colleague = await app.memberOnly(owner)
    expect(await app.call(plan, { params: owner.params }, { as: colleague })).toMatchObject({ planId: 'team' })
    const stranger = await app.signedInOwner()
    await expect(app.call(plan, { params: owner.params }, { as: stranger.person })).rejects.toMatchObject({
      code: 'IDENTIFIERS_ERROR',
    })
  })
})

describe('a project', () => {
  const body = { projectName: 'Spring', projectDesc: 'What we say in spring', zone: 'Europe/Berlin' }

  it('is created with its system roles, its creator as Admin and an audit entry', async () => {
    const person = await app.person()
    const orgId = await app.organization(person)
    const { projectId } = await app.call(createProject, { params: { orgId }, body }, { as: person })
    expect(await rows('select name, kind from role where project_id = $1 order by kind', [projectId])).toEqual([
      { name: 'Admin', kind: 'admin' },
      { name: 'Editor', kind: 'editor' },
      { name: 'User', kind: 'user' },
    ])
    expect(
      await rows('select name, description, zone, onboarding_step from project where id = $1', [projectId]),
    ).toEqual([
      { name: 'Spring', description: 'What we say in spring', zone: 'Europe/Berlin', onboarding_step: 'addChannels' },
    ])
    expect(
      await rows('select r.kind from project_member m join role r on r.id = m.role_id where m.project_id = $1', [
        projectId,
      ]),
    ).toEqual([{ kind: 'admin' }])
    expect(await rows('select entity, entity_id, project_id from audit where org_id = $1', [orgId])).toEqual([
      { entity: 'project', entity_id: projectId, project_id: projectId },
    ])
    expect(await rows('select kind, ref from event where org_id = $1', [orgId])).toEqual([
      { kind: 'project', ref: projectId },
    ])
  })

  it('has a unique name in its organization, ignoring case', async () => {
    const owner = await app.signedInOwner()
    await app.call(createProject, { params: owner.params, body }, { as: owner.person })
    await expect(
      app.call(createProject, { params: owner.params, body: { ...body, projectName: 'SPRING' } }, { as: owner.person }),
    ).rejects.toMatchObject({ code: 'NAME_TAKEN', status: 409 })
    const other = await app.signedInOwner()
    await app.call(createProject, { params: other.params, body }, { as: other.person })
  })

  it('is refused with the specified messages', async () => {
    const owner = await app.signedInOwner()
    const errors = async (more: object) =>
      (await app.send(createProject, { params: owner.params, body: { ...body, ...more } }, { as: owner.person })).json<{
        errors?: unknown
      }>().errors
    expect(await errors({ projectName: ' ' })).toMatchObject({
      projectName: expect.arrayContaining(['Project Name is Required']),
    })
    expect(await errors({ projectName: 'ab' })).toEqual({
      projectName: ['Project name must be at least 3 characters long'],
    })
    expect(await errors({ projectName: 'x'.repeat(31) })).toEqual({
      projectName: ['Project name must not exceed 30 characters'],
    })
    expect(await errors({ projectName: 'Spring!' })).toEqual({ projectName: ['Invalid Project name'] })
    expect(await errors({ projectDesc: 'x'.repeat(251) })).toEqual({
      projectDesc: ['Project description must not exceed 250 characters'],
    })
    expect(await errors({ zone: 'Mars/Olympus' })).toEqual({ zone: ['Unknown time zone'] })
    expect(await rows('select from project where org_id = $1', [owner.orgId])).toHaveLength(1)
  })

  it('is limited to one on the Free plan, even for two simultaneous requests', async () => {
    const person = await app.person()
    const orgId = await app.organization(person)
    await app.database.owner.query("update plan set plan_id = 'free', status = 'ACTIVE' where org_id = $1", [orgId])
    const both = await Promise.allSettled(
      ['One', 'Two'].map((name) =>
        app.call(createProject, { params: { orgId }, body: { projectName: `Project ${name}` } }, { as: person }),
      ),
    )
    expect(both.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    expect(both.find((one) => one.status === 'rejected')?.reason).toMatchObject({
      code: 'PLAN_LIMIT',
      status: 402,
      problem: { meta: { gate: 'projects' } },
    })
  })

  it('is created by organization admins only', async () => {
    const owner = await app.signedInOwner()
    const admin = await app.colleague(owner, 'admin')
    await expect(app.call(createProject, { params: owner.params, body }, { as: admin })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    const stranger = await app.signedInOwner()
    await expect(
      app.call(createProject, { params: owner.params, body }, { as: stranger.person }),
    ).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
  })
})

describe('home', () => {
  it('is empty for a new person', async () => {
    const person = await app.person()
    expect(await app.call(home, {}, { as: person })).toMatchObject({
      organizations: [],
      invites: [],
      onboarding: { step: 'addOrganization', orgId: null, projectId: null },
      lastProject: null,
    })
  })

  it('keeps an admin at an unfinished step, and lets a colleague start working', async () => {
    const owner = await app.signedInOwner()
    const colleague = await app.colleague(owner, 'editor')
    const place = { orgId: owner.orgId, projectId: owner.projectId }
    expect((await app.call(home, {}, { as: owner.person })).onboarding).toEqual({ step: 'addChannels', ...place })
    expect((await app.call(home, {}, { as: colleague })).onboarding).toEqual({ step: 'done', ...place })
    await app.call(setOnboardingStep, { params: owner.params, body: { step: 'done' } }, { as: owner.person })
    expect((await app.call(home, {}, { as: owner.person })).onboarding).toEqual({ step: 'done', ...place })
  })

  it('lists the projects a person can enter, and leads back to the last one that still exists', async () => {
    const owner = await app.signedInOwner()
    // later: projects of one moment have no order of their own
    app.clock.advance({ minutes: 1 })
    const second = await app.project(owner.orgId, owner.person, { name: 'Second', zone: 'Asia/Tokyo' })
    const editor = await app.colleague(owner, 'editor')
    expect(
      (await app.call(home, {}, { as: editor })).organizations[0]?.projects.map((project) => project.projectId),
    ).toEqual([owner.projectId])
    expect((await app.call(home, {}, { as: owner.person })).organizations[0]?.projects).toMatchObject([
      { projectId: owner.projectId },
      { projectId: second.projectId, zone: 'Asia/Tokyo', channels: 0 },
    ])
    await app.call(myPermissions, { params: { orgId: owner.orgId, projectId: second.projectId } }, { as: owner.person })
    await until(
      async () => (await app.call(home, {}, { as: owner.person })).lastProject?.projectId === second.projectId,
    )
    await app.database.owner.query('delete from project where id = $1', [second.projectId])
    expect((await app.call(home, {}, { as: owner.person })).lastProject).toEqual({
      orgId: owner.orgId,
      projectId: owner.projectId,
    })
  })

  it('drops an organization when the membership ends', async () => {
    const owner = await app.signedInOwner()
    const editor = await app.colleague(owner, 'editor')
    await app.database.owner.query('update member set removed_at = now() where person_id = $1', [editor.personId])
    expect(await app.call(home, {}, { as: editor })).toMatchObject({ organizations: [], lastProject: null })
  })
})

describe('onboarding', () => {
  it('moves from step to step', async () => {
    const owner = await app.signedInOwner()
    expect(await app.call(onboarding, { params: owner.params }, { as: owner.person })).toMatchObject({
      step: 'addChannels',
    })
    await app.call(setOnboardingStep, { params: owner.params, body: { step: 'addUsers' } }, { as: owner.person })
    expect(await app.call(onboarding, { params: owner.params }, { as: owner.person })).toMatchObject({
      step: 'addUsers',
    })
    // the first two steps come before there's a project
    for (const step of ['sideways', 'addOrganization', 'setupProject']) {
      const bad = await app.send(setOnboardingStep, { params: owner.params, body: { step } }, { as: owner.person })
      expect(bad.json()).toMatchObject({ code: 'BAD_INPUT' })
    }
    expect(await app.call(onboarding, { params: owner.params }, { as: owner.person })).toMatchObject({
      step: 'addUsers',
    })
  })

  it('only advances for people who can connect channels', async () => {
    const owner = await app.signedInOwner()
    const admin = await app.colleague(owner, 'admin')
    const put = (as: TestPerson) =>
      app.call(setOnboardingStep, { params: owner.params, body: { step: 'done' } }, { as })
    for (const role of ['editor', 'user', 'none'] as const)
      await expect(put(await app.colleague(owner, role))).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect((await app.call(home, {}, { as: owner.person })).onboarding.step).toBe('addChannels')
    await put(admin)
    expect((await app.call(home, {}, { as: owner.person })).onboarding.step).toBe('done')
  })
})

describe('roles/me', () => {
  it("returns the role's permissions at each level", async () => {
    const owner = await app.signedInOwner()
    const admin = {
      isOrgAdmin: true,
      roleName: 'Admin',
      organization: systemRoles.admin.permissions,
      project: systemRoles.admin.permissions,
    }
    expect(await app.call(myPermissions, { params: owner.params }, { as: owner.person })).toMatchObject(admin)
    for (const role of ['editor', 'user'] as const) {
      const colleague = await app.colleague(owner, role)
      expect(await app.call(myPermissions, { params: owner.params }, { as: colleague })).toEqual({
        isOrgAdmin: false,
        roleId: owner.roles[role],
        roleName: systemRoles[role].name,
        publishing: 'full',
        channelIds: null,
        viewOnlyByPlan: null,
        organization: { project: ['view'], user: ['view'] },
        project: systemRoles[role].permissions,
        channel: {},
        rights: expect.any(String),
      })
    }
    const none = await app.colleague(owner, 'none')
    expect(await app.call(myPermissions, { params: owner.params }, { as: none })).toMatchObject({
      roleId: null,
      roleName: null,
      project: { post: ['view'], channel: ['view'] },
    })
  })

  it('reflects a changed role from the next request on', async () => {
    const owner = await app.signedInOwner()
    const colleague = await app.colleague(owner, 'user')
    await app.database.owner.query('update project_member set role_id = $1 where person_id = $2', [
      owner.roles.editor,
      colleague.personId,
    ])
    expect(await app.call(myPermissions, { params: owner.params }, { as: colleague })).toMatchObject({
      roleName: 'Editor',
    })
    const outsider = await app.memberOnly(owner)
    await expect(app.call(myPermissions, { params: owner.params }, { as: outsider })).rejects.toMatchObject({
      code: 'IDENTIFIERS_ERROR',
    })
  })
})

describe('the onboarding wizard in two tabs', () => {
  const first = { ...newOrg, first: true }

  it('creates one organization and one project', async () => {
    const person = await app.person()
    const made = await Promise.all(
      ['Tab one', 'Tab two', 'Tab three'].map((orgName) =>
        app.call(createOrganization, { body: { ...first, orgName } }, { as: person }),
      ),
    )
    const [one] = made
    expect(new Set(made.map(({ orgId }) => orgId)).size).toBe(1)
    const orgId = one?.orgId ?? ''
    const projects = await Promise.all(
      ['Left', 'Right'].map((projectName) =>
        app.call(createProject, { params: { orgId }, body: { projectName, first: true } }, { as: person }),
      ),
    )
    expect(new Set(projects.map(({ projectId }) => projectId)).size).toBe(1)
    // a tab that has been open since
    expect(await app.call(createOrganization, { body: first }, { as: person })).toEqual({ orgId })
    expect(
      await app.call(createProject, { params: { orgId }, body: { projectName: 'Late', first: true } }, { as: person }),
    ).toEqual(projects[0])
    expect(await rows("select action from audit where org_id = $1 and action = 'created'", [orgId])).toHaveLength(2)
    const standing = await app.call(home, {}, { as: person })
    expect(standing.organizations.map((org) => org.projects.length)).toEqual([1])
  })

  it("keeps no one from deliberately creating a second organization, and returns no one else's", async () => {
    const person = await app.person()
    const { orgId } = await app.call(createOrganization, { body: first }, { as: person })
    const { orgId: second } = await app.call(createOrganization, { body: newOrg }, { as: person })
    expect(second).not.toBe(orgId)
    const other = await app.person()
    await app.database.owner.query(
      'insert into member (org_id, person_id, is_admin, added_at) values ($1, $2, true, now())',
      [orgId, other.personId],
    )
    const { orgId: own } = await app.call(createOrganization, { body: first }, { as: other })
    expect([orgId, second]).not.toContain(own)
  })
})
