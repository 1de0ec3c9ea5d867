import { z } from 'zod'
import { forget, recall, remember } from '#web/lib/remember.ts'
import { ReplyFile } from './replyFiles.ts'

/** An answer that is being written. */
const ReplyDraft = z.object({
  text: z.string(),
  // of an earlier version of this page, the text counts
  files: z.array(ReplyFile).readonly().catch([]),
  /** The item that was chosen to be answered; the last one received otherwise. */
  itemId: z.string().optional(),
  /** The canned response that it was made from. */
  responseId: z.string().optional(),
})
export type ReplyDraft = z.infer<typeof ReplyDraft>
export const emptyDraft: ReplyDraft = { text: '', files: [] }

export const isEmpty = ({ text, files }: ReplyDraft): boolean => text.trim() === '' && files.length === 0

/** Drafts survive a session that has expired, and belong to one person (`forgetAll`). */
const keyOf = (userId: string, conversationId: string) => `draft.reply.${userId}.${conversationId}`

/** What was written in this browser and not sent. */
export function readReplyDraft(userId: string, conversationId: string): ReplyDraft {
  try {
    return ReplyDraft.parse(JSON.parse(recall(keyOf(userId, conversationId)) ?? ''))
  } catch {
    // nothing was written, or by another version of this page
    return emptyDraft
  }
}

export function keepReplyDraft(userId: string, conversationId: string, draft: ReplyDraft): void {
  if (isEmpty(draft) && draft.itemId === undefined) forget(keyOf(userId, conversationId))
  else remember(keyOf(userId, conversationId), JSON.stringify(draft))
}
