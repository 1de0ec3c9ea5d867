import type { ProjectContext } from '../http/route.ts'
import { sql, type Selectable } from 'kysely'
import type { Database } from '../db/schema.ts'
import { fail } from '../errors.ts'
import { findConversation, type ConversationRecord } from '../inbox/access.ts'
import { findPost, type PostRecord } from '../posts/access.ts'
import { visibleTo } from '../access/visiblePosts.ts'
import { findDiscussion, subjectOf, type DiscussionRow, type DiscussionSubject } from '../discussions/access.ts'

export type NoteRow = Selectable<Database['note']>

/** What a note is about. */
export type NoteSubject =
  | { kind: 'post'; post: PostRecord }
  | { kind: 'conversation'; conversation: ConversationRecord }
  | { kind: 'discussion'; discussion: DiscussionRow; about: DiscussionSubject }

/**
 * The note and what it is about: its conversation, its discussion, or a post that shows it to the caller: its own if they can see it,
 * otherwise one made from the draft that the note was written on. NOT_FOUND if it doesn't exist, belongs to another
 * project, or is on nothing they can see.
 */
export async function seeNote(c: ProjectContext, noteId: string): Promise<{ note: NoteRow; about: NoteSubject }> {
  const note = await c.tx
    .selectFrom('note')
    .selectAll()
    .where('org_id', '=', c.org.orgId)
    .where('project_id', '=', c.project.projectId)
    .where('id', '=', noteId)
    .executeTakeFirst()
  if (!note) throw fail('NOT_FOUND')
  if (note.conversation_id !== null)
    return { note, about: { kind: 'conversation', conversation: await findConversation(c, note.conversation_id) } }
  if (note.discussion_id !== null) {
    const discussion = await findDiscussion(c, note.discussion_id)
    return { note, about: { kind: 'discussion', discussion, about: await subjectOf(c, discussion) } }
  }
  const showing = await postsShowing(c, note)
  const postId = showing.find(({ visible }) => visible)?.postId ?? note.post_id
  if (postId === null) throw fail('NOT_FOUND')
  return { note, about: { kind: 'post', post: await findPost(c, postId) } }
}

/**
 * The posts that show a note or reply, its own first. A note on a draft is shown on every post made from the draft, so
 * that people who can only see one of them find it too. `visible`: whether the caller can see the post.
 */
export async function postsShowing(
  c: ProjectContext,
  note: Pick<NoteRow, 'id' | 'parent_id'>,
): Promise<{ postId: string; visible: boolean }[]> {
  const { rows } = await sql<{ postId: string; visible: boolean }>`
    with root as (select org_id, project_id, post_id, created_at from note where org_id = ${c.org.orgId} and id = ${note.parent_id ?? note.id})
    select p.id as "postId", ${visibleTo(c)} as visible
    from root r join post p on p.org_id = r.org_id and p.project_id = r.project_id and (p.id = r.post_id or p.batch_id in (
      select b.id from batch b where b.org_id = r.org_id and b.composed_in = r.post_id and b.created_at >= r.created_at))
    order by p.id <> r.post_id, p.id`.execute(c.tx)
  return rows
}
