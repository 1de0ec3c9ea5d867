import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { api } from '#contract/api.ts'
import { billingStatus, excess, pricing } from '#contract/billing.ts'
import { campaignPosts, countCampaigns, getCampaign, listCampaigns } from '#contract/campaigns.ts'
import { allChannels, createAccess, listChannels, myChannels } from '#contract/channels.ts'
import { dashboardChannels } from '#contract/dashboard.ts'
import type { EndpointShape } from '#contract/endpoint.ts'
import { getConversation } from '#contract/inbox/conversations.ts'
import { boostAccounts, boostAudiences } from '#contract/boosts.ts'
import { listAudit } from '#contract/audit.ts'
import { postReport } from '#contract/insights.ts'
import { listInvites } from '#contract/invites.ts'
import { listLabels } from '#contract/labels.ts'
import { liveKinds, type Kind } from '#contract/kinds.ts'
import { addableUsers, allUsers, listOrgUsers, listUsers } from '#contract/members.ts'
import { home, myPermissions, plan } from '#contract/organizations.ts'
import { listOrgChannels, listProjects, organization, projectContents } from '#contract/orgSettings.ts'
import { draftQuery, listPosts, postFilters, postStatistics } from '#contract/postLists.ts'
import { getPost } from '#contract/posts.ts'
import { listRoles, pageOfRoles } from '#contract/roles.ts'
import { approvalsAll, approvalsOfMe, approvalsSent } from '#contract/approvalLists.ts'
import { listWorkflows, postApproval } from '#contract/workflows.ts'
import { invalidate, isStale, onChanges } from './cacheInvalidation.ts'
import { callOptions } from './queries.ts'

const ids = { orgId: '0190a000-0000-7000-8000-000000000001', projectId: '0190a000-0000-7000-8000-000000000002' }
const post = (postId: string) => callOptions(getPost, { params: { ...ids, postId } })
const touched = ({ path, reads = [] }: EndpointShape, kind: Kind) =>
  isStale({ queryKey: [path, ids, {}], meta: { reads } }, { kind, ref: 'x' })

it("makes a changed post's detail stale and keeps another's; without an id, all of them", () => {
  const change = { kind: 'post', ref: 'p1' } as const
  expect([post('p1'), post('p2')].map((reading) => isStale(reading, change))).toEqual([true, false])
  expect(isStale(post('p2'), { kind: 'post' })).toBe(true)
})

it('makes a changed conversation stale and no other one, and tells long lists which it is', () => {
  const conversation = (conversationId: string) => callOptions(getConversation, { params: { ...ids, conversationId } })
  const change = { kind: 'conversation', ref: 'c1' } as const
  expect([conversation('c1'), conversation('c2')].map((reading) => isStale(reading, change))).toEqual([true, false])
  const told: unknown[] = []
  const stop = onChanges((changes) => told.push(changes))
  invalidate(new QueryClient(), [change])
  stop()
  invalidate(new QueryClient(), [change])
  expect(told).toEqual([[change]])
})

/** What shows a thing of the kind, and what only counts it. */
const shown: [Kind, EndpointShape[]][] = [
  [
    'post',
    [
      listPosts,
      draftQuery,
      postStatistics,
      postFilters,
      listWorkflows,
      listCampaigns,
      getCampaign,
      campaignPosts,
      listLabels,
      dashboardChannels,
      allChannels,
      listChannels,
      approvalsAll,
      approvalsOfMe,
      approvalsSent,
      postApproval,
    ],
  ],
  [
    'channel',
    [
      listChannels,
      allChannels,
      myChannels,
      createAccess,
      listOrgChannels,
      listProjects,
      listUsers,
      listOrgUsers,
      postFilters,
      plan,
      billingStatus,
      excess,
      pricing,
      home,
    ],
  ],
  [
    'member',
    [
      listUsers,
      allUsers,
      addableUsers,
      listOrgUsers,
      listInvites,
      listRoles,
      pageOfRoles,
      myPermissions,
      listProjects,
      postFilters,
      plan,
      billingStatus,
      excess,
      pricing,
    ],
  ],
  ['project', [listProjects, listOrgChannels, listOrgUsers, home, plan, billingStatus, excess]],
  ['plan', [plan, billingStatus, excess, pricing, listChannels, listOrgChannels]],
  [
    'taxonomy',
    [listLabels, listCampaigns, countCampaigns, getCampaign, campaignPosts, listWorkflows, listPosts, postFilters],
  ],
  ['organization', [organization, home]],
]
it.each(shown)('makes everything stale that shows or counts a changed %s', (kind, endpoints) => {
  expect(endpoints.filter((endpoint) => !touched(endpoint, kind)).map(({ path }) => path)).toEqual([])
})

it('keeps what belongs to an organization if only the organization changed', () => {
  expect([listProjects, listPosts, plan, listOrgUsers].filter((endpoint) => touched(endpoint, 'organization'))).toEqual(
    [],
  )
})

it("keeps the organization's lists on small changes", () => {
  for (const kind of ['post', 'queue', 'note', 'presence', 'asset', 'notice', 'taxonomy', 'bulk'] as const)
    expect(
      [home, plan, listProjects, listOrgChannels, listOrgUsers, billingStatus].filter((endpoint) =>
        touched(endpoint, kind),
      ),
      kind,
    ).toEqual([])
})

/** The contract's whole content, and what each endpoint declares. */
const endpoints = Object.entries(api)
const readersOf = (kind: Kind) => endpoints.flatMap(([name, { reads }]) => (reads?.includes(kind) ? [name] : []))

it('requires every endpoint to declare which data it reads or changes, once each', () => {
  const wrong = endpoints.filter(([, { reads, changes }]) => {
    const kinds = reads ?? changes
    return !kinds || (reads && changes) || new Set(kinds).size < kinds.length
  })
  expect(wrong.map(([name]) => name)).toEqual([])
})

it('treats whatever writes an audit entry as a change, and only changes change something', () => {
  const wrong = endpoints.filter(([, { method, audit, changes }]) =>
    audit === null ? changes && method !== 'GET' : 'action' in audit && !changes,
  )
  expect(wrong.map(([name]) => name)).toEqual([])
})

it('knows every kind of data read somewhere, and every unreported kind changed somewhere', () => {
  const changed = new Set(endpoints.flatMap(([, { changes = [] }]) => changes))
  const read = new Set(endpoints.flatMap(([, { reads = [] }]) => reads))
  expect(liveKinds.filter((kind) => !read.has(kind))).toEqual([])
  expect([...changed].filter((kind) => !read.has(kind))).toEqual([])
  expect([...read].filter((kind) => !changed.has(kind) && !liveKinds.some((live) => live === kind))).toEqual([])
})

/** What only one person has on screen is refetched after their own changes alone: exactly these replies. */
it.each([
  ['profile', ['getPicture', 'home', 'userDetails']],
  ['security', ['mySecurity']],
  ['session', ['listSessions']],
  ['preference', ['noticePreferences']],
  ['view', ['listViews']],
  ['upload', ['unfinishedUploads']],
  ['export', ['listExports']],
  ['app', ['connectWays', 'listApps']],
  ['notice', ['listNotices']],
  ['organization', ['home', 'organization', 'organizationBrand', 'platformCosts']],
  ['queue', ['getQueue', 'listQueues']],
  [
    'note',
    [
      'conversationNotes',
      'discussionNotes',
      'getDiscussion',
      'listDiscussions',
      'noteReplies',
      'postActivity',
      'postNotes',
    ],
  ],
] as const)('a change of a %s refetches nothing but what shows it', (kind, names) => {
  expect(readersOf(kind).toSorted()).toEqual(names)
})

it("ignores paths: an endpoint under the posts' path that reads none stays fresh", () => {
  expect(touched(postReport, 'post')).toBe(true)
  expect([boostAccounts, boostAudiences, listAudit, projectContents].filter((one) => touched(one, 'post'))).toEqual([])
})

it('makes stale in the cache what a call changed, and nothing else', async () => {
  const queries = new QueryClient()
  const readings = [
    { ...callOptions(listWorkflows, { params: ids }), queryFn: () => ({ workflows: [] }) },
    { ...callOptions(listLabels, { params: ids }), queryFn: () => ({ labels: [] }) },
    { ...callOptions(home, {}), queryFn: () => ({}) },
  ] as const
  for (const { queryKey, meta = {}, queryFn } of readings)
    await queries.fetchQuery<unknown>({ queryKey, meta, queryFn })
  invalidate(queries, [{ kind: 'post' }])
  expect(readings.map(({ queryKey }) => queries.getQueryState(queryKey)?.isInvalidated)).toEqual([true, true, false])
})
