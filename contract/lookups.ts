import { z } from 'zod'
import { Id, ProjectParams } from './common.ts'
import { can, endpoint } from './endpoint.ts'
import { LookupItem, lookupKinds } from './platforms/rules.ts'

/** How many items an answer holds. */
export const LOOKUP_MOST = 50

const LookupQuery = z.object({ /** Empty: whatever there is. */ query: z.string().trim().max(200).default('') })
/** `offered` is false where the platform has no such look-up: the field is typed in instead. */
const Found = z.object({ items: z.array(LookupItem), offered: z.boolean() })
const failures = ['NOT_FOUND', 'CHANNEL_REFUSED', 'CHANNEL_UNREACHABLE', 'CHANNEL_DELETING', 'RATE_LIMITED'] as const

export const lookup = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/channel/:channelId/lookup/:kind',
  summary: 'What a person can choose from while composing, such as boards, playlists or people, most likely first',
  access: can('post', 'create', 'edit'),
  params: ProjectParams.extend({ channelId: Id, kind: z.enum(lookupKinds) }),
  query: LookupQuery,
  reply: Found,
  errors: failures,
  audit: null,
})
