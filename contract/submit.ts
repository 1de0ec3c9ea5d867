import { z } from 'zod'
import { AiHelped } from './aiHelp.ts'
import { Id, Instant, ProjectParams, Zone } from './common.ts'
import { AdditionalDetails, CampaignIds, FirstComment, LabelIds, Mention, PostContents } from './content.ts'
import { can, endpoint } from './endpoint.ts'
import { HashTag } from './labels.ts'
import { PostType } from './platforms/rules.ts'
import { PostState } from './postStates.ts'
import { QueuePosition } from './queues.ts'
import { Recurrence } from './series.ts'

/**
 * When a post is published. `utc` is the instant that the person's browser computed for the wall time in `timezone`;
 * the server stores the wall time and the zone and computes the instant again. A recurrence creates a post for each of
 * its times; QUEUE takes a slot of the channel's queue. With `slot`, for an undo, a post that left the queue returns to
 * the place where it had that slot.
 */
export const Schedule = z.discriminatedUnion('type', [
  z.object({ type: z.literal('NOW') }),
  z.object({ type: z.literal('ONCE'), details: z.object({ utc: Instant, timezone: Zone }) }),
  Recurrence,
  z.object({
    type: z.literal('QUEUE'),
    details: z.object({ position: QueuePosition, slot: Instant.optional() }).optional(),
  }),
  z.object({ type: z.literal('DRAFT') }),
])
export type Schedule = z.infer<typeof Schedule>

export const ComposedChannel = z.object({
  channelId: Id,
  postType: PostType,
  contents: PostContents,
  additionalDetails: AdditionalDetails.optional(),
  firstComment: FirstComment.optional(),
  mentions: z.array(Mention).max(100).optional(),
  /** Its own time; without one the shared time applies. */
  schedule: Schedule.optional(),
  /** What AI helped with, if a suggestion was used: recorded in the history of its posts. */
  aiHelp: AiHelped.optional(),
})
export type ComposedChannel = z.infer<typeof ComposedChannel>

export const intents = ['PUBLISH', 'SCHEDULE', 'QUEUE', 'NEEDS_APPROVAL', 'DRAFT'] as const
export const Submit = z.object({
  intent: z.enum(intents),
  channels: z.array(ComposedChannel).max(100),
  schedule: Schedule,
  labels: LabelIds.optional(),
  campaignIds: CampaignIds.optional(),
  /** Who approves, for NEEDS_APPROVAL. */
  workflowId: Id.optional(),
  /** Appended to the first text of each channel, except those it already contains. */
  hashTags: z.array(HashTag).max(100).optional(),
  /** Where a QUEUE without details puts the post; LAST if not given. */
  queuePosition: QueuePosition.optional(),
  /** The times of a recurrence that the person saw. Refused if the server computes others. */
  previewed: z.array(Instant).max(100).optional(),
  /**
   * The draft that this was composed in, whether it was saved yet or not. The first post takes over its ID, notes and
   * history; from then on saving under this ID is refused.
   */
  draftId: Id.optional(),
  /** The draft's version that the composer last saw; STALE_VERSION if it was saved elsewhere since. */
  draftVersion: z.int().min(0).optional(),
})
export type Submit = z.infer<typeof Submit>

export const submitPost = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post',
  summary: 'Publish, schedule, queue or save a batch with one post per channel, all or nothing',
  access: can('post', 'create'),
  cost: 'post',
  changes: ['post'],
  params: ProjectParams,
  body: Submit,
  reply: z.object({
    batchId: Id,
    posts: z.array(
      z.object({
        postId: Id,
        channelId: Id.nullable(),
        status: PostState,
        /** Null without a time: for drafts, in a queue without a free slot, and if it's published once it's approved. */
        dueAt: Instant.nullable(),
      }),
    ),
    message: z.string().optional(),
  }),
  errors: [
    'POST_REFUSED',
    'POST_LOCKED',
    'STALE_VERSION',
    'TIME_PASSED',
    'SCHEDULE_CAP',
    'PLAN_LIMIT',
    'NOT_FOUND',
    'IDEMPOTENCY_MISMATCH',
  ],
  audit: { action: 'created', entity: 'post' },
  idempotent: true,
})
