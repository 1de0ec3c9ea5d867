import type { ProjectContext } from '../http/route.ts'
import { randomUUIDv7 } from 'node:crypto'
import { fail } from '../errors.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { withdrawNotifications } from '../notifications/dismiss.ts'
import { isProjectAdmin } from '../access/projectAdmin.ts'
import { joinDiscussion } from '../discussions/members.ts'
import { mustHaveGate } from '../plans/gates.ts'
import { postsShowing, seeNote, type NoteRow, type NoteSubject } from './access.ts'
import { mentionedReaders, notifyOfNote } from './notify.ts'

/** How many notes a person can write in an hour: each may be an email to twenty people. */
export const NOTES_PER_HOUR = 120
const HOUR_MS = 3_600_000

type Words = { text: string; mentions: readonly string[] }
type New = Words & { parent?: NoteRow }

/** Adds a note. Returns its id. Throws RATE_LIMITED, PLAN_LIMIT in a discussion, and BAD_INPUT at `mentions`. */
export async function addNote(c: ProjectContext, about: NoteSubject, words: Words): Promise<string> {
  const noteId = await writeNote(c, about, words)
  await c.audit({ entityId: noteId, detail: detailOf(about) })
  return noteId
}

/** Replies to a note. A reply to a reply is on the same level: there's only one. Same failures as addNote. */
export async function reply(c: ProjectContext, noteId: string, words: Words): Promise<string> {
  const { note: parent, about } = await seeNote(c, noteId)
  const replyId = await writeNote(c, about, { ...words, parent })
  await c.audit({ entityId: replyId, detail: { ...detailOf(about), replyTo: parent.id } })
  return replyId
}

/** The same without an audit entry, for what begins with a note. */
export async function writeNote(
  c: ProjectContext,
  about: NoteSubject,
  { text, mentions, parent }: New,
): Promise<string> {
  if (about.kind === 'discussion') mustHaveGate(c, 'discussion')
  await mustBeSlow(c)
  const mentioned = await mentionedReaders(c, about, mentions)
  const noteId = randomUUIDv7()
  await c.tx
    .insertInto('note')
    .values({
      org_id: c.org.orgId,
      id: noteId,
      project_id: c.project.projectId,
      // a reply belongs where its note is, even if it was written on another post that shows the note
      ...(parent
        ? { post_id: parent.post_id, conversation_id: parent.conversation_id, discussion_id: parent.discussion_id }
        : columnsOf(about)),
      parent_id: parent ? (parent.parent_id ?? parent.id) : null,
      author_id: c.caller.personId,
      body: text,
      mentions: mentioned,
      created_at: c.now,
    })
    .execute()
  await notifyOfNote(c, about, { noteId, text, mentions: mentioned, repliesTo: parent?.author_id ?? null })
  if (about.kind === 'discussion') await participate(c, about.discussion.id, mentioned)
  if (parent) await announce(c, parent)
  else await c.emit(eventsOf(about))
  return noteId
}

/** People who write or are mentioned participate from now on. */
async function participate(c: ProjectContext, discussionId: string, mentioned: readonly string[]): Promise<void> {
  await c.tx
    .updateTable('discussion')
    .set({ last_at: c.now })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', discussionId)
    .execute()
  await joinDiscussion(c, discussionId, [c.caller.personId, ...mentioned])
}

const columnsOf = (about: NoteSubject) =>
  about.kind === 'post'
    ? { post_id: about.post.id }
    : about.kind === 'conversation'
      ? { conversation_id: about.conversation.id }
      : { discussion_id: about.discussion.id }
const detailOf = (about: NoteSubject) =>
  about.kind === 'post'
    ? { postId: about.post.id }
    : about.kind === 'conversation'
      ? { conversationId: about.conversation.id }
      : { discussionId: about.discussion.id }
const eventsOf = (about: NoteSubject) =>
  about.kind === 'discussion'
    ? [{ kind: 'discussion', ref: about.discussion.id } as const]
    : about.kind === 'post'
      ? [{ kind: 'note', ref: about.post.id } as const]
      : ofConversation(about.conversation.id)
/** Lists say how many notes a conversation has. */
const ofConversation = (ref: string) => [{ kind: 'note', ref } as const, { kind: 'conversation', ref } as const]

/** Notifies the open screens of the discussion, the conversation, or every post, that shows the note. */
async function announce(c: ProjectContext, note: NoteRow): Promise<void> {
  if (note.discussion_id !== null) return await c.emit({ kind: 'discussion', ref: note.discussion_id })
  if (note.conversation_id !== null) return await c.emit(ofConversation(note.conversation_id))
  await c.emit((await postsShowing(c, note)).map(({ postId }) => ({ kind: 'note' as const, ref: postId })))
}

async function mustBeSlow({ tx, org, caller, now }: ProjectContext): Promise<void> {
  const since = new Date(now.getTime() - HOUR_MS)
  const { n } = await tx
    .selectFrom('note')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('org_id', '=', org.orgId)
    .where('author_id', '=', caller.personId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  if (n >= NOTES_PER_HOUR)
    throw fail('RATE_LIMITED', {
      detail: "You've written a lot of notes in the last hour. Wait a while, then try again.",
    })
}

/**
 * Changes one of the caller's notes; people mentioned for the first time are notified. Throws NOT_FOUND, FORBIDDEN, and
 * BAD_INPUT at `mentions`.
 */
export async function edit(c: ProjectContext, noteId: string, { text, mentions }: Words): Promise<void> {
  const { note, about } = await seeNote(c, noteId)
  if (note.author_id !== c.caller.personId) throw fail('FORBIDDEN', { detail: 'Only the author can edit a note.' })
  if (about.kind === 'discussion') mustHaveGate(c, 'discussion')
  const mentioned = await mentionedReaders(c, about, mentions)
  await c.tx
    .updateTable('note')
    .set({ body: text, mentions: mentioned, edited_at: c.now })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', noteId)
    .execute()
  await notifyOfNote(c, about, {
    noteId,
    text,
    mentions: mentioned.filter((person) => !note.mentions.includes(person)),
  })
  await c.audit({ entityId: noteId, detail: detailOf(about) })
  await announce(c, note)
}

/** Deletes a note with its replies and notifications. Throws NOT_FOUND, and FORBIDDEN for someone else's note. */
export async function remove(c: ProjectContext, noteId: string): Promise<{ isReply: boolean }> {
  const { note, about } = await seeNote(c, noteId)
  if (note.author_id !== c.caller.personId && !(await isProjectAdmin(c)))
    throw fail('FORBIDDEN', { detail: 'Only the author or a project admin can delete a note.' })
  const replies = await c.tx
    .selectFrom('note')
    .select('id')
    .where('org_id', '=', c.org.orgId)
    .where('parent_id', '=', noteId)
    .execute()
  await announce(c, note)
  await c.tx.deleteFrom('note').where('org_id', '=', c.org.orgId).where('id', '=', noteId).execute()
  await withdrawNotifications(
    c.tx,
    { orgId: c.org.orgId, dedupeKeys: [noteId, ...replies.map(({ id }) => id)].map(dedupeKeys.note) },
    c.now,
  )
  await c.audit({ entityId: noteId, detail: { ...detailOf(about), authorId: note.author_id, replies: replies.length } })
  return { isReply: note.parent_id !== null }
}
