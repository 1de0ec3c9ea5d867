import { allows, type Permissions } from './permissions.ts'
import type { PostAction, PostState } from './postStates.ts'

/** What the rule looks at: the permissions held on the post's channel, the post's status, and whether the person wrote it. */
export type AboutPost = { held: Permissions; status: PostState; isAuthor: boolean }

/** Until somebody decided to publish it, a post is its author's to change. */
const unpublished: readonly PostState[] = ['DRAFTS', 'NEEDS_APPROVAL', 'REJECTED']

/**
 * Whether a role allows an action on one post: the one rule that the server and the screens ask. A person who may only
 * create posts also edits, moves and deletes their own while those are drafts, wait for approval or were rejected
 * (decisions, Roles). What puts a post on its way to the platform needs the right to publish. Whether the post's status
 * allows the action is `canDo` in postStates.ts.
 */
export function mayOnPost(action: PostAction, { held, status, isAuthor }: AboutPost): boolean {
  const own = isAuthor && unpublished.includes(status) && allows(held, 'post', 'create')
  switch (action) {
    case 'edit':
    case 'label':
      return own || allows(held, 'post', 'edit')
    case 'delete':
      return own || allows(held, 'post', 'delete')
    case 'reschedule':
      return (
        mayOnPost('edit', { held, status, isAuthor }) &&
        (unpublished.includes(status) || allows(held, 'post', 'publish'))
      )
    case 'sendNow':
    case 'retry':
    case 'settle':
      return allows(held, 'post', 'publish')
  }
}
