import { z } from 'zod'
import { Id } from '#contract/common.ts'
import { conversationKinds, conversationStatuses, inboxSortings, sentiments } from '#contract/inbox/terms.ts'
import { NoticeTopic } from '#contract/notices.ts'
import { appKeys, platformKeys } from '#contract/platforms/rules.ts'
import { postStates } from '#contract/postStates.ts'
import { inboxViews } from '#web/features/inbox/inboxViews.ts'
import { isDay } from '#web/lib/dates.ts'

/** Each screen's search parameters. Invalid ones are dropped, never an error. */

const list = <T extends z.ZodType>(item: T) =>
  z
    .preprocess((value) => (typeof value === 'string' ? value.split(',').filter(Boolean) : value), z.array(item))
    .optional()
    .catch(undefined)
const day = z.string().refine(isDay).optional().catch(undefined)
const id = Id.optional().catch(undefined)
const text = z.string().optional().catch(undefined)

const filters = {
  status: list(z.enum(postStates)),
  channelIds: list(Id),
  userIds: list(Id),
  platforms: list(z.enum(platformKeys)),
  labels: list(Id),
  /** Any of the labels unless it says all. */
  labelMatch: z.literal('all').optional().catch(undefined),
  campaigns: list(Id),
  /** Words in the posts. */
  q: z.string().trim().min(1).max(100).optional().catch(undefined),
}

/** On every page of a project: the post that is open next to it, and which of its sections. */
export const ProjectSearch = z.object({ post: id, panel: z.enum(['notes', 'activity']).optional().catch(undefined) })

export const CalendarSearch = z.object({
  view: z.enum(['month', 'week', 'list']).optional().catch(undefined),
  date: day,
  ...filters,
})
/** The view, its filters, the open conversation (`c`), the item that was found in it (`at`), and whether its notes are open. */
export const InboxSearch = z.object({
  view: z.enum(inboxViews).optional().catch(undefined),
  sort: z.enum(inboxSortings).optional().catch(undefined),
  c: id,
  at: id,
  notes: z.literal('open').optional().catch(undefined),
  channelIds: list(Id),
  platforms: list(z.enum(platformKeys)),
  kinds: list(z.enum(conversationKinds)),
  status: list(z.enum(conversationStatuses)),
  assignees: list(z.union([Id, z.enum(['me', 'nobody'])])),
  labels: list(Id),
  sentiments: list(z.enum([...sentiments, 'unknown'])),
  unread: z.literal('yes').optional().catch(undefined),
  answered: z.enum(['yes', 'no']).optional().catch(undefined),
  about: id,
  from: day,
  to: day,
  q: z.string().trim().min(1).max(100).optional().catch(undefined),
})
/** The response that is being edited. */
export const CannedResponsesSearch = z.object({
  edit: z
    .union([z.literal('new'), Id])
    .optional()
    .catch(undefined),
})
/** `d`: the open discussion; `edit`: the open one, or a new one, is written. */
export const DiscussionsSearch = z.object({
  d: id,
  view: z.enum(['mine', 'resolved']).optional().catch(undefined),
  page: z.coerce.number().int().min(1).optional().catch(undefined),
  edit: z.enum(['new', 'open']).optional().catch(undefined),
  postId: id,
  conversationId: id,
  campaignId: id,
})
export const CampaignsSearch = z.object({
  page: z.coerce.number().int().min(1).optional().catch(undefined),
  state: z.enum(['active', 'archived']).optional().catch(undefined),
  edit: z
    .union([z.literal('new'), Id])
    .optional()
    .catch(undefined),
})
export const CampaignSearch = z.object({ page: z.coerce.number().int().min(1).optional().catch(undefined) })
/** `import`: the import of rows that is open in Bulk Schedule. */
export const PostsSearch = z.object({
  import: id,
  /** The open link in bio page. */
  bio: id,
  /** Its figures of these days, in place of its editor. */
  figures: z.enum(['7', '30', '90']).optional().catch(undefined),
  page: z.coerce.number().int().min(1).optional().catch(undefined),
  from: day,
  to: day,
  ...filters,
})
/** A report, with the dialog that is open over it. */
export const ReportSearch = z.object({ open: z.enum(['share', 'schedules']).optional().catch(undefined) })
/**
 * Days, what they're compared with, what narrows the figures down, the drawn `figure` with its `lines`, and whether all figures are
 * shown. Of the post table, the figure that it's sorted by (else by time), the other order, and its columns.
 * Campaign Insights: by label instead, and the `ids` of the campaigns or labels that are compared. Benchmarking: by channel, all in
 * one order. `workedBy` and `worked`: what the panel What worked compares posts by, and with which figure. Brand
 * Spotlight: the hashtag that is searched for on Instagram, and through which channel. Names of figures are checked by the sections,
 * so that the catalog loads with them.
 */
export const InsightsSearch = z.object({
  range: z.enum(['7', '28', 'month', '30', '90', 'custom']).optional().catch(undefined),
  from: day,
  to: day,
  compare: z.enum(['off', 'year', 'custom']).optional().catch(undefined),
  compareFrom: day,
  compareTo: day,
  channelIds: list(Id),
  platforms: list(z.enum(platformKeys)),
  hashtag: text,
  campaignId: id,
  labelId: id,
  figure: text,
  lines: z.enum(['platform', 'channel']).optional().catch(undefined),
  figures: z.literal('all').optional().catch(undefined),
  sort: text,
  order: z.literal('asc').optional().catch(undefined),
  columns: list(z.string()),
  by: z.enum(['label', 'channel']).optional().catch(undefined),
  ids: list(Id),
  workedBy: text,
  worked: text,
  audienceChannelId: id,
  hashtagChannelId: id,
  searchedHashtag: text,
})
/** `draft` continues one; `edit` changes an existing post; `copy` starts a new one with what a post says; `date`, `time` and `channelIds` prefill a new one. */
export const ComposeSearch = z.object({
  draft: id,
  edit: id,
  copy: id,
  date: day,
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .optional()
    .catch(undefined),
  channelIds: list(Id),
})
export const ChannelsSearch = z.object({
  page: z.coerce.number().int().min(1).optional().catch(undefined),
  connect: z
    .enum([...platformKeys, 'list'])
    .optional()
    .catch(undefined),
  reconnect: id,
  /** The way in which it is connected again, where the platform has several. */ variant: z
    .string()
    .max(50)
    .optional()
    .catch(undefined),
})
/** The platform whose app settings are open next to the list. */
export const ChannelSetupSearch = z.object({ app: z.enum(appKeys).optional().catch(undefined) })
/** `add`: the dialog that is open over the list. */
export const UsersSearch = z.object({
  page: z.coerce.number().int().min(1).optional().catch(undefined),
  add: z.enum(['member', 'invite']).optional().catch(undefined),
})
/**
 * `role` is open next to the list; `new` is the editor of one that doesn't exist yet, `from` the role that it's based
 * on.
 */
export const RolesSearch = z.object({
  page: z.coerce.number().int().min(1).optional().catch(undefined),
  role: z
    .union([z.literal('new'), Id])
    .optional()
    .catch(undefined),
  from: id,
})
/** The workflow whose editor is open. */
export const WorkflowsSearch = z.object({
  workflow: z
    .union([z.literal('new'), Id])
    .optional()
    .catch(undefined),
})
/** The tab, and its page. `excess`: the choice of what stays active is open. */
/** `of`: whose admins can help, or that the plan, which includes `members`, has no room for the person. */
export const AccessDeniedSearch = z.object({
  of: z.enum(['organization', 'plan']).optional().catch(undefined),
  members: z.coerce.number().int().min(1).optional().catch(undefined),
})
export type AccessDenied = z.output<typeof AccessDeniedSearch>
export const OrgSettingsSearch = z.object({
  tab: z.enum(['general', 'channels', 'projects', 'users', 'audit', 'billing']).optional().catch(undefined),
  page: z.coerce.number().int().min(1).optional().catch(undefined),
  excess: z.literal('choose').optional().catch(undefined),
  who: id,
  did: z.string().max(50).optional().catch(undefined),
  kind: z.string().max(50).optional().catch(undefined),
  from: day,
  to: day,
})
/** The channel whose queue is open. */
export const QueuesSearch = z.object({ channel: id })
/** The open folder (`none`: files without a folder), the search, and the file that is open next to the list. */
export const AssetsSearch = z.object({
  page: z.coerce.number().int().min(1).optional().catch(undefined),
  folder: z
    .union([z.literal('none'), Id])
    .optional()
    .catch(undefined),
  search: z.string().max(100).optional().catch(undefined),
  kind: z.enum(['image', 'video', 'document']).optional().catch(undefined),
  view: z.literal('list').optional().catch(undefined),
  file: id,
})
export const InviteSearch = z.object({ inviteId: text })
export const NoticesSearch = z.object({
  page: z.coerce.number().int().min(1).optional().catch(undefined),
  unread: z.preprocess((value) => value === true || value === 'true' || undefined, z.literal(true).optional()),
  topic: NoticeTopic.optional().catch(undefined),
})
/** `show`: the status whose posts are listed under Content Status. */
export const DashboardSearch = z.object({
  range: z.enum(['today', 'seven', 'thirty']).optional().catch(undefined),
  show: z.enum(['published', 'failed', 'draft']).optional().catch(undefined),
})

/** `connected`: the channel that was just connected in the wizard, whose first drafts are being written. */
export const OnboardingSearch = z.object({ connected: id })
/** What a platform sends back after its own page, by the names of OAuth. `hop`: it came by this machine's other name. */
/** Every platform sends parameters of its own: none is dropped. */
export const OAuthSearch = z.object({ state: text, hop: text }).catchall(text)
export const LoginPageSearch = z.object({
  redirect: text,
  inviteId: text,
  reason: z.literal('INVITE_NOT_FOUND').optional().catch(undefined),
})
export const SecondStepSearch = z.object({ redirect: text })
export const SignupSearch = z.object({ inviteId: text, email: text, redirect: text })
export const VerifySearch = z.object({ email: text })
export const UnsubscribeSearch = z.object({ token: text })
export const ResetPasswordSearch = z.object({ token: text })
export const ForgotPasswordSearch = z.object({ email: text })

/** Readable addresses: plain words and lists with commas, nothing guessed to be a number. */
export function readSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

export function writeSearch(search: Record<string, unknown>): string {
  const query = Object.entries(search).flatMap(([name, value]) => {
    const written = Array.isArray(value)
      ? value.map(String).join(',')
      : value === undefined || value === null
        ? ''
        : typeof value === 'string'
          ? value
          : JSON.stringify(value)
    return written === ''
      ? []
      : [
          `${encodeURIComponent(name)}=${encodeURIComponent(written).replaceAll('%2C', ',').replaceAll('%2F', '/').replaceAll('%3A', ':')}`,
        ]
  })
  return query.length > 0 ? `?${query.join('&')}` : ''
}
