import { z } from 'zod'
import { Done, Id, Instant, PageQuery, Pagination, ProjectParams } from './common.ts'
import { anyInProject, anyMember, can, endpoint, type EndpointShape } from './endpoint.ts'
import { gates } from './plans.ts'
import { ChannelLimits } from './platforms/limits.ts'
import { PlatformKey } from './platforms/rules.ts'

export const connectionStates = ['CONNECTED', 'DISCONNECTED', 'TOKEN_EXPIRED'] as const

export const Channel = z.object({
  channelId: Id,
  channelName: z.string(),
  /** As people know the account on the platform, such as `@name.example`. */
  handle: z.string(),
  platformName: PlatformKey,
  /** A URL of ours (`channelPicture`), never the platform's. */
  profileUrl: z.string().nullable(),
  /** The server of a federated account. */
  domain: z.string().nullable(),
  status: z.enum(connectionStates),
  enabled: z.boolean(),
  /** Disabled because the plan doesn't include it; restored once it does. */
  planLocked: z.boolean(),
  /** Marked on every screen: it belongs to no real platform. */
  simulated: z.boolean(),
  zone: z.string(),
  latenessMinutes: z.int(),
  /** Null for roles that can't view posts. */
  scheduledPosts: z.int().nullable(),
  connectedOn: Instant,
  /** Why the channel needs attention, as a sentence, or null. */
  problem: z.string().nullable(),
  /** What the account is at the platform, such as 'Page'. */
  kind: z.string().nullable(),
  /** Permissions that the sign-in lacks, in the platform's terms (contract/platforms/rules.ts, `rights`). */
  missing: z.array(z.string()),
  /** When its sign-in was last verified. */
  checkedAt: Instant.nullable(),
  /** When the sign-in expires, if the platform says so; shown from 7 days before. */
  signInEndsAt: Instant.nullable(),
  /** What its platform accepts from this account, if that differs from the platform's rules; null if unknown. */
  limits: ChannelLimits.nullable(),
  /** Posts whose time passed while the channel was paused or disconnected, waiting for a person. Null for roles that can't view posts. */
  latePosts: z.int().nullable(),
  /** A deletion was accepted and is running. */
  deleting: z.boolean(),
})
export type Channel = z.infer<typeof Channel>

const ChannelParams = ProjectParams.extend({ channelId: Id })

export const listChannels = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/social',
  summary: "List the project's channels (paginated)",
  access: can('channel', 'view'),
  cost: 'light',
  reads: ['channel', 'post', 'plan', 'member'],
  params: ProjectParams,
  query: PageQuery,
  reply: z.object({ channels: z.array(Channel), pagination: Pagination }),
  audit: null,
})
export const allChannels = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/social/all',
  summary: "List all of the project's channels",
  access: can('channel', 'view'),
  cost: 'light',
  reads: ['channel', 'post', 'plan', 'member'],
  params: ProjectParams,
  reply: z.object({ channels: z.array(Channel) }),
  audit: null,
})
export const channelsOfUser = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/social/user',
  summary: 'List the channels a project member can access and you can too. Without userId, lists your own',
  access: can('channel', 'view'),
  cost: 'light',
  reads: ['channel', 'post', 'plan', 'member'],
  params: ProjectParams,
  query: z.object({ userId: Id.optional() }),
  reply: z.object({
    channels: z.array(Channel),
    /** Every channel of the project, also later ones. */ all: z.boolean(),
  }),
  errors: ['NOT_FOUND'],
  audit: null,
})
export const myChannels = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/social/me',
  summary: 'List the channels you can access',
  access: can('channel', 'view'),
  cost: 'light',
  reads: ['channel', 'post', 'plan', 'member'],
  params: ProjectParams,
  reply: z.object({ channels: z.array(Channel) }),
  audit: null,
})
/** `of` is part of the URL in lists: a new picture has a new one. */
export const channelPicture = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/social/:channelId/picture',
  summary: "Get a channel's picture as a 128 by 128 WebP, fetched from the platform at most once a day",
  access: anyInProject,
  cost: 'light',
  reads: ['channel'],
  params: ProjectParams.extend({ channelId: Id }),
  query: z.object({ of: z.string().length(12).optional() }),
  reply: 'bytes',
  errors: ['NOT_FOUND'],
  audit: null,
})
/** The server signs the query: lookups and offers of accounts contain complete URLs. */
export const offeredPicture = endpoint({
  method: 'GET',
  path: '/api/:orgId/account-picture',
  summary:
    'Get the picture of an account offered or found by a platform, as a 128 by 128 WebP. The URL works for an hour',
  access: anyMember,
  cost: 'media',
  reads: [],
  params: z.object({ orgId: Id }),
  query: z.object({
    address: z.string().min(1).max(2000),
    until: z.coerce.number().int().min(0),
    signature: z.string().min(1).max(100),
  }),
  reply: 'bytes',
  errors: ['NOT_FOUND', 'RATE_LIMITED'],
  audit: null,
})
export const createAccess = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/social/create-access',
  summary: 'Check whether you can connect another channel, and which limit prevents it if not',
  access: can('channel', 'view'),
  cost: 'light',
  reads: ['channel', 'plan', 'member'],
  params: ProjectParams,
  reply: z.object({ allowed: z.boolean(), gate: z.enum(gates).nullable() }),
  audit: null,
})

const HANDLE_WANTED = 'Enter the full handle, such as name.bsky.social'

/** A Bluesky handle as people type it: with or without the @, in any case. */
export const BlueskyHandle = z
  .string()
  .trim()
  .toLowerCase()
  .transform((text) => text.replace(/^@/, ''))
  .pipe(
    // at the parts as well: forms show a part's message, the server the whole one's
    z.union(
      [
        z
          .string()
          .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/, HANDLE_WANTED),
        z.email(HANDLE_WANTED),
      ],
      HANDLE_WANTED,
    ),
  )

export const ConnectBluesky = z.object({
  handle: BlueskyHandle,
  appPassword: z.string().trim().min(1, 'Enter an app password from your Bluesky settings').max(200),
  service: z
    .url({ protocol: /^https?$/, error: 'Enter the address of the server, such as https://bsky.social' })
    .optional(),
})

export const connectBluesky = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/social/bluesky/connect',
  summary: 'Connect a Bluesky account, or reconnect it with a new app password',
  access: can('channel', 'create'),
  cost: 'light',
  changes: ['channel'],
  params: ProjectParams,
  body: ConnectBluesky,
  reply: z.object({ channel: Channel, reconnected: z.boolean(), message: z.string().optional() }),
  errors: [
    'CHANNEL_REFUSED',
    'CHANNEL_UNREACHABLE',
    'CHANNEL_TAKEN',
    'CHANNEL_DELETING',
    'PLAN_LIMIT',
    'ADDRESS_REFUSED',
    'RATE_LIMITED',
  ],
  audit: { action: 'connected', entity: 'channel' },
})
/** Platforms whose accounts are connected with a form here, and the call that accepts it. */
export const credentialSignIns = [{ platform: 'bluesky', endpoint: connectBluesky }] as const satisfies readonly {
  platform: PlatformKey
  endpoint: EndpointShape
}[]

export const deleteChannel = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/social/:channelId',
  summary:
    'Request the deletion of a channel. A job ends its sign-in with the platform and turns its scheduled posts into drafts',
  access: can('channel', 'delete'),
  cost: 'light',
  changes: ['channel'],
  params: ChannelParams,
  reply: Done,
  errors: ['NOT_FOUND'],
  audit: { action: 'deleted', entity: 'channel' },
})
export const enableChannel = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/social/:channelId/enable',
  summary:
    'Enable a disabled channel. Posts that are still on time are published as planned. `late` decides what happens to overdue posts',
  access: can('channel', 'edit'),
  cost: 'light',
  changes: ['channel'],
  params: ChannelParams,
  /** wait: they wait for a person; publish: they're published now; drafts: they become drafts. */
  body: z.object({ late: z.enum(['wait', 'publish', 'drafts']).default('wait') }),
  reply: Done.extend({
    resumed: z.int(),
    /** How many had become late, and were handled as requested. */ late: z.int(),
  }),
  errors: ['NOT_FOUND', 'PLAN_LIMIT', 'CHANNEL_DELETING'],
  audit: { action: 'enabled', entity: 'channel' },
})
export const disableChannel = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/social/:channelId/disable',
  summary: 'Disable a channel and pause its queued and scheduled posts',
  access: can('channel', 'edit'),
  cost: 'light',
  changes: ['channel'],
  params: ChannelParams,
  reply: Done.extend({ paused: z.int() }),
  errors: ['NOT_FOUND', 'CHANNEL_DELETING'],
  audit: { action: 'disabled', entity: 'channel' },
})
export const editChannel = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project/:projectId/social/:channelId',
  summary: "Update a channel's name, time zone or lateness limit",
  access: can('channel', 'edit'),
  cost: 'light',
  changes: ['channel'],
  params: ChannelParams,
  body: z.object({
    channelName: z.string().trim().min(1).max(100).optional(),
    zone: z.string().max(64).optional(),
    latenessMinutes: z.int().min(5).max(1440).optional(),
  }),
  reply: Done,
  errors: ['NOT_FOUND', 'CHANNEL_DELETING'],
  audit: { action: 'edited', entity: 'channel' },
})
