import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as billing from '#contract/billing.ts'
import { allChannels, createAccess, enableChannel } from '#contract/channels.ts'
import { connectAuth, connectCallback, connectConfirm } from '#contract/connect.ts'
import { listNotices } from '#contract/notices.ts'
import { createProject, myPermissions, plan } from '#contract/organizations.ts'
import type { SignedIn } from '../platforms/platform.ts'
import { cardOf } from '../testing/billing.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { openWhatFits } from './openings.ts'

/*
 * A smaller plan that someone chooses: people and accounts beyond it are paused, and nobody slips through in the
 * meantime.
 */

let app: TestApp
let home: TestHome
let count = 0
const account = (): SignedIn => ({
  account: {
    remoteId: `${++count}@rooks.example`,
    name: 'Rook',
    handle: `@rook${count}@rooks.example`,
    pictureUrl: null,
    service: 'https://rooks.example',
  },
  secret: { token: 'a token of the tests' },
  expiresAt: null,
})
beforeAll(async () => {
  const page = {
    begin: async (_: unknown, { state }: { state: string }) => ({
      kind: 'begun' as const,
      url: `https://rooks.example/?state=${state}`,
      keep: {},
    }),
    answer: async () => ({ kind: 'accounts' as const, accounts: [account()] }),
  }
  app = await startApp({ env: { PAYMENTS: 'local' }, platforms: { mastodon: testPlatform({ key: 'mastodon', page }) } })
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
})

const as = {
  get as() {
    return home.person
  },
}
const free = (who: TestPerson = home.person) =>
  app.call(billing.switchToFree, { params: home.params, body: {} }, { as: who })
async function buy(basePlanId: 'individual' | 'team', who: TestPerson = home.person): Promise<void> {
  const { transactionId } = await app.call(
    billing.checkout,
    { params: home.params, body: { basePlanId, billingInterval: 'monthly', addonQuantity: 0 } },
    { as: who },
  )
  await app.call(
    billing.payLocally,
    { params: { ...home.params, transactionId }, body: cardOf('pays', app.clock.now()) },
    { as: who },
  )
}
const mine = (who: TestPerson) => app.call(myPermissions, { params: home.params }, { as: who })
const shrunk = async (who: TestPerson) =>
  (await app.call(listNotices, { params: home.params }, { as: who })).notices.filter(
    ({ kind }) => kind === 'plan-shrank',
  )
const channelOf = async (channelId: string) =>
  (await app.call(allChannels, { params: home.params }, as)).channels.find((one) => one.channelId === channelId)

describe.each([
  ['Free', () => free()],
  ['Individual', () => buy('individual')],
] as const)('people beyond %s', (_name, choose) => {
  it('become view-only when an admin chooses it, and admins are notified; Team includes them again', async () => {
    const colleagues = [await app.colleague(home, 'editor'), await app.colleague(home, 'user')]
    await choose()
    for (const colleague of colleagues) expect(await mine(colleague)).toMatchObject({ roleName: null })
    expect(await mine(home.person)).toMatchObject({ isOrgAdmin: true, roleName: 'Admin' })
    expect(await shrunk(home.person)).toMatchObject([{ body: expect.stringContaining('2 users can only read now.') }])
    const { users } = await app.call(billing.excess, { params: home.params }, as)
    expect(users.items.filter(({ locked }) => locked)).toHaveLength(2)
    await app.database.owner.query("update plan set status = 'CANCELLED' where org_id = $1", [home.orgId])
    await buy('team')
    expect(await mine(colleagues[0] ?? home.person)).toMatchObject({ roleName: 'Editor' })
  })
})

it.each([
  ['Free', (who: TestPerson) => free(who)],
  ['Individual', (who: TestPerson) => buy('individual', who)],
] as const)('of two admins, who chose %s stays one', async (_name, choose) => {
  const other = await app.colleague(home, 'editor')
  await app.database.owner.query('update member set is_admin = true where org_id = $1 and person_id = $2', [
    home.orgId,
    other.personId,
  ])
  await choose(other)
  expect(await mine(other)).toMatchObject({ isOrgAdmin: true })
  expect(await mine(home.person)).toMatchObject({ isOrgAdmin: false, roleName: null })
})

describe('an account of X', () => {
  let x: string
  let other: string
  beforeEach(async () => {
    x = await contentOn(app.parts).channel(home)
    other = await contentOn(app.parts).channel(home)
    await app.database.owner.query("update channel set platform = 'x' where id = $1", [x])
  })
  const enable = () => app.call(enableChannel, { params: { ...home.params, channelId: x }, body: {} }, as)
  const noX = { code: 'PLAN_LIMIT', problem: { meta: { gate: 'x' } } }

  it('is paused on Free, whatever is tried, and works again with a plan that includes it', async () => {
    await free()
    expect(await channelOf(x)).toMatchObject({ enabled: false, planLocked: true })
    expect(await channelOf(other)).toMatchObject({ enabled: true, planLocked: false })
    expect((await app.database.owner.query('select paused from lane where channel_id = $1', [x])).rows).toEqual([
      { paused: true },
    ])
    expect(await shrunk(home.person)).toMatchObject([{ body: expect.stringContaining('1 channel is paused.') }])
    await openWhatFits(app.parts)
    await expect(enable()).rejects.toMatchObject(noX)
    await expect(
      app.call(
        billing.keepActive,
        {
          params: home.params,
          body: { channelIds: [x], userIds: [home.person.personId], projectIds: [home.projectId] },
        },
        as,
      ),
    ).rejects.toMatchObject(noX)
    expect(await channelOf(x)).toMatchObject({ planLocked: true })
    await buy('individual')
    expect(await channelOf(x)).toMatchObject({ enabled: true, planLocked: false })
  })

  it('frees its place for others: paused channels become active as soon as the rest fits', async () => {
    const more: string[] = [other]
    for (let i = 0; i < 3; i++) more.push(await contentOn(app.parts).channel(home))
    await app.database.owner.query("update plan set status = 'CANCELLED' where org_id = $1", [home.orgId])
    expect((await app.call(billing.excess, { params: home.params }, as)).channels).toMatchObject({
      allowed: 3,
      platforms: [{ platform: 'x', allowed: 0 }],
    })
    await app.call(
      billing.keepActive,
      {
        params: home.params,
        body: { channelIds: more.slice(0, 3), userIds: [home.person.personId], projectIds: [home.projectId] },
      },
      as,
    )
    await free()
    await app.database.owner.query('update channel set deleted_at = $2 where id = $1', [other, app.clock.now()])
    await openWhatFits(app.parts)
    expect(await channelOf(more[3] ?? '')).toMatchObject({ enabled: true, planLocked: false })
    expect(await channelOf(x)).toMatchObject({ planLocked: true })
  })

  it('that a person disabled stays disabled if the plan has no X', async () => {
    await app.database.owner.query('update channel set enabled = false where id = $1', [x])
    await app.database.owner.query("update plan set plan_id = 'free', status = 'ACTIVE' where org_id = $1", [
      home.orgId,
    ])
    await expect(enable()).rejects.toMatchObject(noX)
  })
})

it("what would be paused is shown with each plan before it's chosen", async () => {
  for (const role of ['editor', 'user'] as const) await app.colleague(home, role)
  const x = await contentOn(app.parts).channel(home)
  await app.database.owner.query("update channel set platform = 'x' where id = $1", [x])
  const rests = async () =>
    (await app.call(billing.pricing, { params: home.params }, as)).plans.map((offer) => offer.rests)
  expect(await rests()).toEqual([
    { users: 2, accounts: 1 },
    { users: 2, accounts: 0 },
    { users: 0, accounts: 0 },
  ])
  await free()
  expect(await rests()).toEqual([
    { users: 0, accounts: 0 },
    { users: 0, accounts: 0 },
    { users: 0, accounts: 0 },
  ])
})

async function keepThree(most: number): Promise<string[]> {
  const channels: string[] = []
  for (let i = 0; i < most; i++) {
    const id = randomUUIDv7()
    channels.push(id)
    await app.database.owner.query(
      "insert into channel (org_id, id, project_id, platform, remote_id, name, handle, connected_at, connected_by) values ($1, $2::uuid, $3, 'bluesky', $4, 'Theirs', '@theirs', $5, $6)",
      [home.orgId, id, home.projectId, id, new Date(app.clock.now().getTime() + i), home.person.personId],
    )
  }
  await app.database.owner.query("update plan set status = 'CANCELLED' where org_id = $1", [home.orgId])
  await app.call(
    billing.keepActive,
    {
      params: home.params,
      body: { channelIds: channels.slice(0, 3), userIds: [home.person.personId], projectIds: [home.projectId] },
    },
    as,
  )
  return channels
}
const active = async () =>
  (await app.call(allChannels, { params: home.params }, as)).channels
    .filter(({ enabled }) => enabled)
    .map(({ channelId }) => channelId)
    .toSorted()

describe('buying a larger plan', () => {
  it('reactivates what is paused up to the paid number, and every step says so before', async () => {
    const channels = await keepThree(32)
    const offers = await app.call(billing.pricing, { params: home.params }, as)
    expect(offers.holdings).toMatchObject({ channels: 3, resting: { channels: { bluesky: 29 } } })
    const { transactionId } = await app.call(
      billing.checkout,
      { params: home.params, body: { basePlanId: 'individual', billingInterval: 'monthly', addonQuantity: 20 } },
      as,
    )
    const params = { ...home.params, transactionId }
    expect(await app.call(billing.localCheckout, { params }, as)).toMatchObject({ wakes: { channels: 27 } })
    await app.call(billing.payLocally, { params, body: cardOf('pays', app.clock.now()) }, as)
    expect(await active()).toEqual(channels.slice(0, 30).toSorted())
    expect(await app.call(plan, { params: home.params }, as)).toMatchObject({
      currentChannels: 30,
      restingChannels: 2,
      maxChannels: 30,
    })
    // a choice within the current plan stays as it is
    await openWhatFits(app.parts)
    expect(await active()).toHaveLength(30)
    expect(
      await app.call(
        billing.previewPlan,
        { params: home.params, body: { addonQuantity: 12, billingInterval: 'monthly' } },
        as,
      ),
    ).toMatchObject({ wakes: { channels: 2 } })
  })

  it('reactivates what the latest choice paused first', async () => {
    const channels = await keepThree(12)
    app.clock.advance({ hours: 1 })
    // the first three are replaced by the last three
    await app.call(
      billing.keepActive,
      {
        params: home.params,
        body: { channelIds: channels.slice(9), userIds: [home.person.personId], projectIds: [home.projectId] },
      },
      as,
    )
    await buy('individual')
    expect(await active()).toEqual([...channels.slice(0, 7), ...channels.slice(9)].toSorted())
  })

  it('reactivates nothing if only the card changes or Free is chosen', async () => {
    const channels = await keepThree(5)
    await app.call(
      billing.keepActive,
      {
        params: home.params,
        body: { channelIds: channels.slice(0, 1), userIds: [home.person.personId], projectIds: [home.projectId] },
      },
      as,
    )
    await free()
    expect(await active()).toEqual(channels.slice(0, 1))
  })
})

it("doesn't count what is paused in any step, for plans and add-ons", async () => {
  const channels: string[] = []
  for (let i = 0; i < 12; i++) channels.push(await contentOn(app.parts).channel(home))
  const least = async () =>
    (await app.call(billing.pricing, { params: home.params }, as)).plans.map(({ leastAddons }) => leastAddons)
  expect(await least()).toEqual([9, 2, 0])
  await app.database.owner.query("update plan set status = 'CANCELLED' where org_id = $1", [home.orgId])
  await app.call(
    billing.keepActive,
    {
      params: home.params,
      body: { channelIds: channels.slice(0, 3), userIds: [home.person.personId], projectIds: [home.projectId] },
    },
    as,
  )
  expect(await least()).toEqual([0, 0, 0])
  await buy('individual')
  expect(await app.call(billing.billingStatus, { params: home.params }, as)).toMatchObject({
    currentChannels: 10,
    restingChannels: 2,
    maxChannels: 10,
  })
  expect(await app.call(billing.addonDetails, { params: home.params }, as)).toMatchObject({ currentChannels: 10 })
  expect(await app.call(billing.teamUpgrade, { params: home.params }, as)).toMatchObject({
    plan: { leastAddons: 0 },
    taxRate: 0,
  })
})

/*
 * A transaction of the test chooses Free and holds the plan's row; the call waits for it with the previous plan's
 * rights.
 */
describe('calls waiting while Free is chosen are limited by Free', () => {
  const full = { code: 'PLAN_LIMIT' }
  async function meanwhile<T>(call: () => Promise<T>): Promise<PromiseSettledResult<T>> {
    const chooser = await app.database.owner.connect()
    try {
      const { rows } = await chooser.query<{ pid: number }>('select pg_backend_pid() as pid')
      await chooser.query('begin')
      await chooser.query('select from plan where org_id = $1 for update', [home.orgId])
      const called = Promise.allSettled([call()])
      await until(
        async () =>
          (
            await app.database.owner.query('select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [
              rows[0]?.pid,
            ])
          ).rowCount === 1,
        { what: 'the call to wait for the plan' },
      )
      await chooser.query("update plan set plan_id = 'free', status = 'ACTIVE' where org_id = $1", [home.orgId])
      await chooser.query('commit')
      return (await called)[0]
    } finally {
      chooser.release(true)
    }
  }
  async function fill(): Promise<string[]> {
    const channels: string[] = []
    for (let i = 0; i < 3; i++) channels.push(await contentOn(app.parts).channel(home))
    return channels
  }

  it('creating a project', async () => {
    const made = await meanwhile(() =>
      app.call(createProject, { params: { orgId: home.orgId }, body: { projectName: 'One more' } }, as),
    )
    expect(made).toMatchObject({ status: 'rejected', reason: { ...full, problem: { meta: { gate: 'projects' } } } })
  })

  it('connecting a channel', async () => {
    await fill()
    const params = { ...home.params, platform: 'mastodon' as const }
    const { url } = await app.call(connectAuth, { params, query: { domain: 'rooks.example' } }, as)
    const { flowId, accounts } = await app.call(
      connectCallback,
      { params, body: { state: new URL(url).searchParams.get('state') ?? '', code: 'c' } },
      as,
    )
    const made = await meanwhile(() =>
      app.call(connectConfirm, { params, body: { flowId, profiles: accounts.map(({ remoteId }) => remoteId) } }, as),
    )
    expect(made).toMatchObject({ status: 'rejected', reason: { ...full, problem: { meta: { gate: 'channels' } } } })
    expect(await app.call(createAccess, { params: home.params }, as)).toEqual({ allowed: false, gate: 'channels' })
  })

  it('enabling a channel', async () => {
    const fourth = await contentOn(app.parts).channel(home)
    await app.database.owner.query('update channel set enabled = false where id = $1', [fourth])
    await fill()
    const made = await meanwhile(() =>
      app.call(enableChannel, { params: { ...home.params, channelId: fourth }, body: {} }, as),
    )
    expect(made).toMatchObject({ status: 'rejected', reason: { ...full, problem: { meta: { gate: 'channels' } } } })
  })
})
