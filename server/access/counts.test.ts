import { randomUUIDv7 } from 'node:crypto'
import type { z } from 'zod'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { campaignPosts, getCampaign, listCampaigns } from '#contract/campaigns.ts'
import { allChannels, channelsOfUser, listChannels, myChannels } from '#contract/channels.ts'
import { dashboardChannels, dashboardDraftPosts, dashboardPosts, dashboardPostStatus } from '#contract/dashboard.ts'
import { saveDraft } from '#contract/drafts.ts'
import { listLabels } from '#contract/labels.ts'
import { assetUses, listAssets } from '#contract/library.ts'
import { listUsers } from '#contract/members.ts'
import { listPosts, postFilters, postStatistics, rowsOf } from '#contract/postLists.ts'
import { getQueue, listQueues } from '#contract/queues.ts'
import { submitPost } from '#contract/submit.ts'
import { grantableResources, permissionTable } from '#contract/permissions.ts'
import { PostState } from '#contract/postStates.ts'
import { approvalsAll } from '#contract/approvalLists.ts'
import { listWorkflows } from '#contract/workflows.ts'
import { foldCounts } from '../dashboard/fold.ts'
import { approvalsOn } from '../testing/approvals.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { draftBody, postsOn } from '../testing/posts.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

/*
 * What is counted for a role with named channels is what its lists show. The project has two channels with posts in
 * every state; the editor's role names the first one. Each test compares a count with the list that it counts.
 */

let app: TestApp
let home: TestHome
let bound: TestPerson
let own: string
let hidden: string
let labelId: string
let campaignId: string
let assetId: string

beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  const [posts, content, taxonomy] = [postsOn(app, app.database), contentOn(app.parts), taxonomyOn(app)]
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  ;[own, hidden] = [await content.channel(home), await content.channel(home)]
  assetId = await content.picture(home)
  bound = await app.colleague(home, 'editor', { channelIds: [own] })
  labelId = await taxonomy.label(home)
  campaignId = await taxonomy.campaign(home)
  const approvals = approvalsOn(app)
  const workflowId = await approvals.workflow(home, [
    { needs: 'any', approvers: [{ kind: 'role', roleId: home.roles.editor }] },
  ])
  const made: string[] = []
  for (const [channelId, times] of [
    [own, 1],
    [hidden, 2],
  ] as const)
    for (let i = 0; i < times; i++) {
      for (const state of ['SCHEDULED', 'PUBLISHED', 'FAILED', 'REJECTED'] as const) {
        const postId = await posts.post(home, channelId, { media: [{ assetId }] })
        if (state !== 'SCHEDULED') await posts.put(postId, state)
        made.push(postId)
      }
      made.push(await approvals.ask(home, { channelId, workflowId }))
    }
  await taxonomy.tag(home, made, [labelId])
  await taxonomy.join(home, made, [campaignId])
  for (const as of [home.person, bound])
    await app.call(
      saveDraft,
      { params: { ...home.params, postId: randomUUIDv7() }, body: { version: 0, draft: draftBody() } },
      { as },
    )
  await foldCounts({ databases: app.parts.databases, signal: new AbortController().signal })
})
afterAll(() => app.close())

const at = () => ({ params: home.params })
const as = () => ({ as: bound })
/** How many posts the list shows to the editor. */
const listed = async (query: z.input<(typeof listPosts)['query']>) =>
  (await app.call(listPosts, { ...at(), query }, as())).pagination.totalCount

it('hides the posts of the other channel from the lists', async () => {
  const posts = rowsOf(await app.call(listPosts, { ...at(), query: { limit: 300 } }, as()))
  // five on the named channel, and the editor's own draft
  expect(posts).toHaveLength(6)
  expect(posts.every(({ channel, author }) => channel?.channelId === own || author?.userId === bound.personId)).toBe(
    true,
  )
})

it('counts in the statistics and on the dashboard what the list of each status shows', async () => {
  const { total } = await app.call(postStatistics, at(), as())
  const { standing } = await app.call(dashboardPostStatus, at(), as())
  for (const status of PostState.options) {
    const shown = await listed({ status: [status] })
    expect(total[status] ?? 0, status).toBe(shown)
    const counted = standing.find((one) => one.status === status)
    if (counted) expect(counted.count, status).toBe(shown)
    const page = await app.call(dashboardPosts, { ...at(), query: { status: [status] } }, as())
    expect([page.posts.length, page.pagination.totalCount], status).toEqual([shown, shown])
  }
  expect((await app.call(dashboardDraftPosts, at(), as())).pagination.totalCount).toBe(1)
})

it('counts for each workflow the posts that its list of waiting posts shows', async () => {
  const { workflows } = await app.call(listWorkflows, at(), as())
  const waiting = await app.call(approvalsAll, at(), as())
  expect(workflows.reduce((sum, workflow) => sum + workflow.waiting, 0)).toBe(waiting.posts.length)
  expect(waiting.posts).toHaveLength(1)
  const everybody = await app.call(listWorkflows, at(), { as: home.person })
  expect(everybody.workflows.map((workflow) => workflow.waiting).toSorted((a, b) => a - b)).toEqual([0, 3])
})

it('counts for a label and a campaign what their lists show', async () => {
  const { labels } = await app.call(listLabels, at(), as())
  expect(labels.map(({ posts }) => posts)).toEqual([await listed({ labels: [labelId] })])
  const { campaigns } = await app.call(listCampaigns, at(), as())
  expect(campaigns.map(({ posts }) => posts)).toEqual([
    {
      all: await listed({ campaigns: [campaignId] }),
      scheduled: await listed({ campaigns: [campaignId], status: ['SCHEDULED', 'QUEUED'] }),
      published: await listed({ campaigns: [campaignId], status: ['PUBLISHED'] }),
      failed: await listed({ campaigns: [campaignId], status: ['FAILED', 'UNCONFIRMED'] }),
    },
  ])
})

it('counts for people and channels what the filters by them show', async () => {
  const status: PostState[] = ['SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL']
  const { users } = await app.call(listUsers, at(), as())
  for (const { userId, scheduledPosts } of users)
    expect(scheduledPosts).toBe(await listed({ author: [userId], status }))
  const { channels } = await app.call(allChannels, at(), as())
  const accounts = (await app.call(dashboardChannels, at(), as())).channels
  expect(channels.map(({ channelId }) => channelId)).toEqual([own])
  for (const { scheduledPosts } of channels) expect(scheduledPosts).toBe(await listed({ channelId: [own], status }))
  // on the dashboard Scheduled means the same in the tile and at each account
  for (const { scheduledPosts } of accounts)
    expect(scheduledPosts).toBe(await listed({ channelId: [own], status: ['SCHEDULED', 'QUEUED', 'PROCESSING'] }))
  const filters = await app.call(postFilters, at(), as())
  expect(filters.channels.map(({ channelId }) => channelId)).toEqual([own])
})

it('counts for a file of the library the posts that its uses show', async () => {
  const { assets } = await app.call(listAssets, at(), as())
  const uses = await app.call(assetUses, { params: { ...home.params, assetId } }, as())
  expect(assets.map(({ usedIn }) => usedIn)).toEqual([uses.posts.length])
  expect([uses.posts.length, uses.more]).toEqual([4, 0])
})

it('tells a role without posts neither a post nor how many there are, in any answer about something else', async () => {
  const text = 'Only for people who see posts'
  const secret = 'The last secret of the queue'
  const posts = postsOn(app, app.database)
  const postId = await posts.post(home, own, { text, media: [{ assetId }] })
  await taxonomyOn(app).join(home, [postId], [campaignId])
  const queued = { channelId: own, postType: 'post' as const, contents: [{ text: secret, media: [] }] }
  const schedule = { type: 'QUEUE' as const, details: { position: 'LAST' as const } }
  await app.call(
    submitPost,
    { params: home.params, body: { intent: 'QUEUE', channels: [queued], schedule } },
    { as: home.person },
  )
  const others = Object.fromEntries(
    grantableResources
      .filter((resource) => resource !== 'post' && resource !== 'note')
      // who approves posts can view them
      .map((resource) => [resource, permissionTable[resource].filter((action) => action !== 'approve')]),
  )
  const team = teamOn(app)
  const without = await team.holder(home, others)
  const within = await team.holder(home, { ...others, post: ['view'] })
  const answersTo = async (person: TestPerson) => {
    const by = { as: person }
    return {
      channels: (await app.call(allChannels, at(), by)).channels.map((one) => [one.scheduledPosts, one.latePosts]),
      pages: (await app.call(listChannels, at(), by)).channels.map(({ scheduledPosts }) => scheduledPosts),
      own: (await app.call(myChannels, at(), by)).channels.map(({ scheduledPosts }) => scheduledPosts),
      ofUser: (await app.call(channelsOfUser, at(), by)).channels.map(({ scheduledPosts }) => scheduledPosts),
      dashboard: (await app.call(dashboardChannels, at(), by)).channels.map(({ scheduledPosts }) => scheduledPosts),
      owner: (await app.call(listUsers, at(), by)).users.find(({ userId }) => userId === home.person.personId)
        ?.scheduledPosts,
      labels: (await app.call(listLabels, at(), by)).labels.map((label) => label.posts),
      campaign: (await app.call(listCampaigns, at(), by)).campaigns.map((campaign) => campaign.posts.all),
      one: (await app.call(getCampaign, { params: { ...home.params, campaignId } }, by)).posts.all,
      ofCampaign: rowsOf(await app.call(campaignPosts, { params: { ...home.params, campaignId } }, by)).length,
      waiting: (await app.call(listWorkflows, at(), by)).workflows.map((workflow) => workflow.waiting),
      files: (await app.call(listAssets, at(), by)).assets.map(({ usedIn }) => usedIn),
      uses: await app.call(assetUses, { params: { ...home.params, assetId } }, by),
      queues: (await app.call(listQueues, at(), by)).queues.map((queue) => queue.posts.map(({ excerpt }) => excerpt)),
      queue: (await app.call(getQueue, { params: { ...home.params, channelId: own } }, by)).posts.length,
    }
  }
  expect(await answersTo(without)).toEqual({
    channels: [
      [null, null],
      [null, null],
    ],
    pages: [null, null],
    own: [null, null],
    ofUser: [null, null],
    dashboard: [null, null],
    owner: null,
    labels: [0],
    campaign: [0],
    one: 0,
    ofCampaign: 0,
    waiting: [0, 0],
    files: [0],
    uses: { posts: [], more: 0 },
    queues: [[], []],
    queue: 0,
  })
  const seen = await answersTo(within)
  expect(seen.uses.posts.map(({ excerpt }) => excerpt)).toContain(text)
  expect(seen.queues.flat()).toEqual([secret])
  // besides what the other tests count: the two posts of this one
  expect(seen).toMatchObject({
    channels: [
      [4, 0],
      [4, 0],
    ],
    dashboard: [3, 2],
    owner: 8,
    labels: [15],
    campaign: [16],
    waiting: [0, 3],
  })
})
