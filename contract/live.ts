import { z } from 'zod'
import { Instant, ProjectParams } from './common.ts'
import { anyInProject, endpoint } from './endpoint.ts'
import { liveKinds } from './kinds.ts'

/**
 * A change that open screens should know about: what kind of thing, and which one; never its content. The ref of a
 * `note` is its post or conversation, of a `queue` its channel, of a `bulk` its import, of a deleted `discussion` what it
 * was about, and of a `member` that is an invitation its project.
 */
export const LiveEvent = z.object({ kind: z.enum(liveKinds), ref: z.string() })
export type LiveEvent = z.infer<typeof LiveEvent>

/**
 * Server-sent events, a message per change with its cursor as the id. A stream that is too old to resume, or that
 * starts again, gets the event `reset`: read everything again. One that starts with the cursor that came with a page
 * (`after`, as of `readAt`) gets what changed since; a Last-Event-ID counts before it.
 */
export const events = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/events',
  summary: 'Stream changes in the project as they happen',
  access: anyInProject,
  cost: 'light',
  reads: [],
  params: ProjectParams,
  query: z.object({ after: z.string().max(64).optional(), readAt: Instant.optional() }),
  reply: 'stream',
  audit: null,
})
