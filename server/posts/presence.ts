import type { Editor, editingPost } from '#contract/presence.ts'
import type { Context } from '../http/route.ts'
import { fail } from '../errors.ts'
import { notePresence, othersAt } from '../presence/presence.ts'
import { findPost, mayChange, type PostRecord } from './access.ts'

/**
 * Records that the caller is editing a post, for 30 seconds, or has stopped. Returns who else is, and the post's
 * status. Open screens are notified when someone comes or goes, not on each repetition; people who stop sending are
 * no longer listed. Throws NOT_FOUND, and FORBIDDEN for another person's post that the caller can't edit.
 */
export async function sayPresence(
  c: Context<typeof editingPost>,
): Promise<{ editors: Editor[]; status: PostRecord['state'] }> {
  const post = await findPost(c, c.params.postId)
  const mayEdit = mayChange(c, post, 'edit')
  // the author's composer may still be open on a post that someone has published in the meantime: it learns the
  // status
  if (!mayEdit && post.author_id !== c.caller.personId) throw fail('FORBIDDEN')
  const at = { kind: 'post', id: post.id } as const
  const isNews = await notePresence(c, at, c.body.editing && mayEdit)
  if (isNews) await c.emit({ kind: 'presence', ref: post.id })
  return { editors: await othersAt(c, at), status: post.state }
}
