import type { Outgoing, FollowUp, FollowUpToSend } from './platform.ts'

/* What follows a post, as most platforms have it. A part's key is stored with what became of it: it never changes. */

export const COMMENT = 'comment'
export const itemKey = (item: number): string => `item ${item}`

/** The first comment, where one was written. */
export const commentFollowUp = ({ firstComment }: Pick<Outgoing, 'firstComment'>): FollowUp[] =>
  firstComment ? [{ key: COMMENT, kind: 'comment' }] : []

/** The further items of a thread, each an answer to the one before; then the first comment, an answer to the post. */
export const threadFollowUps = ({
  contents,
  firstComment,
}: Pick<Outgoing, 'contents' | 'firstComment'>): FollowUp[] => [
  ...contents.slice(1).map((_, index): FollowUp => ({ key: itemKey(index + 1), kind: 'item', item: index + 1 })),
  ...commentFollowUp({ firstComment }),
]

/** What a part replies to: an item to the one before it, a comment to the post. Undefined where that isn't known. */
export const parentOf = (part: FollowUpToSend): FollowUpToSend['sent'][number] | undefined =>
  part.kind === 'item' ? part.sent.findLast(({ key }) => key !== COMMENT) : part.sent[0]

/** The id of what a part replies to. */
export const answeredBy = (part: FollowUpToSend): string | undefined => parentOf(part)?.remoteId

/** What a part says: an item of the thread with its files, a comment its words. */
export const itemOf = (
  post: Pick<Outgoing, 'contents' | 'firstComment'>,
  part: FollowUp,
): Outgoing['contents'][number] | undefined =>
  part.kind === 'item' ? post.contents[part.item] : { text: post.firstComment ?? '', media: [] }
