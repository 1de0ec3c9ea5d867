import { z } from 'zod'
import { Day, Done, Id, Instant, PageQuery, Pagination, ProjectParams } from './common.ts'
import { can, endpoint } from './endpoint.ts'
import { LabelColor, TaxonomyName, TaxonomyState } from './labels.ts'
import { listReads, PostList } from './postLists.ts'

export const Campaign = z.object({
  campaignId: Id,
  name: z.string(),
  description: z.string(),
  color: LabelColor,
  state: TaxonomyState,
  /** Disabled: its posts are held. */
  enabled: z.boolean(),
  /** Completed ones take no new posts. */
  completedAt: Instant.nullable(),
  startsOn: Day.nullable(),
  endsOn: Day.nullable(),
  posts: z.object({ all: z.int(), scheduled: z.int(), published: z.int(), failed: z.int() }),
  createdAt: Instant,
})
export type Campaign = z.infer<typeof Campaign>

const CampaignBody = z
  .object({
    name: TaxonomyName,
    description: z.string().trim().max(500, 'This description is too long').default(''),
    color: LabelColor.default('blue'),
    startsOn: Day.nullable().default(null),
    endsOn: Day.nullable().default(null),
  })
  .refine(({ startsOn, endsOn }) => startsOn === null || endsOn === null || startsOn <= endsOn, {
    path: ['endsOn'],
    message: 'The end date is before the start date',
  })
const CampaignParams = ProjectParams.extend({ campaignId: Id })
export const campaignFilters = ['all', 'active', 'archived'] as const

export const listCampaigns = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/campaign',
  summary: 'List campaigns, newest first',
  access: can('campaign', 'view'),
  cost: 'list',
  reads: ['taxonomy', 'post'],
  params: ProjectParams,
  query: PageQuery.extend({ state: z.enum(campaignFilters).default('all') }),
  reply: z.object({ campaigns: z.array(Campaign), pagination: Pagination }),
  audit: null,
})
export const countCampaigns = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/campaign/count',
  summary: 'Count campaigns',
  access: can('campaign', 'view'),
  cost: 'list',
  reads: ['taxonomy', 'post'],
  params: ProjectParams,
  reply: z.object({ all: z.int(), active: z.int(), archived: z.int() }),
  audit: null,
})
export const getCampaign = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/campaign/:campaignId',
  summary: 'Get a campaign',
  access: can('campaign', 'view'),
  cost: 'light',
  reads: ['taxonomy', 'post'],
  params: CampaignParams,
  reply: Campaign,
  errors: ['NOT_FOUND'],
  audit: null,
})
export const campaignPosts = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/campaign/:campaignId/posts',
  summary: "List a campaign's posts",
  access: can('campaign', 'view'),
  cost: 'list',
  reads: listReads,
  revisioned: 'posts',
  params: CampaignParams,
  query: PageQuery,
  reply: PostList,
  errors: ['NOT_FOUND'],
  audit: null,
})
export const createCampaign = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/campaign',
  summary: 'Create a campaign',
  access: can('campaign', 'create'),
  cost: 'light',
  changes: ['taxonomy'],
  params: ProjectParams,
  body: CampaignBody,
  reply: Done.extend({ campaignId: Id }),
  errors: ['NAME_TAKEN', 'PLAN_LIMIT'],
  audit: { action: 'created', entity: 'campaign' },
})
export const editCampaign = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project/:projectId/campaign/:campaignId',
  summary: 'Update a campaign',
  access: can('campaign', 'edit'),
  cost: 'light',
  changes: ['taxonomy'],
  params: CampaignParams,
  body: CampaignBody,
  reply: Done,
  errors: ['NOT_FOUND', 'NAME_TAKEN', 'PLAN_LIMIT'],
  audit: { action: 'edited', entity: 'campaign' },
})
const verb = <T extends z.ZodObject>(name: string, summary: string, action: string, reply: T) =>
  endpoint({
    method: 'POST',
    path: `/api/:orgId/project/:projectId/campaign/:campaignId/${name}`,
    summary,
    access: can('campaign', 'edit'),
    cost: 'light',
    changes: ['taxonomy'],
    params: CampaignParams,
    reply,
    errors: ['NOT_FOUND', 'PLAN_LIMIT'],
    audit: { action, entity: 'campaign' },
  })
export const enableCampaign = verb(
  'enable',
  'Enable a campaign; its posts are published on time again, and late ones wait for a person',
  'enabled',
  Done.extend({
    /** Posts that continue at their time. */ resumed: z.int(),
    /** Posts past their channel's lateness limit. */ late: z.int(),
  }),
)
export const disableCampaign = verb(
  'disable',
  'Disable a campaign, which pauses its posts; returns how many are paused',
  'disabled',
  Done.extend({ /** Held scheduled and queued posts. */ paused: z.int() }),
)
export const archiveCampaign = verb('archive', 'Archive a campaign; its posts are still published', 'archived', Done)
export const restoreCampaign = verb(
  'restore',
  'Restore an archived campaign, or reopen a completed one',
  'restored',
  Done,
)
export const completeCampaign = verb('complete', "Complete a campaign; it can't take new posts", 'completed', Done)
export const deleteCampaign = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/campaign/:campaignId',
  summary: 'Delete a campaign; its posts remain and are still published',
  access: can('campaign', 'delete'),
  cost: 'light',
  changes: ['taxonomy'],
  params: CampaignParams,
  reply: Done,
  errors: ['NOT_FOUND'],
  audit: { action: 'deleted', entity: 'campaign' },
})
