import { z } from 'zod'
import { AiHelped } from './aiHelp.ts'
import { Done, Id, Instant } from './common.ts'
import { TEXT_LIMIT_DEFAULT } from './constants.ts'
import { AdditionalDetails, CampaignIds, FirstComment, LabelIds, Mention, PostContent, PostMedia } from './content.ts'
import { can, endpoint } from './endpoint.ts'
import { PostType } from './platforms/rules.ts'
import { PostParams } from './postLists.ts'
import { QueuePosition } from './queues.ts'

/** The time as the composer has it: nothing is checked yet. */
export const DraftSchedule = z.object({
  mode: z.enum(['now', 'once', 'weekly', 'monthly', 'custom', 'queue']),
  date: z.string().max(10),
  time: z.string().max(5),
  timezone: z.string().max(64),
  /** The last day of a weekly or monthly recurrence; `date` is the first. */
  endDate: z.string().max(10).optional(),
  daysOfWeek: z.array(z.int().min(0).max(6)).max(7).optional(),
  dayOfMonth: z.int().optional(),
  times: z
    .array(z.object({ date: z.string().max(10), time: z.string().max(5) }))
    .max(100)
    .optional(),
  position: QueuePosition.optional(),
})
export type DraftSchedule = z.infer<typeof DraftSchedule>

/** What differs for one channel; an absent part is the shared one. */
export const DraftVariant = z.object({
  postType: PostType.optional(),
  contents: z.array(PostContent).min(1).max(100).optional(),
  additionalDetails: AdditionalDetails.optional(),
  firstComment: FirstComment.optional(),
  /** Its custom time. */
  schedule: DraftSchedule.optional(),
  aiHelp: AiHelped.optional(),
})
export type DraftVariant = z.infer<typeof DraftVariant>

/** A file that was still being uploaded when the draft was saved: it isn't part of it yet. */
export const UnfinishedUpload = z.object({ fileName: z.string().max(255), bytes: z.int().min(0) })
export type UnfinishedUpload = z.infer<typeof UnfinishedUpload>

/** What the composer saves while people write: nothing is checked against a platform yet. */
export const DraftBody = z.object({
  title: z.string().max(500).optional(),
  text: z.string().max(TEXT_LIMIT_DEFAULT),
  media: z.array(PostMedia).max(40),
  /** The shared items after the first, which are `title`, `text` and `media`. */
  thread: z.array(PostContent).max(99).optional(),
  channelIds: z.array(Id).max(100),
  additionalDetails: AdditionalDetails,
  firstComment: FirstComment.optional(),
  /** People mentioned in the texts, by the channel where each was looked up. */
  mentions: z
    .array(Mention.extend({ channelId: Id }))
    .max(100)
    .optional(),
  /** By channel. */
  variants: z.record(Id, DraftVariant).optional(),
  labelIds: LabelIds.optional(),
  campaignIds: CampaignIds.optional(),
  workflowId: Id.nullable().optional(),
  schedule: DraftSchedule,
  /** What AI helped with in the shared text. */
  aiHelp: AiHelped.optional(),
  unfinished: z.array(UnfinishedUpload).max(40).optional(),
})
export type DraftBody = z.infer<typeof DraftBody>

/** A draft's contents for one of its channels, with its variant applied. Without a channel: the shared ones. */
export function draftContents(draft: DraftBody, channelId?: string): PostContent[] {
  const own = channelId === undefined ? undefined : draft.variants?.[channelId]?.contents
  return (
    own ?? [
      { ...(draft.title !== undefined && { title: draft.title }), text: draft.text, media: draft.media },
      ...(draft.thread ?? []),
    ]
  )
}

export const saveDraft = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/draft/:postId',
  summary: 'Save a draft under an ID chosen by the client; version 0 creates it',
  access: can('post', 'create'),
  cost: 'draft',
  changes: ['post'],
  params: PostParams,
  body: z.object({ version: z.int().min(0), draft: DraftBody }),
  reply: z.object({ version: z.int(), savedAt: Instant }),
  errors: ['NOT_FOUND', 'STALE_VERSION', 'POST_LOCKED'],
  audit: { none: 'autosave; the submit is audited' },
})
export const deleteDraft = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/post/draft/:postId',
  summary: 'Delete a draft',
  access: can('post', 'create', 'delete'),
  cost: 'post',
  changes: ['post'],
  params: PostParams,
  reply: Done,
  errors: ['NOT_FOUND', 'POST_LOCKED'],
  audit: { action: 'deleted', entity: 'draft' },
})
