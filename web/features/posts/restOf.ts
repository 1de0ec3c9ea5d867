import type { Post } from '#contract/posts.ts'
import { count } from '#web/lib/format.ts'

type Rest = { name: string; many: boolean }

/**
 * What follows a post whose sending was lost: confirming that it was published ends the sending, so people should know.
 * For a live post, follow-ups continue automatically.
 */
export function restOf({
  status,
  contents,
  firstComment,
  additionalDetails,
}: Pick<Post, 'status' | 'contents' | 'firstComment' | 'additionalDetails'>): Rest[] {
  if (status !== 'UNCONFIRMED') return []
  const more = contents.length - 1
  return [
    ...(more > 0 ? [{ name: `${count(more, 'more post')} of its thread`, many: more > 1 }] : []),
    ...(firstComment ? [{ name: 'a first comment', many: false }] : []),
    ...(additionalDetails.playlistId ? [{ name: 'a place in a playlist', many: false }] : []),
  ]
}

/** "2 more posts of its thread and a first comment" */
export const inWords = (rest: readonly Rest[]): string => new Intl.ListFormat('en').format(rest.map(({ name }) => name))
