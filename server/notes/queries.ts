import type { ProjectContext } from '../http/route.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Note } from '#contract/postNotes.ts'
import { pictureAddress } from '../people/person.ts'

import { isProjectAdmin } from '../access/projectAdmin.ts'

type Row = {
  id: string
  body: string
  author_id: string
  author: string
  picture_id: string | null
  mentions: { userId: string; name: string }[]
  created_at: Date
  edited_at: Date | null
  replies: number
}

/**
 * The notes on a post, oldest first, without replies: its own, and those written on the draft that it was made from.
 */
export async function findNotes(c: ProjectContext, postId: string): Promise<Note[]> {
  return await shown(
    c,
    sql`left join (
        select b.composed_in, b.created_at from post p join batch b on b.org_id = p.org_id and b.id = p.batch_id
        where p.org_id = ${c.org.orgId} and p.id = ${postId}
      ) made on true
      where n.org_id = ${c.org.orgId} and n.parent_id is null
        and (n.post_id = ${postId} or (n.post_id = made.composed_in and n.created_at <= made.created_at))`,
  )
}

/** What people said about a conversation, oldest first, without replies. */
export async function findConversationNotes(c: ProjectContext, conversationId: string): Promise<Note[]> {
  return await shown(
    c,
    sql`where n.org_id = ${c.org.orgId} and n.conversation_id = ${conversationId} and n.parent_id is null`,
  )
}

/** What was said in a discussion, oldest first, without replies. */
export async function findDiscussionNotes(c: ProjectContext, discussionId: string): Promise<Note[]> {
  return await shown(
    c,
    sql`where n.org_id = ${c.org.orgId} and n.discussion_id = ${discussionId} and n.parent_id is null`,
  )
}

/** The replies to a note, oldest first. */
export async function findReplies(c: ProjectContext, noteId: string): Promise<Note[]> {
  return await shown(c, sql`where n.org_id = ${c.org.orgId} and n.parent_id = ${noteId}`)
}

async function shown(c: ProjectContext, which: RawBuilder<unknown>): Promise<Note[]> {
  const { rows } = await sql<Row>`
    select n.id, n.body, n.author_id, trim(a.first_name || ' ' || a.last_name) as author, a.picture_id, n.created_at, n.edited_at,
      (select coalesce(json_agg(json_build_object('userId', m.id, 'name', trim(m.first_name || ' ' || m.last_name)) order by lower(m.first_name), m.id), '[]') from person m where m.id = any(n.mentions)) as mentions,
      (select count(*) from note r where r.org_id = n.org_id and r.parent_id = n.id) as replies
    from note n join person a on a.id = n.author_id ${which}
    order by n.created_at, n.id`.execute(c.tx)
  const isAdmin = rows.length > 0 && (await isProjectAdmin(c))
  return rows.map((row) => {
    const isOwn = row.author_id === c.caller.personId
    return {
      noteId: row.id,
      text: row.body,
      author: { userId: row.author_id, name: row.author, profileUrl: pictureAddress(row.picture_id) },
      mentions: row.mentions,
      createdAt: row.created_at.toISOString(),
      editedAt: row.edited_at?.toISOString() ?? null,
      replies: row.replies,
      mayDelete: isOwn || isAdmin,
      mayEdit: isOwn,
    }
  })
}
