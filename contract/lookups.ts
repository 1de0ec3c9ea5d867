import { z } from 'zod'
import { Done, Id, ProjectParams } from './common.ts'
import { can, endpoint, type EndpointShape } from './endpoint.ts'
import { LookupAccount, LookupItem, lookupKinds, type LookupKind, type PlatformKey } from './platforms/rules.ts'

/** How many items a result has. */
export const LOOKUP_MOST = 50

const words = z.string().trim().max(200).default('')
/**
 * `offered` is false if the platform has no such lookup, and `reason` says why: people type the value instead.
 * `account` is the one that publishes the post, if the platform requires showing it.
 */
const Found = z.object({
  items: z.array(LookupItem),
  offered: z.boolean(),
  reason: z.string().nullable(),
  account: LookupAccount.nullable(),
})
const failures = ['NOT_FOUND', 'CHANNEL_REFUSED', 'CHANNEL_UNREACHABLE', 'ADDRESS_REFUSED', 'RATE_LIMITED'] as const
const composing = can('post', 'create', 'edit')
const ChannelParams = ProjectParams.extend({ channelId: Id })

export const lookup = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/channel/:channelId/lookup/:kind',
  summary: 'List the options for a field in the composer, such as boards, playlists or people, most likely first',
  access: composing,
  cost: 'preview',
  reads: ['channel'],
  params: ChannelParams.extend({ kind: z.enum(lookupKinds) }),
  query: z.object({ /** Empty: everything. */ query: words }),
  reply: Found,
  errors: failures,
  audit: null,
})

/* The same under the specification's names, one per platform. A channel of another platform doesn't exist there. */
const byName = {
  method: 'GET',
  access: composing,
  cost: 'preview',
  reads: ['channel'],
  params: ChannelParams,
  reply: Found,
  errors: failures,
  audit: null,
} as const
export const youtubeCategories = endpoint({
  ...byName,
  path: '/api/:orgId/project/:projectId/social/youtube/categories/:channelId',
  summary: 'List the categories of a YouTube channel',
})
export const youtubePlaylists = endpoint({
  ...byName,
  path: '/api/:orgId/project/:projectId/social/youtube/playlists/:channelId',
  summary: 'List the playlists of a YouTube channel',
})
export const pinterestBoards = endpoint({
  ...byName,
  path: '/api/:orgId/project/:projectId/social/pinterest/:channelId/boards',
  summary: 'List the boards of a Pinterest account',
})
const mentions = { ...byName, query: z.object({ username: words }) } as const
export const linkedinMentions = endpoint({
  ...mentions,
  path: '/api/:orgId/project/:projectId/social/linkedin/:channelId/mentions',
  summary: 'List people and organizations that can be mentioned on LinkedIn',
})
export const facebookMentions = endpoint({
  ...mentions,
  path: '/api/:orgId/project/:projectId/social/facebook/:channelId/mentions',
  summary: 'Search Pages to mention on Facebook',
})

export const addPlaylist = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/social/youtube/playlists/:channelId',
  summary: 'Add a playlist to a YouTube channel',
  access: composing,
  cost: 'preview',
  changes: ['channel'],
  params: ChannelParams,
  body: z.object({
    title: z.string().trim().min(1, 'Enter a title').max(150, 'The title is too long'),
    description: z.string().trim().max(5000, 'The description is too long').default(''),
    isPublic: z.boolean().default(false),
  }),
  reply: Done.extend({ item: LookupItem }),
  errors: failures,
  audit: { action: 'added', entity: 'playlist' },
})

export const modifyBoard = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project/:projectId/social/pinterest/:channelId/boards/:boardId',
  summary: "Update the name, description or privacy of a Pinterest board. Omitted fields don't change",
  access: composing,
  cost: 'preview',
  changes: ['channel'],
  params: ChannelParams.extend({ boardId: z.string().regex(/^\d{1,30}$/, "This isn't a valid board") }),
  body: z
    .object({
      name: z.string().trim().min(1, 'Enter a name').max(180, 'The name is too long').optional(),
      description: z.string().trim().max(500, 'The description is too long').optional(),
      privacy: z.enum(['PUBLIC', 'SECRET']).optional(),
    })
    .refine((body) => Object.values(body).some((value) => value !== undefined), 'Enter at least one change'),
  reply: Done.extend({ item: LookupItem }),
  errors: failures,
  audit: { action: 'changed', entity: 'board' },
})

/** Which lookup each call of the specification is. */
export const namedLookups = [
  { endpoint: youtubeCategories, platform: 'youtube', kind: 'categories' },
  { endpoint: youtubePlaylists, platform: 'youtube', kind: 'playlists' },
  { endpoint: pinterestBoards, platform: 'pinterest', kind: 'boards' },
] as const satisfies readonly { endpoint: EndpointShape; platform: PlatformKey; kind: LookupKind }[]
export const namedMentions = [
  { endpoint: linkedinMentions, platform: 'linkedin', kind: 'people' },
  { endpoint: facebookMentions, platform: 'facebook', kind: 'people' },
] as const satisfies readonly { endpoint: EndpointShape; platform: PlatformKey; kind: LookupKind }[]
export const namedAdditions = [
  { endpoint: addPlaylist, platform: 'youtube', kind: 'playlists' },
] as const satisfies readonly { endpoint: EndpointShape; platform: PlatformKey; kind: LookupKind }[]
export const namedChanges = [
  { endpoint: modifyBoard, platform: 'pinterest', kind: 'boards' },
] as const satisfies readonly { endpoint: EndpointShape; platform: PlatformKey; kind: LookupKind }[]
