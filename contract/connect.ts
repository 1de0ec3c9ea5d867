import { z } from 'zod'
import { Id, ProjectParams } from './common.ts'
import { Channel } from './channels.ts'
import { can, endpoint } from './endpoint.ts'
import { PlatformKey } from './platforms/rules.ts'

/** A platform in a URL; `twitter` is accepted for x. */
export const PlatformParam = z.preprocess((key) => (key === 'twitter' ? 'x' : key), PlatformKey)
const PlatformParams = ProjectParams.extend({ platform: PlatformParam })

/** An account that the platform offers to connect. */
export const OfferedAccount = z.object({
  remoteId: z.string(),
  name: z.string(),
  handle: z.string(),
  profileUrl: z.string().nullable(),
  /** Already a channel of this project: choosing it reconnects it. */ connected: z.boolean(),
  /** What it is at the platform, such as 'Page'. */ kind: z.string().nullable(),
  /** Permissions that weren't granted. */ missing: z.array(z.string()),
})
export type OfferedAccount = z.infer<typeof OfferedAccount>

export const connectAuth = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/social/:platform/auth',
  summary:
    "Start connecting through the platform's own page. Returns the URL to open. `domain` is the server of a federated account",
  access: can('channel', 'create'),
  cost: 'preview',
  changes: [],
  params: PlatformParams,
  query: z.object({
    domain: z.string().trim().max(253).optional(),
    /** The channel to reconnect. */ channelId: Id.optional(),
    /** One of the ways that the platform's rules offer (`app.variants`). */ variant: z.string().max(50).optional(),
  }),
  reply: z.object({ url: z.url({ protocol: /^https?$/ }) }),
  errors: [
    'CHANNEL_REFUSED',
    'CHANNEL_UNREACHABLE',
    'CHANNEL_DELETING',
    'ADDRESS_REFUSED',
    'PLAN_LIMIT',
    'NOT_FOUND',
    'RATE_LIMITED',
  ],
  audit: { none: 'nothing is connected before its confirmation' },
})
/**
 * The parameters of a platform's redirect: `code` and `state`, or an error with its own name, and others that only its
 * adapter knows.
 */
export const CallbackParams = z
  .object({ state: z.string().min(1).max(500) })
  .catchall(z.string().max(4000))
  .refine((params) => Object.keys(params).length <= 30, 'Too many parameters')

export const connectCallback = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/social/:platform/callback',
  summary:
    "Handle the platform's callback and list the accounts to choose from. Even a single account has to be confirmed",
  access: can('channel', 'create'),
  cost: 'preview',
  changes: ['channel'],
  params: PlatformParams,
  body: CallbackParams,
  reply: z.object({ flowId: Id, accounts: z.array(OfferedAccount) }),
  errors: [
    'CONNECT_EXPIRED',
    'CHANNEL_REFUSED',
    'CHANNEL_UNREACHABLE',
    'CHANNEL_DELETING',
    'ADDRESS_REFUSED',
    'PLAN_LIMIT',
    'NOT_FOUND',
  ],
  audit: { none: 'nothing is connected before its confirmation' },
})
export const connectConfirm = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/social/:platform/confirm',
  summary: 'Connect the chosen accounts (all or none)',
  access: can('channel', 'create'),
  cost: 'preview',
  changes: ['channel'],
  params: PlatformParams,
  body: z.object({ flowId: Id, profiles: z.array(z.string().min(1).max(500)).min(1, 'Choose an account').max(50) }),
  reply: z.object({ channels: z.array(Channel), message: z.string().optional() }),
  errors: ['CONNECT_EXPIRED', 'CHANNEL_REFUSED', 'CHANNEL_TAKEN', 'CHANNEL_DELETING', 'PLAN_LIMIT'],
  audit: { action: 'connected', entity: 'channel' },
})
/** Development: on simulated platforms, one call does what a person does on their pages. */
export const connectSimulated = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/social/:platform/simulated',
  summary: 'Connect a simulated account (development only)',
  access: can('channel', 'create'),
  cost: 'light',
  changes: ['channel'],
  params: PlatformParams,
  reply: z.object({ channel: Channel, message: z.string() }),
  errors: [
    'CHANNEL_REFUSED',
    'CHANNEL_UNREACHABLE',
    'CHANNEL_TAKEN',
    'CHANNEL_DELETING',
    'CONNECT_EXPIRED',
    'PLAN_LIMIT',
    'RATE_LIMITED',
  ],
  audit: { action: 'connected', entity: 'channel' },
})
/** Which platforms can be connected here, and how: with a form, with the platform's page, or not set up. */
export const connectWays = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/social/platforms',
  summary: 'List how each platform can be connected',
  access: can('channel', 'view'),
  cost: 'light',
  reads: ['channel', 'plan', 'member', 'app'],
  params: ProjectParams,
  reply: z.object({
    platforms: z.array(
      z.object({
        platform: PlatformKey,
        form: z.boolean(),
        page: z.boolean(),
        /** A simulated account can be connected with one call. */ simulated: z.boolean(),
        /** No app is set up at the platform yet: an organization admin can do that. */ wantsApp: z.boolean(),
        /** Ways to sign in, one of which is chosen before leaving. */ variants: z.array(
          z.object({
            value: z.string(),
            label: z.string(),
            description: z.string(),
            /** Why this one can't be used here. */ problem: z.string().nullable(),
          }),
        ),
        /** Why it can't be connected, as a sentence. */ problem: z.string().nullable(),
      }),
    ),
  }),
  audit: null,
})
