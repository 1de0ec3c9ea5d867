import { z } from 'zod'
import { Id, Instant, ProjectParams } from './common.ts'
import { can, endpoint } from './endpoint.ts'

export const aiRunStates = ['none', 'running', 'done', 'failed'] as const
const ChannelParams = ProjectParams.extend({ channelId: Id })

/** A generated draft as the wizard lists it; it's a post in DRAFTS like any other. */
export const AiDraft = z.object({ postId: Id, excerpt: z.string(), createdAt: Instant })

/** A channel's profile, from its recent posts. */
export const AiProfile = z.object({ summary: z.string(), tone: z.string(), topics: z.array(z.string()) })

export const aiPosts = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/ai/:channelId/posts',
  summary: "List the drafts generated for a channel after it was connected. Empty while they're being written",
  access: can('post', 'view'),
  cost: 'light',
  reads: ['post', 'channel'],
  params: ChannelParams,
  reply: z.object({
    posts: z.array(AiDraft),
    state: z.enum(aiRunStates),
    /** Why no drafts were written, as a sentence. */ problem: z.string().nullable(),
  }),
  errors: ['NOT_FOUND', 'AI_NOT_SET_UP'],
  audit: null,
})
export const aiReport = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/ai/:channelId/report',
  summary: "Get what we learned from a channel's recent posts. NO_POSTS_FOUND if there are none",
  access: can('post', 'view'),
  cost: 'light',
  reads: ['post', 'channel'],
  params: ChannelParams,
  reply: z.object({ /** How many posts were read. */ posts: z.int(), profile: AiProfile, madeAt: Instant }),
  errors: ['NOT_FOUND', 'NO_POSTS_FOUND', 'PLAN_LIMIT', 'AI_NOT_SET_UP', 'AI_PROMPT_GENERATION_ERROR'],
  audit: null,
})
