import { z } from 'zod'
import { Done, Id, Instant, PageQuery, Pagination, ProjectParams } from './common.ts'
import { can, endpoint } from './endpoint.ts'
import { LabelColor, TaxonomyName, TaxonomyState } from './labels.ts'
import { PostList } from './postLists.ts'

export const Campaign = z.object({
  campaignId: Id,
  name: z.string(),
  description: z.string(),
  color: LabelColor,
  state: TaxonomyState,
  /** Disabled: its posts wait. */
  enabled: z.boolean(),
  /** Completed ones take no new posts. */
  completedAt: Instant.nullable(),
  startsOn: z.iso.date().nullable(),
  endsOn: z.iso.date().nullable(),
  posts: z.object({ all: z.int(), scheduled: z.int(), published: z.int(), failed: z.int() }),
  createdAt: Instant,
})
export type Campaign = z.infer<typeof Campaign>

const CampaignBody = z
  .object({
    name: TaxonomyName,
    description: z.string().trim().max(500, 'This description is too long').default(''),
    color: LabelColor.default('blue'),
    startsOn: z.iso.date().nullable().default(null),
    endsOn: z.iso.date().nullable().default(null),
  })
  .refine(({ startsOn, endsOn }) => startsOn === null || endsOn === null || startsOn <= endsOn, {
    path: ['endsOn'],
    message: 'It ends before it begins',
  })
const CampaignParams = ProjectParams.extend({ campaignId: Id })
export const campaignFilters = ['all', 'active', 'archived'] as const

export const listCampaigns = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/campaign',
  summary: 'Campaigns, newest first, paginated',
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
  summary: 'How many campaigns there are',
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
  summary: 'One campaign',
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
  summary: 'Posts of a campaign, paginated',
  access: can('campaign', 'view'),
  cost: 'list',
  reads: ['taxonomy', 'post', 'channel'],
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
  summary: 'Change a campaign',
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
  'Let the posts of a campaign go on: those still in time; late ones wait for a person',
  'enabled',
  Done.extend({
    /** Posts that go on at their time. */ resumed: z.int(),
    /** Posts whose time is past their channel's lateness limit. */ late: z.int(),
  }),
)
export const disableCampaign = verb(
  'disable',
  'Pause the posts of a campaign; answers how many wait',
  'disabled',
  Done.extend({ /** Scheduled and queued posts that wait. */ paused: z.int() }),
)
export const archiveCampaign = verb('archive', 'Put a campaign away; its posts go on', 'archived', Done)
export const restoreCampaign = verb(
  'restore',
  'Bring an archived campaign back; a completed one takes posts again',
  'restored',
  Done,
)
export const completeCampaign = verb('complete', 'Complete a campaign: it takes no new posts', 'completed', Done)
export const deleteCampaign = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/campaign/:campaignId',
  summary: 'Delete a campaign; its posts stay and go on',
  access: can('campaign', 'delete'),
  cost: 'light',
  changes: ['taxonomy'],
  params: CampaignParams,
  reply: Done,
  errors: ['NOT_FOUND'],
  audit: { action: 'deleted', entity: 'campaign' },
})
