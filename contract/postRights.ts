import { allows, mayPublish, type Permissions } from './permissions.ts'
import type { PostAction, PostState } from './postStates.ts'

/** What the rule looks at: the permissions held on the post's channel, the post's status, and whether the person wrote it. */
export type AboutPost = { held: Permissions; status: PostState; isAuthor: boolean }

/** Until someone decided to publish it, a post is its author's to change. */
const unpublished: readonly PostState[] = ['DRAFTS', 'NEEDS_APPROVAL', 'REJECTED']

/**
 * Whether a role allows an action on one post: the one rule that the server and the screens ask. A person who may only
 * create posts also edits, moves and deletes their own while those are drafts, wait for approval or were rejected
 * (decisions, Roles). What puts a post on its way to the platform needs the right to publish. Whether the post's status
 * allows the action is `canDo` in postStates.ts.
 */
export function mayOnPost(action: PostAction, { held, status, isAuthor }: AboutPost): boolean {
  const isUnpublished = unpublished.includes(status)
  const own = isAuthor && isUnpublished && allows(held, 'post', 'create')
  if (action === 'edit' || action === 'label') return own || allows(held, 'post', 'edit')
  if (action === 'delete') return own || allows(held, 'post', 'delete')
  if (action !== 'reschedule') return mayPublish(held)
  return (own || allows(held, 'post', 'edit')) && (isUnpublished || mayPublish(held))
}
