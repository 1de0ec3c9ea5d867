import { z } from 'zod'
import { Done, Id, Instant, ProjectParams } from './common.ts'
import { anyUser, can, endpoint, everybody } from './endpoint.ts'
import { Email } from './identity.ts'
import { AccessChannel } from './members.ts'
import { PublishingChoice, PublishingLevel } from './permissions.ts'
import { AssignedChannels, RoleEntry } from './roles.ts'

/** The roles that the wizard and Invite User offer. */
export const inviteRoles = ['admin', 'editor', 'user'] as const
export const InviteRole = z.enum(inviteRoles)
export type InviteRole = z.infer<typeof InviteRole>

export const NewInvite = z.object({
  email: Email,
  role: InviteRole,
  /** Instead of `role`, a custom role. */
  roleId: Id.optional(),
  channelIds: AssignedChannels.optional(),
  publishing: PublishingChoice.default('full'),
})
export type NewInvite = z.infer<typeof NewInvite>
export const INVITES_AT_ONCE = 20

export const inviteUsers = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/invite',
  summary: 'Invite people by email (all or none). Replaces open invitations for the same address',
  access: can('user', 'add'),
  cost: 'light',
  changes: ['member'],
  params: ProjectParams,
  body: z.object({ invites: z.array(NewInvite).min(1, 'Enter an email').max(INVITES_AT_ONCE) }),
  reply: Done.extend({ inviteIds: z.array(Id) }),
  errors: ['PLAN_LIMIT', 'ALREADY_MEMBER', 'ROLE_EXCEEDS', 'NOT_FOUND', 'RATE_LIMITED'],
  audit: { action: 'invited', entity: 'invite' },
})

export const inviteStates = ['open', 'expired'] as const
export const Invite = z.object({
  inviteId: Id,
  email: z.string(),
  role: RoleEntry,
  publishing: PublishingChoice,
  /** The combined effect of role and choice. */
  publishes: PublishingLevel,
  channels: z.array(AccessChannel).nullable(),
  moreChannels: z.int(),
  invitedBy: z.string(),
  sentAt: Instant,
  expiresAt: Instant,
  state: z.enum(inviteStates),
  /** The URL in its email. */
  link: z.url(),
})
export type Invite = z.infer<typeof Invite>

const InviteParams = ProjectParams.extend({ inviteId: Id })

export const listInvites = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/invites',
  summary: "List invitations that haven't been accepted or revoked, newest first",
  access: can('user', 'add'),
  cost: 'light',
  reads: ['member'],
  params: ProjectParams,
  reply: z.object({ invites: z.array(Invite) }),
  audit: null,
})
export const resendInvite = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/invite/:inviteId/resend',
  summary: 'Resend an invitation. It works for 7 more days',
  access: can('user', 'add'),
  cost: 'light',
  changes: ['member'],
  params: InviteParams,
  reply: Done,
  errors: ['NOT_FOUND', 'RATE_LIMITED', 'PLAN_LIMIT', 'ROLE_EXCEEDS'],
  audit: { action: 'resent', entity: 'invite' },
})
export const revokeInvite = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/invite/:inviteId',
  summary: 'Revoke an invitation',
  access: can('user', 'add'),
  cost: 'light',
  changes: ['member'],
  params: InviteParams,
  reply: Done,
  errors: ['NOT_FOUND', 'ROLE_EXCEEDS'],
  audit: { action: 'revoked', entity: 'invite' },
})

/**
 * As it came with a link. One that an email program truncated counts as unknown: INVITE_NOT_FOUND, not a malformed
 * call.
 */
const LinkParams = z.object({ inviteId: z.string().max(200) })

export const readInvite = endpoint({
  method: 'GET',
  path: '/api/public/invite/:inviteId',
  summary: "Get an invitation's details before signing in",
  access: everybody,
  cost: 'light',
  reads: ['member'],
  params: LinkParams,
  reply: z.object({
    email: z.string(),
    orgName: z.string(),
    projectName: z.string(),
    roleName: z.string(),
    invitedBy: z.string(),
    state: z.enum(['open', 'expired', 'revoked', 'accepted']),
  }),
  errors: ['INVITE_NOT_FOUND', 'RATE_LIMITED'],
  audit: null,
})
export const acceptInvite = endpoint({
  method: 'POST',
  path: '/api/invite/:inviteId/accept',
  summary: 'Accept an invitation sent to your address. Accepting it again succeeds',
  access: anyUser,
  cost: 'light',
  changes: ['member'],
  params: LinkParams,
  reply: Done.extend({ orgId: Id, projectId: Id }),
  errors: [
    'INVITE_NOT_FOUND',
    'INVITE_WRONG_ADDRESS',
    'INVITE_EXPIRED',
    'INVITE_REVOKED',
    'PLAN_LIMIT',
    'RATE_LIMITED',
  ],
  audit: { action: 'accepted', entity: 'invite' },
})
export const declineInvite = endpoint({
  method: 'POST',
  path: '/api/invite/:inviteId/decline',
  summary: 'Decline an invitation sent to your address',
  access: anyUser,
  cost: 'light',
  changes: ['member'],
  params: LinkParams,
  reply: Done,
  errors: ['INVITE_NOT_FOUND', 'INVITE_WRONG_ADDRESS', 'RATE_LIMITED'],
  audit: { action: 'declined', entity: 'invite' },
})
