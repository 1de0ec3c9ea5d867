import { z } from 'zod'
import { AiHelped } from './aiHelp.ts'
import { Done, Id, Instant, WebAddress } from './common.ts'
import {
  AdditionalDetails,
  CampaignIds,
  FirstComment,
  LabelIds,
  Mention,
  PostContent,
  PostContents,
  PostMedia,
} from './content.ts'
import { DraftBody } from './drafts.ts'
import { can, endpoint } from './endpoint.ts'
import { PostParams, PostRow } from './postLists.ts'
import { PostState } from './postStates.ts'
import { Schedule } from './submit.ts'

/** What happened to a post, in the order it happened. */
export const timelineKinds = [
  'created',
  'scheduled',
  'queued',
  'sent_for_approval',
  'approved',
  'rejected',
  'rescheduled',
  'sent_now',
  'edited',
  'labeled',
  /** AI helped with the text. */
  'ai',
  'due',
  'sent',
  'confirmed',
  'failed',
  'waiting',
  'unconfirmed',
  'settled',
  'retried',
  'paused',
  'drafted',
  'deleted',
] as const
export const TimelineEntry = z.object({
  kind: z.enum(timelineKinds),
  at: Instant,
  /** Who did it, or null for the system. */
  by: z.string().nullable(),
  /** The time that was set, for `scheduled` and `rescheduled`. */
  dueAt: Instant.nullable(),
  /** A few plain words, such as the platform's reason. */
  note: z.string().nullable(),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

export const Post = PostRow.extend({
  contents: z.array(
    PostContent.extend({
      media: z.array(
        PostMedia.extend({
          url: z.string(),
          contentType: z.string(),
          width: z.int().nullable(),
          height: z.int().nullable(),
        }),
      ),
    }),
  ),
  additionalDetails: AdditionalDetails,
  firstComment: z.string(),
  mentions: z.array(Mention),
  /** The workflow that it was last sent through; null when it never was. `step` counts from 0. */
  workflow: z
    .object({
      workflowId: Id.nullable(),
      workflowName: z.string(),
      state: z.enum(['open', 'approved', 'rejected', 'void']),
      step: z.int(),
      steps: z.int(),
    })
    .nullable(),
  /** Present on drafts: the composer's own state. */
  draft: DraftBody.nullable(),
  schedule: Schedule,
  objectId: z.string().nullable(),
  publishedAt: Instant.nullable(),
  /** Its platform allows editing a published post. */
  changesThere: z.boolean(),
  /** What failed after the post was live, or null. */
  warning: z.string().nullable(),
  /**
   * What follows the post, in order: a thread's items, its first comment. A person resolves `unsure` ones; retry tries
   * `failed` ones again.
   */
  parts: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      state: z.enum(['waiting', 'sent', 'failed', 'unsure']),
      reason: z.string().nullable(),
    }),
  ),
  createdAt: Instant,
  updatedAt: Instant,
  timeline: z.array(TimelineEntry),
})
export type Post = z.infer<typeof Post>

/** Which posts of its series a change applies to. For a post outside a series, always `this`. */
export const scopes = ['this', 'following', 'all'] as const
export const Scope = z.enum(scopes)
export type Scope = z.infer<typeof Scope>
/** What a change of a series did: the posts it changed, and those it left as they are, with the reason. */
const SeriesOutcome = z.object({ changed: z.int(), kept: z.array(z.object({ postId: Id, reason: z.string() })) })
export type SeriesOutcome = z.infer<typeof SeriesOutcome>

export const getPost = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/post/:postId',
  summary: 'Get a post with its timeline',
  access: can('post', 'view'),
  cost: 'light',
  reads: ['post', 'channel', 'taxonomy'],
  params: PostParams,
  reply: Post,
  errors: ['NOT_FOUND'],
  audit: null,
})
export const editPost = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/:postId',
  summary: 'Edit a post, including on its platform if published; fails if the post changed since `version`',
  access: can('post', 'edit', 'create'),
  cost: 'post',
  changes: ['post'],
  params: PostParams,
  body: z.object({
    version: z.int(),
    contents: PostContents,
    additionalDetails: AdditionalDetails.optional(),
    firstComment: FirstComment.optional(),
    mentions: z.array(Mention).max(100).optional(),
    /** If given, they replace the post's current ones. */
    labels: LabelIds.optional(),
    campaignIds: CampaignIds.optional(),
    /** DRAFT takes the post off the schedule. A recurrence is accepted only for posts that wait for approval. */
    schedule: Schedule.optional(),
    /** Sends the post for approval in this workflow, or sends it again if it was rejected. */
    workflowId: Id.optional(),
    scope: Scope.default('this'),
    /** Also those posts of the series whose text was changed individually. */
    overwrite: z.boolean().default(false),
    /** What AI helped with, if a suggestion was used. */
    aiHelp: AiHelped.optional(),
  }),
  reply: SeriesOutcome.extend({
    version: z.int(),
    status: PostState,
    dueAt: Instant.nullable(),
    message: z.string().optional(),
  }),
  errors: [
    'NOT_FOUND',
    'POST_LOCKED',
    'STALE_VERSION',
    'POST_REFUSED',
    'TIME_PASSED',
    'SCHEDULE_CAP',
    'PLAN_LIMIT',
    'FORBIDDEN',
    'CHANNEL_UNREACHABLE',
    'CHANNEL_REFUSED',
    'ADDRESS_REFUSED',
  ],
  audit: { action: 'edited', entity: 'post' },
})
export const deletePost = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/post/:postId',
  summary: 'Delete a post; a published one stays on its platform unless `platform` is set',
  access: can('post', 'delete', 'create'),
  cost: 'post',
  changes: ['post'],
  params: PostParams,
  query: z.object({ platform: z.enum(['keep', 'delete']).default('keep'), scope: Scope.default('this') }),
  reply: Done.extend(SeriesOutcome.shape),
  errors: ['NOT_FOUND', 'POST_LOCKED', 'CHANNEL_UNREACHABLE', 'CHANNEL_REFUSED'],
  audit: { action: 'deleted', entity: 'post' },
})
export const restorePost = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/:postId/restore',
  summary: 'Undo a recent deletion; with a scope, for all posts deleted with it',
  access: can('post', 'delete', 'create'),
  cost: 'post',
  changes: ['post'],
  params: PostParams,
  query: z.object({ scope: Scope.default('this') }),
  reply: Done.extend(SeriesOutcome.shape),
  errors: ['NOT_FOUND', 'POST_LOCKED', 'TIME_PASSED', 'SCHEDULE_CAP'],
  audit: { action: 'restored', entity: 'post' },
})
export const reschedulePost = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/reschedule/:postId',
  summary: 'Reschedule a post, or publish it now',
  access: can('post', 'edit', 'create'),
  cost: 'post',
  changes: ['post'],
  params: PostParams,
  /** With a scope, the other posts move by the same number of days, to the same time of day. */
  body: z.object({ schedule: Schedule, version: z.int().optional(), scope: Scope.default('this') }),
  reply: SeriesOutcome.extend({
    status: PostState,
    dueAt: Instant.nullable(),
    version: z.int(),
    message: z.string().optional(),
  }),
  errors: ['NOT_FOUND', 'POST_LOCKED', 'TIME_PASSED', 'STALE_VERSION', 'SCHEDULE_CAP', 'PLAN_LIMIT', 'POST_REFUSED'],
  audit: { action: 'rescheduled', entity: 'post' },
})
export const retryPost = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/retry/:postId',
  summary: 'Retry a failed post',
  access: can('post', 'publish', 'edit'),
  cost: 'post',
  changes: ['post'],
  params: PostParams,
  reply: Done,
  errors: ['NOT_FOUND', 'POST_LOCKED', 'PLAN_LIMIT', 'POST_REFUSED'],
  audit: { action: 'retried', entity: 'post' },
})
/** A person's answer about a post that may or may not have been published. */
export const settlePost = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/settle/:postId',
  summary: 'Confirm whether an unconfirmed post was published',
  access: can('post', 'publish', 'edit'),
  cost: 'post',
  changes: ['post'],
  params: PostParams,
  body: z.object({ outcome: z.enum(['published', 'send_again', 'failed']), permalink: WebAddress.optional() }),
  reply: Done,
  errors: ['NOT_FOUND', 'POST_LOCKED', 'PLAN_LIMIT'],
  audit: { action: 'settled', entity: 'post' },
})
