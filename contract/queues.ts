import { z } from 'zod'
import { Done, Id, Instant, ProjectParams, Zone } from './common.ts'
import { can, endpoint } from './endpoint.ts'

/** A weekly slot of a channel's queue: a day (0 to 6 from Sunday) and a wall time in the queue's zone. */
export const QueueSlot = z.object({
  day: z.int().min(0).max(6),
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 09:30'),
})
export type QueueSlot = z.infer<typeof QueueSlot>
export const QUEUE_SLOTS_MOST = 100
export const queuePositions = ['NEXT', 'LAST'] as const
export const QueuePosition = z.enum(queuePositions)
export type QueuePosition = z.infer<typeof QueuePosition>

export const Queue = z.object({
  channelId: Id,
  timezone: Zone,
  slots: z.array(QueueSlot),
  paused: z.boolean(),
  /** Increases with every change of slots, state or order; a reorder names the one that the caller saw. */
  version: z.int(),
  /**
   * Its queued posts in order, with the slot that each takes; null while the queue is paused or has no slots. A post
   * whose slot has passed is being published. None for roles that can't view posts.
   */
  posts: z.array(z.object({ postId: Id, excerpt: z.string(), at: Instant.nullable() })),
  /** The next free slots, soonest first: the first is what a post at the end takes. None while the queue is paused. */
  next: z.array(Instant),
})
export type Queue = z.infer<typeof Queue>

const QueueParams = ProjectParams.extend({ channelId: Id })

export const listQueues = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/queue',
  summary: 'List the queues of your channels',
  access: can('queue', 'view'),
  cost: 'list',
  reads: ['queue', 'post', 'channel'],
  params: ProjectParams,
  reply: z.object({ queues: z.array(Queue) }),
  audit: null,
})
export const getQueue = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/queue/:channelId',
  summary: "Get a channel's queue",
  access: can('queue', 'view'),
  cost: 'list',
  reads: ['queue', 'post', 'channel'],
  params: QueueParams,
  reply: Queue,
  errors: ['NOT_FOUND'],
  audit: null,
})
export const setQueueSlots = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project/:projectId/queue/:channelId',
  summary: "Set a queue's weekly slots; queued posts move to the new slots in order",
  access: can('queue', 'edit'),
  cost: 'post',
  changes: ['queue'],
  params: QueueParams,
  body: z.object({ timezone: Zone, slots: z.array(QueueSlot).max(QUEUE_SLOTS_MOST) }),
  reply: Done,
  errors: ['NOT_FOUND', 'PLAN_LIMIT'],
  audit: { action: 'edited', entity: 'queue' },
})
export const setQueueStatus = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/queue/:channelId/status',
  summary: 'Pause or resume a queue, keeping its order. Pausing is available on every plan',
  access: can('queue', 'edit'),
  cost: 'post',
  changes: ['queue'],
  params: QueueParams,
  body: z.object({ paused: z.boolean() }),
  reply: Done,
  errors: ['NOT_FOUND', 'PLAN_LIMIT'],
  audit: { action: 'edited', entity: 'queue' },
})
export const reorderQueue = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/queue/:channelId/order',
  summary: 'Reorder queued posts; fails if the queue has changed in the meantime',
  access: can('queue', 'edit'),
  cost: 'post',
  changes: ['queue'],
  params: QueueParams,
  body: z.object({ version: z.int(), /** Every post of the queue. */ postIds: z.array(Id).max(500) }),
  reply: Done,
  errors: ['NOT_FOUND', 'STALE_VERSION', 'PLAN_LIMIT'],
  audit: { action: 'reordered', entity: 'queue' },
})
export const bestTimes = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/queue/:channelId/best-times',
  summary:
    "Get the times at which the channel's posts performed best; empty with a reason until there are enough results",
  access: can('queue', 'view'),
  cost: 'list',
  reads: ['post', 'channel'],
  params: QueueParams,
  /** `posts` are those whose results are known; the wall times of `slots` are in `timezone`, the channel's. */
  reply: z.object({
    timezone: Zone,
    slots: z.array(QueueSlot.extend({ score: z.number() })),
    posts: z.int(),
    needed: z.int(),
    problem: z.string().nullable(),
  }),
  errors: ['NOT_FOUND'],
  audit: null,
})
