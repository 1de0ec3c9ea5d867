import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as contract from '#contract/campaigns.ts'
import { listPosts, postFilters, rowsOf } from '#contract/postLists.ts'
import { reschedulePost } from '#contract/posts.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { at, postsOn, TOMORROW } from '../testing/posts.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let taxonomy: ReturnType<typeof taxonomyOn>
let home: TestHome
let channel: string
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
  taxonomy = taxonomyOn(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channel = await content.channel(home)
})

const params = (campaignId: string) => ({ ...home.params, campaignId })
const say = (verb: typeof contract.archiveCampaign, campaignId: string) =>
  app.call(verb, { params: params(campaignId) }, { as: home.person })
const disable = (campaignId: string) =>
  app.call(contract.disableCampaign, { params: params(campaignId) }, { as: home.person })
const enable = (campaignId: string) =>
  app.call(contract.enableCampaign, { params: params(campaignId) }, { as: home.person })
const read = (campaignId: string) => app.call(contract.getCampaign, { params: params(campaignId) }, { as: home.person })
const waits = async (postId: string) => {
  const { state, step_at, failure } = await posts.row(postId)
  return { state, step_at, failure }
}
const HELD = {
  state: 'SCHEDULED',
  step_at: null,
  failure: expect.objectContaining({ class: 'paused', code: 'campaign-disabled' }),
}
const FREE = { state: 'SCHEDULED', step_at: expect.any(Date), failure: null }

describe('campaigns', () => {
  it('are listed newest first, counted, and filtered by status', async () => {
    const old = await taxonomy.campaign(home, 'Old')
    app.clock.advance({ minutes: 1 })
    const fresh = await taxonomy.campaign(home, 'Fresh')
    await say(contract.archiveCampaign, old)
    const names = async (state: 'all' | 'active' | 'archived') =>
      (
        await app.call(contract.listCampaigns, { params: home.params, query: { state } }, { as: home.person })
      ).campaigns.map(({ name }) => name)
    expect([await names('all'), await names('active'), await names('archived')]).toEqual([
      ['Fresh', 'Old'],
      ['Fresh'],
      ['Old'],
    ])
    expect(await app.call(contract.countCampaigns, { params: home.params }, { as: home.person })).toEqual({
      all: 2,
      active: 1,
      archived: 1,
    })
    expect(
      await app.call(
        contract.listCampaigns,
        { params: home.params, query: { limit: 1, page: 2 } },
        { as: home.person },
      ),
    ).toMatchObject({ campaigns: [{ campaignId: old }], pagination: { currentPage: 2, totalPages: 2, totalCount: 2 } })
    expect(await read(fresh)).toMatchObject({
      description: '',
      color: 'blue',
      state: 'ACTIVE',
      enabled: true,
      completedAt: null,
      startsOn: null,
      endsOn: null,
    })
  })

  it("show their posts' statuses, and list them", async () => {
    const campaignId = await taxonomy.campaign(home, 'Launch')
    const ids = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((text) => posts.post(home, channel, { text })))
    await taxonomy.join(home, ids.slice(0, 4), [campaignId])
    const [, published = '', failed = '', gone = ''] = ids
    await posts.put(published, 'PUBLISHED')
    await posts.put(failed, 'FAILED')
    await posts.put(gone, 'DELETED')
    expect((await read(campaignId)).posts).toEqual({ all: 3, scheduled: 1, published: 1, failed: 1 })
    const list = await app.call(
      contract.campaignPosts,
      { params: params(campaignId), query: { limit: 2 } },
      { as: home.person },
    )
    expect(list.pagination).toEqual({ currentPage: 1, totalPages: 2, totalCount: 3 })
    expect(rowsOf(list).map((post) => post.campaigns)).toEqual([
      [{ campaignId, name: 'Launch' }],
      [{ campaignId, name: 'Launch' }],
    ])
    expect(
      (await app.call(listPosts, { params: home.params, query: { campaign: [campaignId] } }, { as: home.person }))
        .pagination.totalCount,
    ).toBe(3)
    expect((await app.call(postFilters, { params: home.params }, { as: home.person })).campaigns).toEqual([
      { campaignId, name: 'Launch', state: 'ACTIVE' },
    ])
  })

  it('have a unique name and end after they begin', async () => {
    const create = (body: { name: string; startsOn?: string; endsOn?: string }) =>
      app.call(contract.createCampaign, { params: home.params, body }, { as: home.person })
    const { campaignId } = await create({ name: 'Spring', startsOn: '2027-03-01', endsOn: '2027-05-31' })
    expect(await read(campaignId)).toMatchObject({ startsOn: '2027-03-01', endsOn: '2027-05-31' })
    await expect(create({ name: 'SPRING' })).rejects.toMatchObject({
      code: 'NAME_TAKEN',
      problem: { errors: { name: ['A campaign with this name already exists.'] } },
    })
    await expect(create({ name: 'Summer', startsOn: '2027-06-02', endsOn: '2027-06-01' })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { endsOn: ['The end date is before the start date'] } },
    })
    await app.call(
      contract.editCampaign,
      { params: params(campaignId), body: { name: 'spring', description: 'All of it', color: 'pink' } },
      { as: home.person },
    )
    expect(await read(campaignId)).toMatchObject({
      name: 'spring',
      description: 'All of it',
      color: 'pink',
      startsOn: null,
    })
  })

  it.each([
    ['completed', contract.completeCampaign],
    ['archived', contract.archiveCampaign],
  ])('that are %s keep their posts and take no new ones', async (word, verb) => {
    const campaignId = await taxonomy.campaign(home, 'Done')
    const [old, fresh] = [await posts.post(home, channel), await posts.post(home, channel)]
    await taxonomy.join(home, [old], [campaignId])
    await say(verb, campaignId)
    await taxonomy.join(home, [old], [campaignId])
    await expect(taxonomy.join(home, [fresh], [campaignId])).rejects.toMatchObject({
      code: 'BAD_INPUT',
      facts: { errors: { campaignIds: [`The campaign Done is ${word} and can't take new posts.`] } },
    })
    expect(await waits(old)).toEqual(FREE)
    await say(contract.restoreCampaign, campaignId)
    await taxonomy.join(home, [fresh], [campaignId])
    expect((await read(campaignId)).posts.all).toBe(2)
  })

  it("of another project aren't found", async () => {
    const foreign = await taxonomy.campaign(await app.signedInOwner())
    await expect(taxonomy.join(home, [await posts.post(home, channel)], [foreign])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it("aren't part of the free plan: existing ones can be read, enabled and left", async () => {
    const campaignId = await taxonomy.campaign(home)
    const postId = await posts.post(home, channel)
    await taxonomy.join(home, [postId], [campaignId])
    await disable(campaignId)
    await teamOn(app).plan(home, 'free')
    const closed = { code: 'PLAN_LIMIT', problem: { meta: { gate: 'campaigns' } } }
    await expect(taxonomy.campaign(home)).rejects.toMatchObject(closed)
    await expect(
      app.call(contract.editCampaign, { params: params(campaignId), body: { name: 'Other' } }, { as: home.person }),
    ).rejects.toMatchObject(closed)
    await expect(disable(campaignId)).rejects.toMatchObject(closed)
    expect(await enable(campaignId)).toMatchObject({ resumed: 1 })
    await taxonomy.join(home, [postId], [campaignId], 'free')
    await expect(taxonomy.join(home, [await posts.post(home, channel)], [campaignId], 'free')).rejects.toMatchObject({
      code: 'PLAN_LIMIT',
      facts: { meta: { gate: 'campaigns' } },
    })
    await taxonomy.join(home, [postId], [], 'free')
  })
})

describe('a disabled campaign', () => {
  it('holds its posts and says how many; enabled, they continue', async () => {
    const campaignId = await taxonomy.campaign(home, 'Launch')
    const [first, second, other] = [
      await posts.post(home, channel),
      await posts.post(home, channel),
      await posts.post(home, channel),
    ]
    await taxonomy.join(home, [first, second], [campaignId])
    const fence = Number((await posts.row(first))['fence'])
    expect(await disable(campaignId)).toEqual({
      paused: 2,
      message: "Campaign disabled. 2 posts wait until it's enabled.",
    })
    expect([await waits(first), await waits(second), await waits(other)]).toEqual([HELD, HELD, FREE])
    // what was being prepared is void
    expect(Number((await posts.row(first))['fence'])).toBeGreaterThan(fence)
    expect((await posts.story(first)).at(-1)).toBe('paused')
    expect(await read(campaignId)).toMatchObject({ enabled: false })
    expect(await enable(campaignId)).toEqual({
      resumed: 2,
      late: 0,
      message: 'Campaign enabled. 2 posts are active again.',
    })
    expect(await waits(first)).toEqual({ ...FREE, step_at: new Date('2026-11-22T09:30:00Z') })
    const lane = await app.database.owner.query('select wake_at from lane where channel_id = $1', [channel])
    expect(lane.rows[0]?.wake_at).toEqual(new Date('2026-11-22T09:30:00Z'))
    expect(await enable(campaignId)).toEqual({ resumed: 0, late: 0, message: 'Campaign enabled' })
  })

  it('leaves posts whose time has passed to a person', async () => {
    const campaignId = await taxonomy.campaign(home)
    const [soon, later] = [
      await posts.post(home, channel, { schedule: at('2026-11-21T11:00:00.000Z') }),
      await posts.post(home, channel),
    ]
    await taxonomy.join(home, [soon, later], [campaignId])
    await disable(campaignId)
    const before = app.clock.now()
    app.clock.advance({ hours: 3 })
    try {
      expect(await enable(campaignId)).toEqual({
        resumed: 1,
        late: 1,
        message: 'Campaign enabled. 1 post is active again. 1 post is late and needs a new time.',
      })
    } finally {
      app.clock.set(before)
    }
    // the engine takes it and sets it aside, for this reason
    expect(await waits(soon)).toMatchObject({
      step_at: new Date('2026-11-21T11:00:00Z'),
      failure: { code: 'campaign-was-disabled' },
    })
  })

  it('holds posts that join it or move within it, and releases those that leave', async () => {
    const campaignId = await taxonomy.campaign(home)
    await disable(campaignId)
    const postId = await posts.post(home, channel)
    await taxonomy.join(home, [postId], [campaignId])
    expect(await waits(postId)).toEqual(HELD)
    await app.call(
      reschedulePost,
      { params: { ...home.params, postId }, body: { schedule: at('2026-11-25T12:00:00.000Z') } },
      { as: home.person },
    )
    expect(await waits(postId)).toEqual(HELD)
    await app.call(
      reschedulePost,
      { params: { ...home.params, postId }, body: { schedule: { type: 'NOW' } } },
      { as: home.person },
    )
    expect(await waits(postId)).toEqual(HELD)
    await app.call(
      reschedulePost,
      { params: { ...home.params, postId }, body: { schedule: TOMORROW } },
      { as: home.person },
    )
    await taxonomy.join(home, [postId], [])
    expect(await waits(postId)).toEqual(FREE)
  })

  it('still holds a post when its other campaign is enabled', async () => {
    const [one, two] = [await taxonomy.campaign(home), await taxonomy.campaign(home)]
    const postId = await posts.post(home, channel)
    await taxonomy.join(home, [postId], [one, two])
    await disable(one)
    await disable(two)
    expect(await enable(one)).toMatchObject({ resumed: 0, late: 0 })
    expect(await waits(postId)).toEqual(HELD)
    expect(await enable(two)).toMatchObject({ resumed: 1 })
    expect(await waits(postId)).toEqual(FREE)
  })

  it('gives a post in a paused queue no time: it waits for its queue', async () => {
    const campaignId = await taxonomy.campaign(home)
    const postId = await posts.post(home, channel)
    await posts.put(postId, 'QUEUED', { due_at: null, step: 'send', step_at: null, queue_order: 1 })
    await taxonomy.join(home, [postId], [campaignId])
    expect(await disable(campaignId)).toMatchObject({ paused: 1 })
    expect(await waits(postId)).toEqual({ ...HELD, state: 'QUEUED' })
    expect(await enable(campaignId)).toMatchObject({ resumed: 1, late: 0 })
    expect(await waits(postId)).toEqual({ state: 'QUEUED', step_at: null, failure: null })
  })

  it("releases its posts when it's deleted", async () => {
    const campaignId = await taxonomy.campaign(home)
    const postId = await posts.post(home, channel)
    await taxonomy.join(home, [postId], [campaignId])
    await disable(campaignId)
    await app.call(contract.deleteCampaign, { params: params(campaignId) }, { as: home.person })
    expect(await waits(postId)).toEqual(FREE)
    await expect(read(campaignId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('misses no post that joins it at the same moment', async () => {
    const campaignId = await taxonomy.campaign(home)
    const ids = await Promise.all(Array.from({ length: 8 }, () => posts.post(home, channel)))
    await Promise.all([
      ...ids.slice(0, 4).map((id) => taxonomy.join(home, [id], [campaignId])),
      disable(campaignId),
      ...ids.slice(4).map((id) => taxonomy.join(home, [id], [campaignId])),
    ])
    for (const id of ids) expect(await waits(id)).toEqual(HELD)
  })
})
