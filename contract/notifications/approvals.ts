import { z } from 'zod'
import { Instant } from '../common.ts'
import { mailMomentText } from '../format.ts'
import { wordsOf } from '../failures/catalog.ts'
import { excerptText, PostFailure } from '../postLists.ts'
import { webLinks } from '../webLinks.ts'
import { count, inProject, notification, toPost } from './define.ts'

/* About approvals, and notes on posts. */

const post = z.object({
  postId: z.string(),
  /** The start of the post's text; empty for a post without text. */
  excerpt: z.string(),
})
const aboutPost = ({ excerpt }: { excerpt: string }) => excerptText(excerpt)

const note = z.object({ author: z.string(), postId: z.string(), /** The start of the note. */ excerpt: z.string() })

export const approvalNotifications = {
  'approval-requested': notification({
    topic: 'approvals',
    params: post.extend({ sender: z.string() }),
    title: ({ sender }) => `${sender} requested your approval`,
    body: aboutPost,
    link: toPost,
  }),
  'approvals-requested': notification({
    topic: 'approvals',
    params: z.object({ sender: z.string(), count }),
    title: ({ sender }) => `${sender} requested your approval`,
    body: ({ count: posts }) => (posts === 1 ? '1 post is waiting for you.' : `${posts} posts are waiting for you.`),
    link: (_params, place) => inProject(place, webLinks.pendingApprovals),
  }),
  'approval-reminder': notification({
    topic: 'approvals',
    params: post.extend({ /** Null after a day without a decision. */ sender: z.string().nullable() }),
    title: ({ sender }) =>
      sender === null
        ? 'A post is still waiting for your approval'
        : `Reminder from ${sender}: a post is waiting for your approval`,
    body: aboutPost,
    link: toPost,
  }),
  'approval-due-soon': notification({
    topic: 'approvals',
    params: post.extend({ dueAt: Instant, zone: z.string() }),
    title: ({ dueAt, zone }) =>
      `A post waiting for your approval is scheduled for ${mailMomentText(new Date(dueAt), zone)}`,
    body: aboutPost,
    link: toPost,
  }),
  'approval-decided': notification({
    topic: 'approvals',
    params: post.extend({
      decider: z.string(),
      decision: z.enum(['approved', 'rejected']),
      comment: z.string(),
      /** Why the approved post can't be published yet. */
      failure: PostFailure.nullable(),
    }),
    title: ({ decider, decision, failure }) =>
      `${decider} ${decision} your post${failure === null ? '' : ", but it can't be published yet"}`,
    body: (params) => (params.failure === null ? aboutPost(params) : `${aboutPost(params)} ${wordsOf(params.failure)}`),
    quote: ({ comment }) => comment || null,
    link: toPost,
  }),
  'post-edited': notification({
    topic: 'approvals',
    params: post.extend({ editor: z.string() }),
    title: ({ editor }) => `${editor} edited your post that's waiting for approval`,
    body: aboutPost,
    link: toPost,
  }),
  'note-mention': notification({
    topic: 'notes',
    params: note,
    title: ({ author }) => `${author} mentioned you in a note`,
    body: ({ excerpt }) => excerpt,
    link: toPost,
  }),
  'note-reply': notification({
    topic: 'notes',
    params: note,
    title: ({ author }) => `${author} replied to your note`,
    body: ({ excerpt }) => excerpt,
    link: toPost,
  }),
}
