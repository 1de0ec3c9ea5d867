import type { Editor, editingPost } from '#contract/presence.ts'
import type { Context } from '../http/route.ts'
import { fail } from '../errors.ts'
import { notePresence, othersAt } from '../presence/presence.ts'
import { findPost, mayChange, type PostRecord } from './access.ts'

/**
 * Notes that the caller is editing a post, for 30 seconds, or has stopped. Answers who else is, and what has become of the
 * post. Open screens are notified when somebody comes or goes, not on each repetition; who falls silent is no longer listed.
 * Throws NOT_FOUND, and FORBIDDEN for a post of somebody else that the caller may not edit.
 */
export async function sayPresence(
  c: Context<typeof editingPost>,
): Promise<{ editors: Editor[]; status: PostRecord['state'] }> {
  const post = await findPost(c, c.params.postId)
  const mayEdit = mayChange(c, post, 'edit')
  // the author's composer may still be open on what somebody published meanwhile: it learns the status
  if (!mayEdit && post.author_id !== c.caller.personId) throw fail('FORBIDDEN')
  const at = { kind: 'post', id: post.id } as const
  const isNews = await notePresence(c, at, c.body.editing && mayEdit)
  if (isNews) await c.emit({ kind: 'presence', ref: post.id })
  return { editors: await othersAt(c, at), status: post.state }
}
