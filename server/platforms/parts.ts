import type { Outgoing, FollowUp, FollowUpToSend } from './platform.ts'

/* The follow-ups that most platforms have. A follow-up's key is stored with its state and never changes. */

export const COMMENT = 'comment'
export const itemKey = (item: number): string => `item ${item}`

/** The first comment, if there is one. */
export const commentFollowUp = ({ firstComment }: Pick<Outgoing, 'firstComment'>): FollowUp[] =>
  firstComment ? [{ key: COMMENT, kind: 'comment' }] : []

/** The further items of a thread, each a reply to the one before, then the first comment, a reply to the post. */
export const threadFollowUps = ({
  contents,
  firstComment,
}: Pick<Outgoing, 'contents' | 'firstComment'>): FollowUp[] => [
  ...contents.slice(1).map((_, index): FollowUp => ({ key: itemKey(index + 1), kind: 'item', item: index + 1 })),
  ...commentFollowUp({ firstComment }),
]

/**
 * What a follow-up replies to: a thread item to the one before it, a comment to the post. Undefined if that isn't
 * known.
 */
export const parentOf = (part: FollowUpToSend): FollowUpToSend['sent'][number] | undefined =>
  part.kind === 'item' ? part.sent.findLast(({ key }) => key !== COMMENT) : part.sent[0]

/** The ID of what a follow-up replies to. */
export const answeredBy = (part: FollowUpToSend): string | undefined => parentOf(part)?.remoteId

/** The content of a follow-up: a thread item's text and files, a comment's text. */
export const itemOf = (
  post: Pick<Outgoing, 'contents' | 'firstComment'>,
  part: FollowUp,
): Outgoing['contents'][number] | undefined =>
  part.kind === 'item' ? post.contents[part.item] : { text: post.firstComment ?? '', media: [] }
