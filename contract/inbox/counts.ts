import { z } from 'zod'
import { Id, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'

/** In a module of its own: the rail of every page needs it, and nothing else of the inbox. */
export const inboxCounts = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/inbox/counts',
  summary:
    'Count conversations that are open, unread, assigned to you, due for follow-up, waiting for a reply, or have a reply that was not sent',
  access: can('inbox', 'view'),
  cost: 'light',
  reads: ['conversation', 'channel'],
  revisioned: 'conversations',
  params: ProjectParams,
  reply: z.object({
    open: z.int(),
    /** Open ones with something that the caller hasn't seen: the number in the rail. */
    unread: z.int(),
    mine: z.int(),
    unassigned: z.int(),
    waiting: z.int(),
    followUp: z.int(),
    /** Those with a reply that wasn't sent or has to be checked, closed ones as well. */
    unsent: z.int(),
    /** Of each channel that has any: its open ones. */
    channels: z.array(z.object({ channelId: Id, open: z.int() })),
  }),
  audit: null,
})
