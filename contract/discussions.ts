import { z } from 'zod'
import { Done, Id, Instant, PageQuery, Pagination, ProjectParams } from './common.ts'
import { can, endpoint } from './endpoint.ts'
import { Note, NoteText } from './postNotes.ts'

/*
 * A team's discussions: threads in a project, on their own or about a post, a conversation or a campaign. Their
 * messages are notes, with the notes' permissions, replies and mentions. A discussion about something is only visible
 * to people who can see that. Without discussions in the plan, everything but deleting is PLAN_LIMIT.
 */

export const DISCUSSION_MEMBERS_MOST = 50
export const DiscussionTitle = z
  .string()
  .trim()
  .min(1, 'Enter a title')
  .max(120, 'A title can have up to 120 characters')
const MemberIds = z
  .array(Id)
  .max(DISCUSSION_MEMBERS_MOST, `A discussion can have up to ${DISCUSSION_MEMBERS_MOST} members`)
const Person = z.object({ userId: Id, name: z.string(), profileUrl: z.string().nullable() })

export const discussionSubjects = ['post', 'conversation', 'campaign'] as const
/** The subject of a discussion; `name` is its name or the start of its text, and may be empty. */
const Subject = z.object({ kind: z.enum(discussionSubjects), id: Id, name: z.string() })

export const Discussion = z.object({
  discussionId: Id,
  title: z.string(),
  about: Subject.nullable(),
  author: Person,
  /** They're notified of messages. Everyone who writes or is mentioned becomes one. */
  members: z.array(Person),
  /** Includes replies. */
  messages: z.int(),
  createdAt: Instant,
  /** The time of the last message. */
  lastAt: Instant,
  resolved: z.object({ at: Instant, by: Person.pick({ userId: true, name: true }) }).nullable(),
  /** For its author and project admins. */
  mayDelete: z.boolean(),
})
export type Discussion = z.infer<typeof Discussion>

const mayRead = can('note', 'view')
const mayWrite = can('note', 'create')
const DiscussionParams = ProjectParams.extend({ discussionId: Id })
/** The subject: at most one of these. */
const about = { postId: Id.optional(), conversationId: Id.optional(), campaignId: Id.optional() }
const isOne = (named: { postId?: unknown; conversationId?: unknown; campaignId?: unknown }) =>
  [named.postId, named.conversationId, named.campaignId].filter((id) => id !== undefined).length <= 1
const oneSubject = { path: ['postId'], message: 'Name either a post, a conversation or a campaign' }
const reads = ['discussion', 'note', 'post', 'conversation', 'taxonomy', 'member'] as const

export const listDiscussions = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/discussion',
  summary: 'List discussions that you can see, the latest first (paginated)',
  access: mayRead,
  cost: 'list',
  reads,
  params: ProjectParams,
  query: PageQuery.extend({
    ...about,
    state: z.enum(['open', 'resolved']).default('open'),
    /** Only those in which the caller participates. */
    mine: z.stringbool().optional(),
  }),
  reply: z.object({ discussions: z.array(Discussion), pagination: Pagination }),
  errors: ['PLAN_LIMIT'],
  audit: null,
})
export const getDiscussion = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/discussion/:discussionId',
  summary: 'Get a discussion',
  access: mayRead,
  cost: 'light',
  reads,
  params: DiscussionParams,
  reply: Discussion,
  errors: ['NOT_FOUND', 'PLAN_LIMIT'],
  audit: null,
})
export const discussionNotes = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/note/discussion/:discussionId',
  summary: 'List what was said in a discussion, oldest first',
  access: mayRead,
  cost: 'light',
  reads: ['note', 'discussion'],
  params: DiscussionParams,
  reply: z.object({ notes: z.array(Note) }),
  errors: ['NOT_FOUND', 'PLAN_LIMIT'],
  audit: null,
})

const members = { memberIds: MemberIds.default([]) }
export const NewDiscussion = z.object({
  title: DiscussionTitle,
  text: NoteText,
  mentions: z.array(Id).max(20).default([]),
  ...members,
})
export const createDiscussion = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/discussion',
  summary: 'Start a discussion with its first message, and notify its members',
  access: mayWrite,
  cost: 'post',
  changes: ['discussion'],
  params: ProjectParams,
  body: NewDiscussion.extend(about).refine(isOne, oneSubject),
  reply: Done.extend({ discussionId: Id }),
  errors: ['NOT_FOUND', 'PLAN_LIMIT', 'BAD_INPUT', 'RATE_LIMITED'],
  audit: { action: 'created', entity: 'discussion' },
})
export const editDiscussion = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project/:projectId/discussion/:discussionId',
  summary: 'Rename a discussion, or change who takes part. New members are notified',
  access: mayWrite,
  cost: 'light',
  changes: ['discussion'],
  params: DiscussionParams,
  body: z.object({ title: DiscussionTitle, memberIds: MemberIds }),
  reply: Done,
  errors: ['NOT_FOUND', 'PLAN_LIMIT', 'BAD_INPUT'],
  audit: { action: 'edited', entity: 'discussion' },
})
export const resolveDiscussion = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/discussion/:discussionId/resolve',
  summary: 'Resolve a discussion and notify its members, or reopen it',
  access: mayWrite,
  cost: 'light',
  changes: ['discussion'],
  params: DiscussionParams,
  body: z.object({ resolved: z.boolean() }),
  reply: Done,
  errors: ['NOT_FOUND', 'PLAN_LIMIT'],
  audit: { action: 'resolved', entity: 'discussion' },
})
export const deleteDiscussion = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/discussion/:discussionId',
  summary: 'Delete a discussion with everything said in it; for its author and project admins',
  access: mayWrite,
  cost: 'light',
  changes: ['discussion'],
  params: DiscussionParams,
  reply: Done,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  audit: { action: 'deleted', entity: 'discussion' },
})
