import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { billingStatus, excess, pricing } from '#contract/billing.ts'
import { campaignPosts, countCampaigns, getCampaign, listCampaigns } from '#contract/campaigns.ts'
import { allChannels, createAccess, listChannels, myChannels } from '#contract/channels.ts'
import { dashboardChannels } from '#contract/dashboard.ts'
import type { EndpointShape } from '#contract/endpoint.ts'
import { listInvites } from '#contract/invites.ts'
import { listLabels } from '#contract/labels.ts'
import { liveKinds } from '#contract/live.ts'
import { addableUsers, allUsers, listOrgUsers, listUsers } from '#contract/members.ts'
import { home, myPermissions, plan } from '#contract/organizations.ts'
import { listOrgChannels, listProjects, organization } from '#contract/orgSettings.ts'
import { draftQuery, listPosts, postFilters, postStatistics } from '#contract/postLists.ts'
import { getPost } from '#contract/posts.ts'
import { listRoles, pageOfRoles } from '#contract/roles.ts'
import { approvalsAll, approvalsOfMe, approvalsSent, listWorkflows, postApproval } from '#contract/workflows.ts'
import { keyOf } from './queries.ts'
import { isTouched, refreshTouched, type Kind } from './touches.ts'

const ids = { orgId: '0190a000-0000-7000-8000-000000000001', projectId: '0190a000-0000-7000-8000-000000000002' }
const post = (postId: string) => keyOf(getPost, { params: { ...ids, postId } })
const touched = (endpoint: EndpointShape, kind: Kind) => isTouched([endpoint.path, ids, {}], { kind, ref: 'x' })

it('a changed post makes its own detail old and leaves that of another; any post makes all old', () => {
  const change = { kind: 'post', ref: 'p1' } as const
  expect([post('p1'), post('p2')].map((key) => isTouched(key, change))).toEqual([true, false])
  expect(isTouched(post('p2'), { kind: 'post' })).toBe(true)
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
it.each(shown)('a change of a %s makes old whatever shows or counts it', (kind, endpoints) => {
  expect(endpoints.filter((endpoint) => !touched(endpoint, kind)).map(({ path }) => path)).toEqual([])
})

it('a change of the organization itself leaves what belongs to it', () => {
  expect([listProjects, listPosts, plan, listOrgUsers].filter((endpoint) => touched(endpoint, 'organization'))).toEqual(
    [],
  )
})

it('small changes leave the lists of the organization alone', () => {
  for (const kind of ['post', 'queue', 'note', 'presence', 'asset', 'notice', 'taxonomy', 'bulk'] as const)
    expect(
      [home, plan, listProjects, listOrgChannels, listOrgUsers, billingStatus].filter((endpoint) =>
        touched(endpoint, kind),
      ),
      kind,
    ).toEqual([])
})

it('every kind of event touches something', () => {
  for (const kind of liveKinds)
    expect(
      [
        '/api/o/project/p/social',
        '/api/o/project/p/notices',
        '/api/o/plan',
        '/api/home',
        '/api/o/project/p/post',
        '/api/o/project/p/assets',
        '/api/o/project/p/post/x/presence',
        '/api/o/project/p/note/post/x',
        '/api/o/project/p/queue',
        '/api/o/project/p/post/bulk-schedule/x',
      ].some((path) => isTouched([path, {}, {}], { kind, ref: 'x' })),
      kind,
    ).toBe(true)
})

it('what a call changed is old in the cache, the rest is not', () => {
  const queries = new QueryClient()
  const keys = [keyOf(listWorkflows, { params: ids }), keyOf(listLabels, { params: ids }), keyOf(home, {})]
  for (const key of keys) queries.setQueryData(key, {})
  refreshTouched(queries, [{ kind: 'post' }])
  expect(keys.map((key) => queries.getQueryState(key)?.isInvalidated)).toEqual([true, true, false])
})
