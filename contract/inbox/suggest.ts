import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { ConversationParams, inboxReaders } from './conversations.ts'

/** How many answers are suggested at most. */
export const SUGGESTIONS_MOST = 3

/**
 * Drafts of an answer, by AI, for people who may reply. Nothing is kept or sent. AI_NOT_ALLOWED where the platform's terms
 * forbid that a model reads what its members write.
 */
export const suggestReplies = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/suggest',
  summary: 'Suggest up to three replies. Nothing is stored or sent; uses one AI credit',
  access: inboxReaders,
  cost: 'ai',
  // it takes a credit, so no other site may lead a browser here
  changes: [],
  params: ConversationParams,
  reply: z.object({
    suggestions: z.array(z.string()).min(1).max(SUGGESTIONS_MOST),
    /** The organization's remaining credits this month. */
    creditsLeft: z.int(),
  }),
  errors: [
    'NOT_FOUND',
    'FORBIDDEN',
    'PLAN_LIMIT',
    'AI_NOT_SET_UP',
    'AI_NOT_ALLOWED',
    'AI_PROMPT_GENERATION_ERROR',
    'REPLY_REFUSED',
  ],
  audit: { none: 'nothing is kept or sent' },
})
