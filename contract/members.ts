import { z } from 'zod'
import { Done, Id, Instant, OrgParams, PageQuery, Pagination, ProjectParams } from './common.ts'
import { anyMember, can, endpoint, orgAdmins } from './endpoint.ts'
import { Email } from './identity.ts'
import { PublishingChoice, PublishingLevel } from './permissions.ts'
import { PlatformKey } from './platforms/rules.ts'
import { AssignedChannels, RoleEntry } from './roles.ts'

/** A person as colleagues see them. */
export const Person = z.object({
  userId: Id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  profileUrl: z.string().nullable(),
})
export type Person = z.infer<typeof Person>

/** A channel as access lists name it. Channels the caller can't access are counted, never named. */
export const AccessChannel = z.object({
  channelId: Id,
  channelName: z.string(),
  platformName: PlatformKey,
  handle: z.string(),
  profileUrl: z.string().nullable(),
})

/** A row of Manage Users. */
export const ProjectUser = Person.extend({
  isOrgAdmin: z.boolean(),
  /** Null: view-only. People paused by the plan keep their role. */
  role: RoleEntry.nullable(),
  /** The plan doesn't include them: they're view-only, whatever their role. */
  planLocked: z.boolean(),
  publishing: PublishingChoice,
  /** The combined effect of role and choice: the role User, with Full Publishing, needs approval. */
  publishes: PublishingLevel,
  /** Replies to messages, comments or reviews, whatever the choice. */
  answers: z.boolean(),
  /** Null: every channel of the project. */
  channels: z.array(AccessChannel).nullable(),
  /** Channels of the assignment that the caller can't access. */
  moreChannels: z.int(),
  addedOn: Instant,
  /** Posts that are still published when they leave: scheduled, queued or waiting for approval. Null for roles that can't view posts. */
  scheduledPosts: z.int().nullable(),
  /** The caller's own row: they can't change or remove their own access. */
  isYou: z.boolean(),
})
export type ProjectUser = z.infer<typeof ProjectUser>

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/users',
  summary: "List the project's members and their access (paginated)",
  access: can('user', 'view'),
  cost: 'list',
  reads: ['member', 'channel'],
  params: ProjectParams,
  query: PageQuery,
  reply: z.object({ users: z.array(ProjectUser), pagination: Pagination }),
  audit: null,
})
export const allUsers = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/users/all',
  summary: 'List the names of all project members',
  access: can('user', 'view'),
  cost: 'light',
  reads: ['member', 'channel'],
  params: ProjectParams,
  reply: z.object({ users: z.array(Person) }),
  audit: null,
})
export const addableUsers = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/users/addable',
  summary: "List organization members who aren't in the project",
  access: can('user', 'add'),
  cost: 'light',
  reads: ['member', 'channel'],
  params: ProjectParams,
  reply: z.object({ users: z.array(Person) }),
  audit: null,
})
export const addUser = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/user',
  summary: 'Add an organization member to the project',
  access: can('user', 'add'),
  cost: 'light',
  changes: ['member'],
  params: ProjectParams,
  body: z.object({
    email: Email,
    roleId: Id,
    channelIds: AssignedChannels.default(null),
    publishing: PublishingChoice.default('full'),
  }),
  reply: Done.extend({ userId: Id }),
  errors: ['NOT_FOUND', 'ALREADY_MEMBER', 'ROLE_EXCEEDS'],
  audit: { action: 'added', entity: 'member' },
})
export const removeFromProject = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/user/:userId',
  summary: 'Remove a member from the project. What they created stays, and their scheduled posts are still published',
  access: can('user', 'delete'),
  cost: 'light',
  changes: ['member'],
  params: ProjectParams.extend({ userId: Id }),
  reply: Done,
  errors: ['NOT_FOUND', 'OWN_ACCESS', 'ORG_ADMIN', 'ROLE_EXCEEDS'],
  audit: { action: 'removed', entity: 'member' },
})

/** A member of the organization, with their projects. */
export const OrgUser = Person.extend({
  isOrgAdmin: z.boolean(),
  /** The plan doesn't include them: they're view-only, whatever their roles. */
  planLocked: z.boolean(),
  addedOn: Instant,
  projects: z.array(
    z.object({ projectId: Id, projectName: z.string(), roleName: z.string().nullable(), channels: z.int().nullable() }),
  ),
  scheduledPosts: z.int(),
  /** Has an authenticator app or a passkey. */
  secondFactor: z.boolean(),
  isYou: z.boolean(),
})
export type OrgUser = z.infer<typeof OrgUser>

const OrgUserParams = OrgParams.extend({ userId: Id })

export const listOrgUsers = endpoint({
  method: 'GET',
  path: '/api/:orgId/users',
  summary: 'List organization members (paginated)',
  access: orgAdmins,
  cost: 'list',
  reads: ['member', 'channel', 'project'],
  params: OrgParams,
  query: PageQuery,
  reply: z.object({ users: z.array(OrgUser), pagination: Pagination }),
  audit: null,
})
export const removeFromOrganization = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/user/:userId',
  summary:
    'Remove a member from the organization and all its projects. What they created stays, and their scheduled posts are still published',
  access: orgAdmins,
  cost: 'light',
  changes: ['member'],
  params: OrgUserParams,
  reply: Done,
  errors: ['NOT_FOUND', 'OWN_ACCESS', 'LAST_ADMIN'],
  audit: { action: 'removed', entity: 'member' },
})
export const appointAdmin = endpoint({
  method: 'PUT',
  path: '/api/:orgId/user/:userId/admin',
  summary: "Make a member an organization admin, or remove them as one. The last admin can't be removed",
  access: orgAdmins,
  cost: 'light',
  changes: ['member'],
  params: OrgUserParams,
  body: z.object({ isOrgAdmin: z.boolean() }),
  reply: Done,
  errors: ['NOT_FOUND', 'LAST_ADMIN'],
  audit: { action: 'appointed', entity: 'member' },
})
export const endMemberSessions = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/user/:userId/sessions',
  summary: 'Log a member out on all devices and close their open streams. You end your own sessions in your profile',
  access: orgAdmins,
  cost: 'light',
  changes: [],
  params: OrgUserParams,
  reply: Done,
  errors: ['NOT_FOUND', 'OWN_ACCESS'],
  audit: { action: 'ended', entity: 'member_session' },
  security: 'session.ended_by_admin',
})
export const leaveOrganization = endpoint({
  method: 'POST',
  path: '/api/:orgId/leave',
  summary: "Leave the organization. The last admin can't",
  access: anyMember,
  cost: 'light',
  changes: ['member'],
  params: OrgParams,
  reply: Done,
  errors: ['LAST_ADMIN'],
  audit: { action: 'left', entity: 'member' },
})
