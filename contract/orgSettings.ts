import { z } from 'zod'
import { Done, Id, Instant, OrgParams, PageQuery, Pagination } from './common.ts'
import { endpoint, orgAdmins } from './endpoint.ts'
import { NewOrganization, orgTypes, ProjectDescription, ProjectName } from './organizations.ts'
import { PlatformKey } from './platforms/rules.ts'

/* The organization's settings: the pages behind `org-settings?tab=`. Its members are in members.ts. */

export const Organization = z.object({
  orgId: Id,
  orgName: z.string(),
  orgSize: z.string(),
  orgType: z.enum(orgTypes),
  createdAt: Instant,
  /** When it will be deleted, while that can still be canceled. */
  deletesAt: Instant.nullable(),
  /** Only sessions with a second factor can open it. */
  requireSecondFactor: z.boolean(),
  /** Members without a second factor. */
  withoutSecondFactor: z.int(),
  /** For how many days what others wrote in the inbox is kept, where a platform's terms don't say less. */
  inboxKeepDays: z.int(),
})
export type Organization = z.infer<typeof Organization>
export const organization = endpoint({
  method: 'GET',
  path: '/api/:orgId',
  summary: 'Get the organization',
  access: orgAdmins,
  cost: 'light',
  reads: ['organization'],
  params: OrgParams,
  reply: Organization,
  audit: null,
})
export const updateOrganization = endpoint({
  method: 'PUT',
  path: '/api/:orgId',
  summary: "Update the organization's name, type and size",
  access: orgAdmins,
  cost: 'light',
  changes: ['organization'],
  params: OrgParams,
  body: NewOrganization,
  reply: Done,
  audit: { action: 'updated', entity: 'organization' },
})
export const setSecurity = endpoint({
  method: 'PUT',
  path: '/api/:orgId/security',
  summary: 'Require two-factor authentication from every member. You need to use it yourself to turn it on',
  access: orgAdmins,
  cost: 'light',
  changes: ['organization'],
  params: OrgParams,
  body: z.object({ requireSecondFactor: z.boolean() }),
  reply: Done,
  errors: ['SECOND_FACTOR_NEEDED'],
  audit: { action: 'updated', entity: 'organization' },
  security: 'organization.security_changed',
})
/**
 * For how long what others wrote may be kept, in days: 3 months to 5 years. There's no choice without an end, because
 * privacy laws let nobody keep personal data for longer than it's needed (GDPR, article 5, 1 e).
 */
export const inboxKeepChoices = [90, 180, 365, 730, 1825] as const
export const setInboxKeeping = endpoint({
  method: 'PUT',
  path: '/api/:orgId/inbox-keeping',
  summary: 'Choose for how long messages, comments and reviews of others are kept. Less erases what is older',
  access: orgAdmins,
  cost: 'light',
  changes: ['organization'],
  params: OrgParams,
  body: z.object({ inboxKeepDays: z.literal(inboxKeepChoices) }),
  reply: Done,
  audit: { action: 'updated', entity: 'organization' },
})
export const OrgProject = z.object({
  projectId: Id,
  projectName: z.string(),
  createdAt: Instant,
  projectUsers: z.array(
    z.object({ userId: Id, firstName: z.string(), lastName: z.string(), profileUrl: z.string().nullable() }),
  ),
  channels: z.array(
    z.object({ channelId: Id, channelName: z.string(), platformName: PlatformKey, profileUrl: z.string().nullable() }),
  ),
  /** What becomes a draft when the project is deleted. */
  scheduledPosts: z.int(),
})
export type OrgProject = z.infer<typeof OrgProject>
export const listProjects = endpoint({
  method: 'GET',
  path: '/api/:orgId/projects',
  summary: "List the organization's projects (paginated)",
  access: orgAdmins,
  cost: 'light',
  reads: ['project', 'channel', 'member'],
  params: OrgParams,
  query: PageQuery,
  reply: z.object({ projects: z.array(OrgProject), pagination: Pagination }),
  audit: null,
})
export const renameProject = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project',
  summary:
    'Rename a project. You can also change its description and, until something is scheduled in it, its time zone',
  access: orgAdmins,
  cost: 'light',
  changes: ['project'],
  params: OrgParams,
  body: z.object({
    projectId: Id,
    projectName: ProjectName,
    projectDesc: ProjectDescription.optional(),
    zone: z.string().max(64).optional(),
  }),
  reply: Done,
  errors: ['NOT_FOUND', 'NAME_TAKEN'],
  audit: { action: 'renamed', entity: 'project' },
})
/** What will be unreachable once the project is deleted. */
export const projectContents = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:id/contents',
  summary: 'Count what becomes inaccessible when a project is deleted',
  access: orgAdmins,
  cost: 'light',
  reads: ['project'],
  params: OrgParams.extend({ id: Id }),
  reply: z.object({
    users: z.int(),
    channels: z.int(),
    scheduledPosts: z.int(),
    drafts: z.int(),
    publishedPosts: z.int(),
    /** When the oldest of them was published; null without any. */
    publishedSince: Instant.nullable(),
    files: z.int(),
    campaigns: z.int(),
  }),
  errors: ['NOT_FOUND'],
  audit: null,
})
export const deleteProject = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:id',
  summary:
    'Delete a project. Nobody can open it anymore, jobs delete its channels, scheduled posts become drafts, and published posts stay on their platforms',
  access: orgAdmins,
  cost: 'light',
  changes: ['project'],
  params: OrgParams.extend({ id: Id }),
  reply: Done,
  errors: ['NOT_FOUND'],
  audit: { action: 'deleted', entity: 'project' },
})

export const OrgChannel = z.object({
  channelId: Id,
  channelName: z.string(),
  platformName: PlatformKey,
  profileUrl: z.string().nullable(),
  /** The server of a federated account. */
  domain: z.string().nullable(),
  projectId: Id,
  projectName: z.string(),
  createdAt: Instant,
  /** Active if connected, otherwise Inactive. */
  connectionState: z.enum(['Active', 'Inactive']),
  /** Inactive because the plan doesn't include it. */
  planLocked: z.boolean(),
  /** Its deletion was requested and is running. */
  deleting: z.boolean(),
  scheduledPosts: z.int(),
})
export type OrgChannel = z.infer<typeof OrgChannel>
export const listOrgChannels = endpoint({
  method: 'GET',
  path: '/api/:orgId/channels',
  summary: "List the channels of all the organization's projects (paginated)",
  access: orgAdmins,
  cost: 'light',
  reads: ['channel', 'plan', 'project'],
  params: OrgParams,
  query: PageQuery,
  reply: z.object({ channels: z.array(OrgChannel), pagination: Pagination }),
  audit: null,
})
export const deleteOrgChannel = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/social/:channelId',
  summary: 'Delete a channel of any project',
  access: orgAdmins,
  cost: 'light',
  changes: ['channel'],
  params: OrgParams.extend({ channelId: Id }),
  reply: Done,
  errors: ['NOT_FOUND'],
  audit: { action: 'deleted', entity: 'channel' },
})
