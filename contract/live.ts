import { z } from 'zod'
import { ProjectParams } from './common.ts'
import { anyInProject, endpoint } from './endpoint.ts'

export const liveKinds = [
  'post',
  'channel',
  'notice',
  'plan',
  'member',
  'organization',
  'project',
  'asset',
  'presence',
  'taxonomy',
  'note',
  'queue',
  'bulk',
] as const
/** `taxonomy` is a label, a campaign, a hashtag group or a workflow; of `note` the ref is the post, of `queue` the channel, of `bulk` the import. A change that open screens should know of: what kind of thing, and which one. Never its content. */
export const LiveEvent = z.object({ kind: z.enum(liveKinds), ref: z.string() })
export type LiveEvent = z.infer<typeof LiveEvent>

/**
 * Server-sent events, a message per change with its cursor as the id. A stream that is too old to resume, or that
 * starts anew, gets the event `reset`: read everything again.
 */
export const events = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/events',
  summary: 'Changes of the project as they happen',
  access: anyInProject,
  cost: 'light',
  params: ProjectParams,
  reply: 'stream',
  audit: null,
})
