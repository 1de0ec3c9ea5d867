import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allChannels } from '#contract/channels.ts'
import type { EndpointShape } from '#contract/endpoint.ts'
import { deleteOrganization } from '#contract/dataRights.ts'
import { acceptInvite, declineInvite, inviteUsers, readInvite, revokeInvite } from '#contract/invites.ts'
import {
  addUser,
  appointAdmin,
  listOrgUsers,
  listUsers,
  removeFromOrganization,
  removeFromProject,
} from '#contract/members.ts'
import { home as homeCall, myPermissions } from '#contract/organizations.ts'
import {
  allows,
  effective,
  onChannel,
  permissionTable,
  publishingChoices,
  resources,
  type Permissions,
  type Resource,
} from '#contract/permissions.ts'
import { listPosts } from '#contract/postLists.ts'
import { submitPost } from '#contract/submit.ts'
import { assignRole, createRole, deleteRole, editRole } from '#contract/roles.ts'
import { modelRuns } from '../testing/modelRuns.ts'
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

const absent = '01920000-0000-7000-8000-00000000000a'
const someAddress = () => `${randomUUID().slice(0, 8)}@example.org`
/** The whole answer but its request id: what an attacker can compare. */
async function answer(endpoint: EndpointShape, input: { params?: unknown; body?: unknown }, as: TestPerson) {
  const { requestId: _, ...told } = (await app.send(endpoint, input, { as })).json<Record<string, unknown>>()
  return told
}
/** Everything that says who may do what in an organization. */
const accessIn = async (orgId: string): Promise<unknown> => {
  const read = async (table: string) =>
    (
      await app.database.owner.query(`select to_jsonb(t) as row from ${table} t where org_id = $1 order by t::text`, [
        orgId,
      ])
    ).rows
  return {
    members: await read('member'),
    projectMembers: await read('project_member'),
    roles: await read('role'),
    invites: await read('invite'),
  }
}

describe("others' IDs in a body", () => {
  it('are answered like ids of nothing, and change nothing', async () => {
    const [home, other] = [await app.signedInOwner(), await app.signedInOwner()]
    const second = await app.project(home.orgId, home.person)
    const theirs = { ...other, channelId: await channel(other), member: await app.colleague(other, 'user') }
    const next = { roleId: second.roles.user, channelId: await channel({ ...home, projectId: second.projectId }) }
    const [admin, teammate, outside] = [
      await app.colleague(home, 'admin'),
      await app.colleague(home, 'user'),
      await app.memberOnly(home),
    ]
    const before = [await accessIn(home.orgId), await accessIn(other.orgId)]
    const roleId = home.roles.user
    const userId = teammate.personId
    const bodies = (role: string, user: string, channelId: string): [EndpointShape, unknown][] => [
      [assignRole, { roleId: role, userId, channelIds: null }],
      [assignRole, { roleId, userId: user, channelIds: null }],
      [assignRole, { roleId, userId, channelIds: [channelId] }],
      [addUser, { email: outside.email, roleId: role }],
      [addUser, { email: outside.email, roleId, channelIds: [channelId] }],
      [inviteUsers, { invites: [{ email: 'a@example.org', role: 'user', roleId: role }] }],
      [inviteUsers, { invites: [{ email: 'a@example.org', role: 'user', channelIds: [channelId] }] }],
    ]
    for (const as of [home.person, admin]) {
      const nothing = bodies(absent, absent, absent)
      for (const foreign of [
        bodies(theirs.roles.user, theirs.member.personId, theirs.channelId),
        bodies(next.roleId, outside.personId, next.channelId),
      ]) {
        for (const [i, [endpoint, body]] of foreign.entries()) {
          const told = await answer(endpoint, { params: home.params, body }, as)
          expect(['NOT_FOUND', 'BAD_INPUT'], JSON.stringify(told)).toContain(told['code'])
          expect(told).toEqual(await answer(endpoint, { params: home.params, body: nothing[i]?.[1] }, as))
        }
      }
    }
    expect([await accessIn(home.orgId), await accessIn(other.orgId)]).toEqual(before)
  })

  it("in a path don't reach across projects of one organization either", async () => {
    const home = await app.signedInOwner()
    const second = await app.project(home.orgId, home.person)
    const neighbor = await app.colleague(home, 'user')
    const there = { orgId: home.orgId, projectId: second.projectId }
    const boss = await app.memberOnly(home)
    await app.call(
      addUser,
      { params: there, body: { email: boss.email, roleId: second.roles.admin } },
      { as: home.person },
    )
    const roleId = await team.role(home, { post: ['view'] })
    const { inviteIds } = await app.call(
      inviteUsers,
      { params: home.params, body: { invites: [{ email: someAddress(), role: 'user' }] } },
      { as: home.person },
    )
    const before = await accessIn(home.orgId)
    // Admin of the second project, nobody in the first: by the own project's address and by the foreign one
    for (const [endpoint, id] of [
      [removeFromProject, { userId: neighbor.personId }],
      [deleteRole, { roleId }],
      [revokeInvite, { inviteId: inviteIds[0] }],
    ] as const) {
      expect(await answer(endpoint, { params: { ...there, ...id } }, boss)).toMatchObject({ code: 'NOT_FOUND' })
      expect(await answer(endpoint, { params: { ...home.params, ...id } }, boss)).toMatchObject({
        code: 'IDENTIFIERS_ERROR',
      })
    }
    expect(await accessIn(home.orgId)).toEqual(before)
  })
})

describe('climbing', () => {
  it('by an own assignment, an own role, an own removal: refused', async () => {
    const home = await app.signedInOwner()
    const climber = await team.holder(home, {
      role: ['assign', 'create', 'edit', 'delete'],
      user: ['add', 'delete'],
      post: ['create'],
    })
    const before = await team.access(home, climber)
    const calls: [EndpointShape, Record<string, string>, unknown, string][] = [
      [assignRole, {}, { roleId: home.roles.admin, userId: climber.personId, channelIds: null }, 'OWN_ACCESS'],
      [editRole, { roleId: climber.roleId }, { name: 'Mine', permissions: { post: ['publish'] } }, 'OWN_ACCESS'],
      [removeFromProject, { userId: climber.personId }, undefined, 'OWN_ACCESS'],
      [inviteUsers, {}, { invites: [{ email: climber.email, role: 'admin' }] }, 'ROLE_EXCEEDS'],
      [addUser, {}, { email: climber.email, roleId: home.roles.admin }, 'ROLE_EXCEEDS'],
      [addUser, {}, { email: climber.email, roleId: climber.roleId }, 'ALREADY_MEMBER'],
      [appointAdmin, { userId: climber.personId }, { isOrgAdmin: true }, 'FORBIDDEN'],
      [removeFromOrganization, { userId: home.person.personId }, undefined, 'FORBIDDEN'],
      [listOrgUsers, {}, undefined, 'FORBIDDEN'],
    ]
    for (const [endpoint, ids, body, code] of calls)
      expect(
        await answer(endpoint, { params: { ...home.params, ...ids }, ...(body !== undefined && { body }) }, climber),
        endpoint.path,
      ).toMatchObject({ code })
    expect(await team.access(home, climber)).toEqual(before)
  })

  it('by inviting a second self as Admin, with only the right to add users: refused, for every role beyond the own', async () => {
    const home = await app.signedInOwner()
    const climber = await team.holder(home, { user: ['add'] })
    for (const role of ['admin', 'editor', 'user'] as const)
      for (const publishing of publishingChoices)
        expect(
          await answer(
            inviteUsers,
            { params: home.params, body: { invites: [{ email: someAddress(), role, publishing }] } },
            climber,
          ),
        ).toMatchObject({ code: 'ROLE_EXCEEDS' })
  })

  it("by a new role with more, and fields that no body has: what isn't held can't be made", async () => {
    const home = await app.signedInOwner()
    const climber = await team.holder(home, { role: ['create', 'assign'], post: ['create'] })
    expect(
      await answer(
        createRole,
        { params: home.params, body: { name: 'Wide', permissions: { post: ['publish'] } } },
        climber,
      ),
    ).toMatchObject({ code: 'ROLE_EXCEEDS' })
    const made = await app.send(
      createRole,
      {
        params: home.params,
        body: {
          name: 'Odd',
          kind: 'admin',
          orgId: absent,
          permissions: { post: ['create'] },
        },
      },
      { as: climber },
    )
    for (const beyond of [{ project: ['delete'] }, { org_settings: ['edit'] }, { audit: ['view'] }])
      expect(
        await answer(
          createRole,
          { params: home.params, body: { name: 'Beyond', permissions: { post: ['create'], ...beyond } } },
          climber,
        ),
      ).toMatchObject({ code: 'BAD_INPUT' })
    const { rows } = await app.database.owner.query('select kind, org_id, permissions from role where id = $1', [
      made.json<{ roleId: string }>().roleId,
    ])
    expect(rows).toEqual([
      { kind: 'custom', org_id: home.orgId, permissions: { channel: ['view'], post: ['view', 'create'] } },
    ])
    const outside = await app.memberOnly(home)
    await app.send(
      addUser,
      { params: home.params, body: { email: outside.email, roleId: home.roles.user, isOrgAdmin: true } },
      { as: home.person },
    )
    expect(await app.call(myPermissions, { params: home.params }, { as: outside })).toMatchObject({
      isOrgAdmin: false,
      roleName: 'User',
    })
  })

  it('through organization calls: refers project admins to organization admins', async () => {
    const home = await app.signedInOwner()
    const admin = await app.colleague(home, 'admin')
    for (const endpoint of [listOrgUsers, deleteOrganization])
      expect(await answer(endpoint, { params: home.params }, admin)).toMatchObject({
        code: 'FORBIDDEN',
        detail: 'Only organization admins can do this. Ask one of them.',
      })
    const user = await app.colleague(home, 'user')
    expect(
      await answer(createRole, { params: home.params, body: { name: 'Mine', permissions: {} } }, user),
    ).toMatchObject({ code: 'FORBIDDEN', detail: "Your role doesn't allow this. Ask a project admin." })
  })

  it('by publishing: the person who has No Access gives none', async () => {
    const home = await app.signedInOwner()
    const climber = await app.colleague(home, 'none')
    await team.give(home, climber, { roleId: home.roles.admin, publishing: 'none' })
    const accomplice = await app.colleague(home, 'none')
    const give = (publishing: 'full' | 'none') =>
      answer(
        assignRole,
        {
          params: home.params,
          body: { roleId: home.roles.editor, userId: accomplice.personId, channelIds: null, publishing },
        },
        climber,
      )
    expect(await give('full')).toMatchObject({ code: 'ROLE_EXCEEDS' })
    expect(await give('none')).toMatchObject({ message: 'Role assigned successfully' })
    // and doesn't take it from those who have it
    const editor = await app.colleague(home, 'editor')
    expect(
      await answer(removeFromProject, { params: { ...home.params, userId: editor.personId } }, climber),
    ).toMatchObject({ code: 'ROLE_EXCEEDS' })
  })

  // the tools of climbing, and a few goods: small enough that chance meets calls that are allowed
  const tools = (['role', 'user'] as const).flatMap((resource) =>
    permissionTable[resource].map((action): [Resource, string] => [resource, action]),
  )
  const goods: [Resource, string][] = [
    ['post', 'create'],
    ['post', 'publish'],
    ['label', 'create'],
    ['campaign', 'create'],
  ]
  const ofGoods = fc.subarray(goods)
  const someChannels = fc.option(fc.subarray([0, 1, 2], { minLength: 1 }), { nil: null, freq: 2 })
  const aChoice = fc.constantFrom(...publishingChoices)
  const anAccess = fc.record({ held: ofGoods, channels: someChannels, publishing: aChoice })
  const aStep = fc.record({
    actor: fc.nat(1),
    kind: fc.constantFrom('assign', 'assign', 'create', 'edit', 'remove', 'invite', 'delete'),
    role: fc.nat(7),
    held: fc.tuple(fc.subarray(tools), ofGoods),
    channels: someChannels,
    publishing: aChoice,
  })

  const { runs, seed, timeout } = modelRuns('climbing roles')
  it(
    'together: whatever two or their invited selves do to each other, they never reach more than they had between them',
    { timeout },
    async () => {
      const home = await app.signedInOwner()
      const channelIds = [await channel(home), await channel(home), await channel(home)]
      const named = (chosen: number[] | null) => chosen && chosen.map((i) => channelIds[i] ?? '')
      let done = 0
      const climb = async (round: number): Promise<number> => {
        await fc.assert(
          fc.asyncProperty(
            anAccess,
            anAccess,
            fc.array(aStep, { minLength: 8, maxLength: 16 }),
            async (first, second, steps) => {
              const people = await Promise.all(
                [first, second].map(({ held, channels, publishing }) =>
                  team.holder(home, asPermissions([...tools, ...held]), { channelIds: named(channels), publishing }),
                ),
              )
              const roles = [...people.map(({ roleId }) => roleId), home.roles.user, home.roles.admin]
              const gang: TestPerson[] = [...people]
              const had = await reached(home, gang, channelIds)
              for (const step of steps) {
                const [actor, target] = [gang[step.actor], gang[1 - step.actor]]
                if (!actor || !target) continue
                // the newest first: what was made on the way is what climbing would need
                const roleId = roles.toReversed()[step.role % roles.length] ?? ''
                const assignment = { roleId, channelIds: named(step.channels), publishing: step.publishing }
                const params = home.params
                const calls = {
                  assign: () =>
                    app.send(assignRole, { params, body: { ...assignment, userId: target.personId } }, { as: actor }),
                  create: () =>
                    app.send(
                      createRole,
                      {
                        params,
                        body: {
                          name: `Made ${randomUUID().slice(0, 8)}`,
                          permissions: asPermissions(step.held.flat()),
                        },
                      },
                      { as: actor },
                    ),
                  edit: () =>
                    app.send(
                      editRole,
                      {
                        params: { ...params, roleId },
                        body: {
                          name: `Edited ${randomUUID().slice(0, 8)}`,
                          permissions: asPermissions(step.held.flat()),
                        },
                      },
                      { as: actor },
                    ),
                  remove: () =>
                    app.send(removeFromProject, { params: { ...params, userId: target.personId } }, { as: actor }),
                  invite: () =>
                    app.send(
                      inviteUsers,
                      { params, body: { invites: [{ ...assignment, role: 'user', email: someAddress() }] } },
                      { as: actor },
                    ),
                  delete: () => app.send(deleteRole, { params: { ...params, roleId } }, { as: actor }),
                }
                const response = await calls[step.kind]()
                expect(response.statusCode, response.body).toBeLessThan(500)
                const reply = response.json<{ roleId?: string; inviteIds?: string[] }>()
                if (response.statusCode < 400) done += 1
                if (step.kind === 'create' && reply.roleId) roles.push(reply.roleId)
                if (reply.inviteIds?.[0]) gang.push(await secondSelf(reply.inviteIds[0]))
                const have = await reached(home, gang, channelIds)
                expect(
                  [...have].filter((right) => !had.has(right)),
                  `${step.kind} by ${step.actor}`,
                ).toEqual([])
              }
            },
          ),
          { numRuns: runs, seed: seed + round },
        )
        return done
      }
      // refused calls show nothing, so random calls continue until enough were allowed, about 30 a round
      let allowed = 0
      for (let round = 0; round < 6 && allowed <= 20; round += 1) allowed = await climb(round)
      expect(allowed).toBeGreaterThan(20)
    },
  )

  /** Accepts the invitation with a new account of its address. */
  async function secondSelf(inviteId: string): Promise<TestPerson> {
    const { email } = await app.call(readInvite, { params: { inviteId } })
    const self = await app.person({ email })
    await app.call(acceptInvite, { params: { inviteId } }, { as: self })
    return self
  }

  /** What a group may do, as `channel resource.action`; for the project as a whole, without a channel. */
  async function reached(
    home: TestHome,
    gang: readonly TestPerson[],
    channelIds: readonly string[],
  ): Promise<Set<string>> {
    const found = new Set<string>()
    for (const member of gang) {
      const held = await team.access(home, member)
      if (!held) continue
      const { rows } = await app.database.owner.query<{ permissions: Permissions }>(
        'select permissions from role where id = $1',
        [held.role_id],
      )
      const permissions = effective(rows[0]?.permissions ?? {}, held.publishing === 'none' ? 'none' : 'full')
      for (const place of [...channelIds, 'later']) {
        const there =
          place === 'later' && held.channel_ids !== null ? {} : onChannel(permissions, held.channel_ids, place)
        for (const resource of resources)
          for (const action of permissionTable[resource])
            if (allows(there, resource, action)) found.add(`${place} ${resource}.${action}`)
      }
    }
    return found
  }

  function asPermissions(held: readonly [Resource, string][]): Permissions {
    return Object.fromEntries(
      resources.map((resource) => [resource, held.filter(([of]) => of === resource).map(([, action]) => action)]),
    )
  }
})

describe('links of invitations', () => {
  it('tell the same of every id that is none, to strangers and to people who are signed in', async () => {
    const home = await app.signedInOwner()
    const ids = [randomUUID(), home.orgId, home.person.personId, home.roles.admin, 'x', '%2e%2e']
    const told = await Promise.all(
      ids.flatMap((inviteId) => [
        answer(readInvite, { params: { inviteId } }, { ...home.person, cookies: new Map() }),
        answer(acceptInvite, { params: { inviteId } }, home.person),
        answer(declineInvite, { params: { inviteId } }, home.person),
      ]),
    )
    for (const one of told) expect(one).toEqual(told[0])
    expect(told[0]).toMatchObject({ code: 'INVITE_NOT_FOUND', status: 404 })
  })

  it('are random all through: nothing of one is in the next', async () => {
    const home = await app.signedInOwner()
    const { inviteIds } = await app.call(
      inviteUsers,
      {
        params: home.params,
        body: { invites: Array.from({ length: 10 }, () => ({ email: someAddress(), role: 'user' as const })) },
      },
      { as: home.person },
    )
    for (const id of inviteIds) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
    expect(new Set(inviteIds.map((id) => id.slice(0, 8))).size).toBe(10)
  })

  it('are of no use to anyone who finds one: only its address may answer', async () => {
    const home = await app.signedInOwner()
    const finder = await app.signedInOwner()
    const { inviteIds } = await app.call(
      inviteUsers,
      { params: home.params, body: { invites: [{ email: someAddress(), role: 'admin' }] } },
      { as: home.person },
    )
    const before = await accessIn(home.orgId)
    for (const endpoint of [acceptInvite, declineInvite])
      expect(await answer(endpoint, { params: { inviteId: inviteIds[0] } }, finder.person)).toMatchObject({
        code: 'INVITE_WRONG_ADDRESS',
      })
    expect(await accessIn(home.orgId)).toEqual(before)
    expect((await app.call(homeCall, {}, { as: finder.person })).organizations).toHaveLength(1)
  })
})

describe('a removed member with an open stream and an old session', () => {
  it("sees the stream end, and every call of the place refused as if it weren't there", async () => {
    const home = await app.signedInOwner()
    const channelId = await channel(home)
    const teammate = await app.colleague(home, 'editor')
    const [stream, other] = [
      await openEvents(address, home.params, teammate),
      await openEvents(address, home.params, await app.anotherBrowser(teammate)),
    ]
    await until(() => stream.messages.length > 0 && other.messages.length > 0)
    const cursor = stream.messages.at(-1)?.id
    await app.call(
      removeFromOrganization,
      { params: { orgId: home.orgId, userId: teammate.personId } },
      { as: home.person },
    )
    await Promise.all([stream.ended, other.ended])
    await expect(openEvents(address, home.params, teammate, cursor)).rejects.toThrow('IDENTIFIERS_ERROR')
    const body = {
      intent: 'PUBLISH',
      channels: [{ channelId, postType: 'post', contents: [{ text: 'Still here', media: [] }] }],
      schedule: { type: 'NOW' },
    }
    for (const [endpoint, input] of [
      [listPosts, {}],
      [allChannels, {}],
      [listUsers, {}],
      [myPermissions, {}],
      [submitPost, { body }],
    ] as const)
      expect(await answer(endpoint, { params: home.params, ...input }, teammate)).toMatchObject({
        code: 'IDENTIFIERS_ERROR',
      })
    // the session itself is the person's own
    expect((await app.call(homeCall, {}, { as: teammate })).organizations).toEqual([])
    const { rows } = await app.database.owner.query('select from post where author_id = $1', [teammate.personId])
    expect(rows).toHaveLength(0)
  })

  it('of one project keeps the other', async () => {
    const home = await app.signedInOwner()
    const second = await app.project(home.orgId, home.person)
    const there = { orgId: home.orgId, projectId: second.projectId }
    const teammate = await app.colleague(home, 'user')
    await app.call(
      addUser,
      { params: there, body: { email: teammate.email, roleId: second.roles.user } },
      { as: home.person },
    )
    const [here, kept] = [await openEvents(address, home.params, teammate), await openEvents(address, there, teammate)]
    await until(() => here.messages.length > 0 && kept.messages.length > 0)
    await app.call(removeFromProject, { params: { ...home.params, userId: teammate.personId } }, { as: home.person })
    await here.ended
    // its screens get the event, since the list of projects is on them
    await until(() => kept.changes().some(({ kind, ref }) => kind === 'member' && ref === teammate.personId))
    expect(kept.isOpen).toBe(true)
    expect(await app.call(myPermissions, { params: there }, { as: teammate })).toMatchObject({ roleName: 'User' })
    kept.close()
  })
})
