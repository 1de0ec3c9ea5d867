import { z } from 'zod'
import { AiHelped } from './aiHelp.ts'
import { Done, Id, Instant, Pagination, ProjectParams, WebAddress, Zone } from './common.ts'
import { PAGE_SIZE, TEXT_LIMIT_DEFAULT } from './constants.ts'
import { can, endpoint } from './endpoint.ts'
import { HashTag, LabelColour, ShelfState } from './labels.ts'
import { PlatformKey, PostType } from './platforms/rules.ts'
import { PostState } from './postStates.ts'
import { QueuePosition } from './queues.ts'
import { Recurrence } from './series.ts'

/** A picture or video of one post, with the words for whoever cannot see it. */
export const PostMedia = z.object({ assetId: Id, altText: z.string().max(5000).optional() })
export const PostContent = z.object({
  title: z.string().max(500).optional(),
  text: z.string().max(TEXT_LIMIT_DEFAULT),
  media: z.array(PostMedia).max(40),
})
export type PostContent = z.infer<typeof PostContent>

const Wall = z.object({ date: z.iso.date(), time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/) })

/**
 * What only some platforms ask for; each platform's rules name the fields that it takes (contract/platforms). The link
 * card is chosen in the composer; null means that the person took it off.
 */
export const AdditionalDetails = z.object({
  linkCard: z
    .object({ uri: WebAddress, title: z.string().max(300), description: z.string().max(1000), imageAssetId: Id.nullable() })
    .nullable()
    .optional(),
  languages: z.array(z.string().max(20)).max(3).optional(),
  link: z.union([z.literal(''), WebAddress]).optional(),
  boardId: z.string().max(100).optional(),
  playlistId: z.string().max(100).optional(),
  categoryId: z.string().max(20).optional(),
  privacy: z.string().max(40).optional(),
  madeForKids: z.boolean().optional(),
  peopleTags: z.array(z.object({ userId: z.string().max(100), name: z.string().max(200) })).max(20).optional(),
  placeId: z.string().max(100).optional(),
  contentWarning: z.string().max(500).optional(),
  callToAction: z.object({ action: z.string().max(20), url: WebAddress.optional() }).optional(),
  offer: z.object({ couponCode: z.string().max(58).optional(), redeemUrl: WebAddress.optional(), terms: z.string().max(5000).optional() }).optional(),
  /** Wall times: the platform knows no zone. */
  event: z.object({ start: Wall, end: Wall }).optional(),
  /** What others may do with it, where nothing is chosen for the person. */
  interactions: z.object({ comment: z.boolean(), duet: z.boolean(), stitch: z.boolean() }).optional(),
})
export type AdditionalDetails = z.infer<typeof AdditionalDetails>

/**
 * When a post goes out. `utc` is the instant that the person's browser computed for the wall time in `timezone`; the
 * server keeps the wall time and the zone and computes the instant again. A recurrence makes a post for each of its
 * times; QUEUE takes a slot of the channel's queue.
 */
export const Schedule = z.discriminatedUnion('type', [
  z.object({ type: z.literal('NOW') }),
  z.object({ type: z.literal('ONCE'), details: z.object({ utc: Instant, timezone: Zone }) }),
  Recurrence,
  z.object({ type: z.literal('QUEUE'), details: z.object({ position: QueuePosition }).optional() }),
  z.object({ type: z.literal('DRAFT') }),
])
export type Schedule = z.infer<typeof Schedule>

const FirstComment = z.string().max(8000)
/** Somebody whom the text mentions: the platform's own id, and the name as it stands in the text. */
export const Mention = z.object({ userId: z.string().min(1).max(200), name: z.string().max(200).optional() })
export type Mention = z.infer<typeof Mention>

export const ComposedChannel = z.object({
  channelId: Id,
  postType: PostType,
  /** More than one item is a thread. */
  contents: z.array(PostContent).min(1).max(100),
  additionalDetails: AdditionalDetails.optional(),
  firstComment: FirstComment.optional(),
  mentions: z.array(Mention).max(100).optional(),
  /** Its own time; without one the shared one holds. */
  schedule: Schedule.optional(),
  /** What AI helped with, where a suggestion was taken: noted in the history of its posts. */
  aiHelp: AiHelped.optional(),
})
export type ComposedChannel = z.infer<typeof ComposedChannel>

const LabelIds = z.array(Id).max(50)
const CampaignIds = z.array(Id).max(20)

export const intents = ['PUBLISH', 'SCHEDULE', 'QUEUE', 'NEEDS_APPROVAL', 'DRAFT'] as const
export const Submit = z.object({
  intent: z.enum(intents),
  channels: z.array(ComposedChannel).max(100),
  schedule: Schedule,
  labels: LabelIds.optional(),
  campaignIds: CampaignIds.optional(),
  /** Who approves, for NEEDS_APPROVAL. */
  workflowId: Id.optional(),
  /** Put at the end of each channel's first text, those that do not stand in it already. */
  hashTags: z.array(HashTag).max(100).optional(),
  /** Where a QUEUE without details stands; LAST when it is not said. */
  queuePosition: QueuePosition.optional(),
  /** The times of a recurrence that the person was shown. Refused when the server's own differ. */
  previewed: z.array(Instant).max(100).optional(),
  /** The draft that this was composed in; it is used up by the submit. */
  draftId: Id.optional(),
})
export type Submit = z.infer<typeof Submit>

/** When it goes out, as the composer holds it: nothing is checked yet. */
export const DraftSchedule = z.object({
  mode: z.enum(['now', 'once', 'weekly', 'monthly', 'custom', 'queue']),
  date: z.string().max(10),
  time: z.string().max(5),
  timezone: z.string().max(64),
  /** The last day of a weekly or monthly recurrence; `date` is the first. */
  endDate: z.string().max(10).optional(),
  daysOfWeek: z.array(z.int().min(0).max(6)).max(7).optional(),
  dayOfMonth: z.int().optional(),
  times: z.array(z.object({ date: z.string().max(10), time: z.string().max(5) })).max(100).optional(),
  position: QueuePosition.optional(),
})
export type DraftSchedule = z.infer<typeof DraftSchedule>

/** What one channel says differently; an absent part is the shared one. */
export const DraftVariant = z.object({
  postType: PostType.optional(),
  contents: z.array(PostContent).min(1).max(100).optional(),
  additionalDetails: AdditionalDetails.optional(),
  firstComment: FirstComment.optional(),
  /** Its own time. */
  schedule: DraftSchedule.optional(),
  aiHelp: AiHelped.optional(),
})
export type DraftVariant = z.infer<typeof DraftVariant>

/** What the composer saves of itself while people write: nothing is checked against a platform yet. */
export const DraftBody = z.object({
  title: z.string().max(500).optional(),
  text: z.string().max(TEXT_LIMIT_DEFAULT),
  media: z.array(PostMedia).max(40),
  /** The shared items after the first, which are `title`, `text` and `media`. */
  thread: z.array(PostContent).max(99).optional(),
  channelIds: z.array(Id).max(100),
  additionalDetails: AdditionalDetails,
  firstComment: FirstComment.optional(),
  /** Whom the texts mention, by the channel at which each was looked up. */
  mentions: z.array(Mention.extend({ channelId: Id })).max(100).optional(),
  /** By channel. */
  variants: z.record(Id, DraftVariant).optional(),
  labelIds: LabelIds.optional(),
  campaignIds: CampaignIds.optional(),
  workflowId: Id.nullable().optional(),
  schedule: DraftSchedule,
  /** What AI helped with in the shared words. */
  aiHelp: AiHelped.optional(),
})
export type DraftBody = z.infer<typeof DraftBody>

/** The contents of a draft for one of its channels, its variant applied. Without a channel: the shared ones. */
export function draftContents(draft: DraftBody, channelId?: string): PostContent[] {
  const own = channelId === undefined ? undefined : draft.variants?.[channelId]?.contents
  return own ?? [{ ...(draft.title !== undefined && { title: draft.title }), text: draft.text, media: draft.media }, ...(draft.thread ?? [])]
}

/** What happened to a post, in the order in which it happened. */
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
  'labelled',
  /** AI helped with the words. */
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
  /** Who did it, or null for the machine. */
  by: z.string().nullable(),
  /** The time that was set, for scheduled and rescheduled. */
  dueAt: Instant.nullable(),
  /** A few plain words, such as the platform's reason. */
  note: z.string().nullable(),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

export const failureClasses = ['retry', 'reconnect', 'permanent', 'unknown', 'late', 'plan', 'paused'] as const
/** Why a post did not go out and the one thing that mends it. */
export const PostFailure = z.object({
  class: z.enum(failureClasses),
  /** What happened, in words for people. */
  reason: z.string(),
  /** What to do next, in words for people. */
  advice: z.string(),
  action: z.enum(['retry', 'reconnect', 'edit', 'reschedule', 'upgrade', 'none']),
  /** The platform's own code, for those who look it up. */
  platformCode: z.string().nullable(),
})
export type PostFailure = z.infer<typeof PostFailure>

export const PostChannel = z.object({
  channelId: Id,
  channelName: z.string(),
  handle: z.string(),
  platformName: PlatformKey,
  profileUrl: z.string().nullable(),
  simulated: z.boolean(),
})

/** A post as lists and the calendar show it. */
export const PostRow = z.object({
  postId: Id,
  batchId: Id.nullable(),
  status: PostState,
  postType: PostType,
  /** The due time of a scheduled post, the time of publishing of a published one, the last change of a draft without a time. */
  at: Instant,
  dueAt: Instant.nullable(),
  timezone: z.string(),
  /** The first 160 characters. */
  excerpt: z.string(),
  images: z.int(),
  channel: PostChannel.nullable(),
  author: z.object({ userId: Id, name: z.string() }).nullable(),
  labels: z.array(z.object({ labelId: Id, labelName: z.string(), colour: LabelColour })),
  campaigns: z.array(z.object({ campaignId: Id, name: z.string() })),
  /** Its place in the series that it was made in, from 0, and how many that made. */
  series: z.object({ seriesId: Id, index: z.int(), count: z.int() }).nullable(),
  permalink: z.string().nullable(),
  failure: PostFailure.nullable(),
  /** Its first text was written by AI. */
  ai: z.boolean(),
  version: z.int(),
})
export type PostRow = z.infer<typeof PostRow>

export const Post = PostRow.extend({
  contents: z.array(
    PostContent.extend({
      media: z.array(PostMedia.extend({ url: z.string(), contentType: z.string(), width: z.int().nullable(), height: z.int().nullable() })),
    }),
  ),
  additionalDetails: AdditionalDetails,
  firstComment: z.string(),
  mentions: z.array(Mention),
  /** The workflow that it was last sent through; null when it never was. `step` counts from 0. */
  workflow: z.object({ workflowId: Id.nullable(), workflowName: z.string(), state: z.enum(['open', 'approved', 'rejected', 'void']), step: z.int(), steps: z.int() }).nullable(),
  /** Present on drafts: the composer's own state. */
  draft: DraftBody.nullable(),
  schedule: Schedule,
  objectId: z.string().nullable(),
  publishedAt: Instant.nullable(),
  /** Its platform takes changes of a published post. */
  changesThere: z.boolean(),
  /** Something that did not succeed after the post was live, or null. */
  warning: z.string().nullable(),
  /** What follows the post, in order: a thread's items, its first comment. `unsure` ones a person settles, `failed` ones are tried again by retry. */
  parts: z.array(z.object({ key: z.string(), name: z.string(), state: z.enum(['waiting', 'sent', 'failed', 'unsure']), reason: z.string().nullable() })),
  createdAt: Instant,
  updatedAt: Instant,
  timeline: z.array(TimelineEntry),
})
export type Post = z.infer<typeof Post>

const PostParams = ProjectParams.extend({ postId: Id })

/** Which posts of its series a change is for. A post outside of a series is only ever `this`. */
export const scopes = ['this', 'following', 'all'] as const
export const Scope = z.enum(scopes)
export type Scope = z.infer<typeof Scope>
/** What a change of a series did: the posts that it changed, and those that stay as they are, with the reason. */
const SeriesOutcome = z.object({ changed: z.int(), kept: z.array(z.object({ postId: Id, reason: z.string() })) })
export type SeriesOutcome = z.infer<typeof SeriesOutcome>
const listOf = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (typeof value === 'string' ? value.split(',').filter(Boolean) : value), z.array(item))

/** Filters of lists and calendar; with `from` and `to` the whole range is answered, at most 2,000 posts. */
export const PostFilter = z.object({
  from: Instant.optional(),
  to: Instant.optional(),
  view: z.enum(['list', 'month', 'week']).optional(),
  status: listOf(PostState).optional(),
  platform: listOf(PlatformKey).optional(),
  channelId: listOf(Id).optional(),
  author: listOf(Id).optional(),
  /** The same as `author`. */
  userIds: listOf(Id).optional(),
  /** Posts that carry any of these labels, or all of them, as `labelMatch` says. */
  labels: listOf(Id).optional(),
  labelMatch: z.enum(['any', 'all']).default('any'),
  /** Posts that are in any of these campaigns. */
  campaign: listOf(Id).optional(),
  /** Who wrote the first text. */
  origin: z.enum(['person', 'ai']).optional(),
  /** Posts in whose texts, titles and alternative texts each of these words begins a word. */
  q: z.string().trim().min(1).max(100).optional(),
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(300).default(PAGE_SIZE.default),
})
export const PostList = z.object({ posts: z.array(PostRow), pagination: Pagination })
export type PostList = z.infer<typeof PostList>

export const submitPost = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post',
  summary: 'Publish, schedule or save posts: one batch, one post per channel, all or nothing',
  access: can('post', 'create'),
  params: ProjectParams,
  body: Submit,
  reply: z.object({
    batchId: Id,
    posts: z.array(z.object({ postId: Id, channelId: Id.nullable(), status: PostState, dueAt: Instant.nullable() })),
    message: z.string().optional(),
  }),
  errors: ['POST_REFUSED', 'POST_LOCKED', 'TIME_PASSED', 'SCHEDULE_CAP', 'PLAN_LIMIT', 'NOT_FOUND', 'IDEMPOTENCY_MISMATCH', 'IDEMPOTENCY_IN_PROGRESS'],
  audit: { action: 'created', entity: 'post' },
  idempotent: true,
})
export const listPosts = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/post',
  summary: 'Posts of the project, filtered',
  access: can('post', 'view'),
  params: ProjectParams,
  query: PostFilter,
  reply: PostList,
  audit: null,
})
export const draftQuery = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/post/draft/query',
  summary: 'Drafts, newest first',
  access: can('post', 'view'),
  params: ProjectParams,
  query: PostFilter,
  reply: PostList,
  audit: null,
})
export const postStatistics = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/post/statistics',
  summary: 'How many posts of each state, in all and by date in a zone',
  access: can('post', 'view'),
  params: ProjectParams,
  query: z.object({ from: Instant.optional(), to: Instant.optional(), timezone: Zone.optional() }),
  reply: z.object({
    total: z.partialRecord(PostState, z.int()),
    days: z.array(z.object({ date: z.string(), status: PostState, count: z.int() })),
  }),
  audit: null,
})
export const getPost = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/post/:postId',
  summary: 'One post with its timeline',
  access: can('post', 'view'),
  params: PostParams,
  reply: Post,
  errors: ['NOT_FOUND'],
  audit: null,
})
export const editPost = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/:postId',
  summary: 'Change what a post says, a published one on its platform first; refused when it was changed since `version`',
  access: can('post', 'edit', 'create'),
  params: PostParams,
  body: z.object({
    version: z.int(),
    contents: z.array(PostContent).min(1).max(100),
    additionalDetails: AdditionalDetails.optional(),
    firstComment: FirstComment.optional(),
    mentions: z.array(Mention).max(100).optional(),
    /** Given, they replace those that the post carries. */
    labels: LabelIds.optional(),
    campaignIds: CampaignIds.optional(),
    /** DRAFT takes the post off the schedule. A recurrence is taken for posts that wait for approval only. */
    schedule: Schedule.optional(),
    /** Sends the post for approval in this workflow: again when it was rejected. */
    workflowId: Id.optional(),
    scope: Scope.default('this'),
    /** Also those posts of the series whose words were changed by themselves. */
    overwrite: z.boolean().default(false),
    /** What AI helped with, where a suggestion was taken. */
    aiHelp: AiHelped.optional(),
  }),
  reply: SeriesOutcome.extend({ version: z.int(), status: PostState, dueAt: Instant.nullable(), message: z.string().optional() }),
  errors: ['NOT_FOUND', 'POST_LOCKED', 'STALE_VERSION', 'POST_REFUSED', 'TIME_PASSED', 'SCHEDULE_CAP', 'PLAN_LIMIT', 'FORBIDDEN', 'CHANNEL_UNREACHABLE', 'CHANNEL_REFUSED', 'ADDRESS_REFUSED'],
  audit: { action: 'edited', entity: 'post' },
})
export const deletePost = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/post/:postId',
  summary: 'Delete a post here; a published one stays on the platform unless `platform` asks otherwise',
  access: can('post', 'delete', 'create'),
  params: PostParams,
  query: z.object({ platform: z.enum(['keep', 'delete']).default('keep'), scope: Scope.default('this') }),
  reply: Done.extend(SeriesOutcome.shape),
  errors: ['NOT_FOUND', 'POST_LOCKED', 'CHANNEL_UNREACHABLE', 'CHANNEL_REFUSED'],
  audit: { action: 'deleted', entity: 'post' },
})
export const restorePost = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/:postId/restore',
  summary: 'Undo a deletion while it is fresh; with a scope, of all that was deleted with it',
  access: can('post', 'delete', 'create'),
  params: PostParams,
  query: z.object({ scope: Scope.default('this') }),
  reply: Done.extend(SeriesOutcome.shape),
  errors: ['NOT_FOUND', 'POST_LOCKED', 'TIME_PASSED', 'SCHEDULE_CAP'],
  audit: { action: 'restored', entity: 'post' },
})
export const saveDraft = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/draft/:postId',
  summary: 'Save a draft under an id that the composer chose; creates it at version 0',
  access: can('post', 'create'),
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
  params: PostParams,
  reply: Done,
  errors: ['NOT_FOUND', 'POST_LOCKED'],
  audit: { action: 'deleted', entity: 'draft' },
})
export const reschedulePost = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/reschedule/:postId',
  summary: 'Move a post to another time, or send it now',
  access: can('post', 'edit', 'create'),
  params: PostParams,
  /** With a scope the others move by the same days to the same time of day. */
  body: z.object({ schedule: Schedule, version: z.int().optional(), scope: Scope.default('this') }),
  reply: SeriesOutcome.extend({ status: PostState, dueAt: Instant.nullable(), version: z.int(), message: z.string().optional() }),
  errors: ['NOT_FOUND', 'POST_LOCKED', 'TIME_PASSED', 'STALE_VERSION', 'SCHEDULE_CAP', 'PLAN_LIMIT', 'POST_REFUSED'],
  audit: { action: 'rescheduled', entity: 'post' },
})
export const retryPost = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/retry/:postId',
  summary: 'Send a failed post again',
  access: can('post', 'publish', 'edit'),
  params: PostParams,
  reply: Done,
  errors: ['NOT_FOUND', 'POST_LOCKED', 'PLAN_LIMIT', 'POST_REFUSED'],
  audit: { action: 'retried', entity: 'post' },
})
/** A person's word on a post whose sending could not be settled. */
export const settlePost = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/settle/:postId',
  summary: 'Say whether an unconfirmed post went out',
  access: can('post', 'publish', 'edit'),
  params: PostParams,
  body: z.object({ outcome: z.enum(['published', 'send_again', 'failed']), permalink: WebAddress.optional() }),
  reply: Done,
  errors: ['NOT_FOUND', 'POST_LOCKED', 'PLAN_LIMIT'],
  audit: { action: 'settled', entity: 'post' },
})
/** Who and what lists can be filtered by. */
export const postFilters = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/filter',
  summary: 'Authors, labels, campaigns and channels that lists can be filtered by; archived ones too, since old posts carry them',
  access: can('post', 'view'),
  params: ProjectParams,
  reply: z.object({
    authors: z.array(z.object({ userId: Id, name: z.string() })),
    labels: z.array(z.object({ labelId: Id, labelName: z.string(), colour: LabelColour, state: ShelfState })),
    campaigns: z.array(z.object({ campaignId: Id, name: z.string(), state: ShelfState })),
    channels: z.array(PostChannel),
  }),
  audit: null,
})
