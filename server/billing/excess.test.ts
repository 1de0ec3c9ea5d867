import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as billing from '#contract/billing.ts'
import { allChannels, createAccess, enableChannel } from '#contract/channels.ts'
import { myPermissions } from '#contract/organizations.ts'
import { deleteOrgChannel, deleteProject, listOrgChannels } from '#contract/orgSettings.ts'
import { contentOn } from '../testing/content.ts'
import { cardOf } from '../testing/billing.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { openWhatFits } from './openings.ts'

let app: TestApp
let home: TestHome
let colleague: TestPerson
let channels: string[]
beforeAll(async () => {
  app = await startApp({ env: { PAYMENTS: 'local' } })
})
afterAll(() => app.close())

/* A team whose plan has ended: five channels, two projects, three people. */
let second: string
beforeEach(async () => {
  home = await app.signedInOwner()
  colleague = await app.colleague(home, 'editor')
  await app.colleague(home, 'user')
  channels = []
  for (let i = 0; i < 5; i++) channels.push(await contentOn(app.parts).channel(home))
  second = (await app.project(home.orgId, home.person)).projectId
  await app.database.owner.query("update plan set status = 'CANCELLED', trial_ends_at = null where org_id = $1", [
    home.orgId,
  ])
})

const as = {
  get as() {
    return home.person
  },
}
const read = () => app.call(billing.excess, { params: home.params }, as)
const keep = (choice: Partial<{ channelIds: string[]; userIds: string[]; projectIds: string[] }> = {}) =>
  app.call(
    billing.keepActive,
    {
      params: home.params,
      body: {
        channelIds: channels.slice(0, 3),
        userIds: [home.person.personId],
        projectIds: [home.projectId],
        ...choice,
      },
    },
    as,
  )
const free = () => app.call(billing.switchToFree, { params: home.params, body: {} }, as)
const enabled = async () =>
  (await app.call(allChannels, { params: home.params }, as)).channels
    .filter((one) => one.enabled && !one.deleting)
    .map(({ channelId }) => channelId)
    .toSorted()
const roleOf = async (who: TestPerson) => (await app.call(myPermissions, { params: home.params }, { as: who })).roleName

async function buyTeam(): Promise<void> {
  const { transactionId } = await app.call(
    billing.checkout,
    { params: home.params, body: { basePlanId: 'team', billingInterval: 'monthly', addonQuantity: 0 } },
    as,
  )
  await app.call(
    billing.payLocally,
    { params: { ...home.params, transactionId }, body: cardOf('pays', app.clock.now()) },
    as,
  )
}

describe('what exceeds the plan', () => {
  it('is shown with what Free allows, once the plan has ended', async () => {
    expect(await read()).toMatchObject({
      channels: { allowed: 3, items: { length: 5 } },
      users: { allowed: 1, items: { length: 3 } },
      projects: { allowed: 1, items: { length: 2 } },
    })
    await expect(free()).rejects.toMatchObject({
      code: 'PLAN_ACTION_REFUSED',
      problem: { detail: 'Free plan supports only 3 Channels. You have 2 excess Channels.' },
    })
  })

  it('is paused by choice without deleting anything, and then Free can be chosen', async () => {
    const kept = await keep()
    expect(
      kept.channels.items
        .filter(({ locked }) => locked)
        .map(({ channelId }) => channelId)
        .toSorted(),
    ).toEqual(channels.slice(3).toSorted())
    expect(kept.users.items.filter(({ locked }) => locked)).toHaveLength(2)
    expect(kept.projects.items.filter(({ locked }) => locked).map(({ projectId }) => projectId)).toEqual([second])
    await free()
    expect(await enabled()).toEqual(channels.slice(0, 3).toSorted())
    expect(await roleOf(colleague)).toBeNull()
    expect(await roleOf(home.person)).toBe('Admin')
    const { rows } = await app.database.owner.query(
      'select (select count(*)::int from channel where org_id = $1 and deleted_at is null) as channels, (select count(*)::int from member where org_id = $1 and removed_at is null) as members',
      [home.orgId],
    )
    expect(rows).toEqual([{ channels: 5, members: 3 }])
  })

  it('stays paused whatever is tried: a channel needs a place, an assigned role waits', async () => {
    await keep()
    await free()
    await expect(
      app.call(enableChannel, { params: { ...home.params, channelId: channels[4] ?? '' }, body: {} }, as),
    ).rejects.toMatchObject({ code: 'PLAN_LIMIT', problem: { meta: { gate: 'channels' } } })
    await app.database.owner.query('update project_member set role_id = $1 where project_id = $2 and person_id = $3', [
      home.roles.admin,
      home.projectId,
      colleague.personId,
    ])
    await app.database.owner.query('update member set is_admin = true where org_id = $1 and person_id = $2', [
      home.orgId,
      colleague.personId,
    ])
    expect(await roleOf(colleague)).toBeNull()
  })

  it('is the stated reason for a paused channel, unless a person disabled it', async () => {
    await app.database.owner.query('update channel set enabled = false where id = $1', [channels[0]])
    await keep()
    await free()
    const locked = channels.slice(3).toSorted()
    const own = (await app.call(allChannels, { params: home.params }, as)).channels
    expect(
      own
        .filter(({ planLocked }) => planLocked)
        .map(({ channelId }) => channelId)
        .toSorted(),
    ).toEqual(locked)
    expect(own.find(({ channelId }) => channelId === channels[0])).toMatchObject({ enabled: false, planLocked: false })
    const all = (await app.call(listOrgChannels, { params: home.params }, as)).channels
    expect(
      all
        .filter(({ planLocked }) => planLocked)
        .map(({ channelId }) => channelId)
        .toSorted(),
    ).toEqual(locked)
  })

  it('keeps a paused project closed: its channels stay paused, and it takes no new one', async () => {
    const there = { orgId: home.orgId, projectId: second }
    const resting = await contentOn(app.parts).channel({ ...home, ...there, params: there })
    await keep({ channelIds: channels.slice(0, 1) })
    await free()
    // two more would fit, but not there
    await expect(
      app.call(enableChannel, { params: { ...there, channelId: resting }, body: {} }, as),
    ).rejects.toMatchObject({ code: 'PLAN_LIMIT', problem: { meta: { gate: 'projects' } } })
    expect(await app.call(createAccess, { params: there }, as)).toEqual({ allowed: false, gate: 'projects' })
    expect(
      await app.call(enableChannel, { params: { ...home.params, channelId: channels[4] ?? '' }, body: {} }, as),
    ).toMatchObject({ message: 'Channel Enabled' })
    expect((await read()).channels.items.find(({ channelId }) => channelId === channels[4])).toMatchObject({
      locked: false,
      projectId: home.projectId,
    })
  })

  it('is active again as it was once the plan includes it', async () => {
    await keep()
    await buyTeam()
    expect(await enabled()).toEqual(channels.toSorted())
    expect(await roleOf(colleague)).toBe('Editor')
    expect((await read()).projects.items.some(({ locked }) => locked)).toBe(false)
  })

  it('is also active again once enough of the rest is gone, and not before', async () => {
    await keep()
    await free()
    const gone = async (channelId: string) => {
      await app.call(deleteOrgChannel, { params: { ...home.params, channelId } }, as)
      await openWhatFits(app.parts)
    }
    await gone(channels[0] ?? '')
    expect(await enabled()).toEqual(channels.slice(1, 3).toSorted())
    // two projects are still one too many, along with their channels
    await gone(channels[1] ?? '')
    expect(await enabled()).toEqual(channels.slice(2, 3))
    await app.call(deleteProject, { params: { ...home.params, id: second } }, as)
    await openWhatFits(app.parts)
    expect(await enabled()).toEqual(channels.slice(2).toSorted())
    const entries = async () =>
      (
        await app.database.owner.query('select person_id, action from audit where org_id = $1 and action = $2', [
          home.orgId,
          'unlocked',
        ])
      ).rows
    expect(await entries()).toEqual([{ person_id: null, action: 'unlocked' }])
    // memberships continue as announced: there is one seat
    expect(await roleOf(colleague)).toBeNull()
    await openWhatFits(app.parts)
    expect(await entries()).toHaveLength(1)
  })

  it('leaves a channel disabled that a person disabled', async () => {
    await app.database.owner.query('update channel set enabled = false where id = $1', [channels[4]])
    await keep()
    await buyTeam()
    expect(await enabled()).toEqual(channels.slice(0, 4).toSorted())
  })

  it('can be chosen again', async () => {
    await keep()
    const { channels: after } = await keep({ channelIds: channels.slice(2), userIds: [home.person.personId] })
    expect(
      after.items
        .filter(({ locked }) => !locked)
        .map(({ channelId }) => channelId)
        .toSorted(),
    ).toEqual(channels.slice(2).toSorted())
  })

  it("can't be chosen beyond the plan, for others' objects, or without the person choosing", async () => {
    await expect(keep({ channelIds: channels })).rejects.toMatchObject({
      code: 'PLAN_LIMIT',
      problem: { meta: { gate: 'channels' } },
    })
    const other = await app.signedInOwner()
    await expect(keep({ projectIds: [other.projectId] })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { projectIds: expect.anything() } },
    })
    await expect(keep({ userIds: [colleague.personId] })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { userIds: expect.anything() } },
    })
    expect((await read()).channels.items.some(({ locked }) => locked)).toBe(false)
  })
})
