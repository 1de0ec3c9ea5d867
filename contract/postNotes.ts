import { z } from 'zod'
import { Done, Id, Instant, ProjectParams } from './common.ts'
import { can, endpoint } from './endpoint.ts'

export const NoteText = z.string().trim().min(1, 'Write something').max(2000, 'This note is too long')
const Mentions = z.array(Id).max(20).default([])

/** What teammates say to each other about a post or a conversation, or in a discussion; it never leaves Rookery. */
export const Note = z.object({
  noteId: Id,
  text: z.string(),
  author: z.object({ userId: Id, name: z.string(), profileUrl: z.string().nullable() }),
  mentions: z.array(z.object({ userId: Id, name: z.string() })),
  createdAt: Instant,
  editedAt: Instant.nullable(),
  replies: z.int(),
  /** Deleted by its author or by an admin of the project. */
  mayDelete: z.boolean(),
  mayEdit: z.boolean(),
})
export type Note = z.infer<typeof Note>

/** Notes have their own permissions: a client may read posts and write notes without being able to change a post. */
const mayRead = can('note', 'view')
const mayWrite = can('note', 'create')
const PostParams = ProjectParams.extend({ postId: Id })
const NoteParams = ProjectParams.extend({ noteId: Id })

export const postNotes = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/note/post/:postId',
  summary: "List a post's notes, oldest first",
  access: mayRead,
  cost: 'light',
  reads: ['note', 'post'],
  params: PostParams,
  reply: z.object({ notes: z.array(Note) }),
  errors: ['NOT_FOUND'],
  audit: null,
})
export const conversationNotes = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/note/conversation/:conversationId',
  summary: "List a conversation's notes, oldest first",
  access: mayRead,
  cost: 'light',
  reads: ['note', 'conversation'],
  params: ProjectParams.extend({ conversationId: Id }),
  reply: z.object({ notes: z.array(Note) }),
  errors: ['NOT_FOUND'],
  audit: null,
})
export const noteReplies = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/note/:noteId/replies',
  summary: "List a note's replies, oldest first",
  access: mayRead,
  cost: 'light',
  reads: ['note', 'discussion'],
  params: NoteParams,
  reply: z.object({ replies: z.array(Note) }),
  errors: ['NOT_FOUND'],
  audit: null,
})
const added = { reply: Done.extend({ noteId: Id }), errors: ['NOT_FOUND', 'RATE_LIMITED', 'PLAN_LIMIT'] } as const
export const addPostNote = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/note/post',
  summary: 'Add a note to a post and notify mentioned members',
  access: mayWrite,
  cost: 'post',
  changes: ['note'],
  params: ProjectParams,
  body: z.object({ postId: Id, text: NoteText, mentions: Mentions }),
  ...added,
  audit: { action: 'created', entity: 'note' },
})
export const addNote = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/note',
  summary: 'Add a note to a conversation, a post or a discussion and notify mentioned members',
  access: mayWrite,
  cost: 'post',
  changes: ['note'],
  params: ProjectParams,
  body: z
    .object({
      conversationId: Id.optional(),
      postId: Id.optional(),
      discussionId: Id.optional(),
      text: NoteText,
      mentions: Mentions,
    })
    .refine(
      (named) => [named.conversationId, named.postId, named.discussionId].filter((id) => id !== undefined).length === 1,
      { path: ['conversationId'], message: 'Name either a conversation, a post or a discussion' },
    ),
  ...added,
  audit: { action: 'created', entity: 'note' },
})
export const replyToNote = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/note/reply',
  summary: 'Reply to a note and notify its author and mentioned members',
  access: mayWrite,
  cost: 'post',
  changes: ['note'],
  params: ProjectParams,
  body: z.object({ noteId: Id, text: NoteText, mentions: Mentions }),
  ...added,
  audit: { action: 'created', entity: 'note' },
})
export const editNote = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project/:projectId/note/:noteId',
  summary: 'Edit your own note or reply',
  access: mayWrite,
  cost: 'post',
  changes: ['note'],
  params: NoteParams,
  body: z.object({ text: NoteText, mentions: Mentions }),
  reply: Done,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'PLAN_LIMIT'],
  audit: { action: 'edited', entity: 'note' },
})
export const deleteNote = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/note/:noteId',
  summary: 'Delete a note with its replies, or a reply; for its author and project admins',
  access: mayWrite,
  cost: 'light',
  changes: ['note'],
  params: NoteParams,
  reply: Done,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  audit: { action: 'deleted', entity: 'note' },
})

/**
 * What happened to a post, newest last: who did what, and when; `by` is null for the system. `detail` holds small
 * facts, among them `dueAt` and `note`, if there are any.
 */
export const postActivity = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/audit/post/:postId',
  summary: "List a post's activity",
  access: can('post', 'view'),
  cost: 'list',
  reads: ['post', 'note', 'channel', 'taxonomy'],
  params: PostParams,
  reply: z.object({
    activity: z.array(
      z.object({
        at: Instant,
        by: z.object({ userId: Id, name: z.string() }).nullable(),
        action: z.string(),
        detail: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
  errors: ['NOT_FOUND'],
  audit: null,
})
