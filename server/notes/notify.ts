import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'
import { fail } from '../errors.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { createNotification } from '../notifications/create.ts'
import { excerptOf } from '#contract/excerpt.ts'
import type { NotificationFacts } from '#contract/notifications/catalog.ts'
import { memberMay } from '../access/memberMay.ts'
import { visibleToMember } from '../access/visiblePosts.ts'
import { readersOf } from '../inbox/access.ts'
import { nameOf } from '../people/names.ts'
import type { PostRecord } from '../posts/access.ts'
import type { NoteSubject } from './access.ts'

/** Characters of a note that its notification quotes. */
const QUOTED = 140

const readers = (c: ProjectContext, about: NoteSubject, people: readonly string[]): Promise<Set<string>> =>
  about.kind === 'post'
    ? postReaders(c, about.post, people)
    : readersOf(c, about.conversation, people, { resource: 'note', action: 'view' })

/** Those of the people who can read notes on the post: who see it and may read notes. */
async function postReaders(c: ProjectContext, post: PostRecord, people: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ person_id: string }>`
    select m.person_id from member m
    left join project_member pm on pm.org_id = m.org_id and pm.project_id = ${c.project.projectId} and pm.person_id = m.person_id
    left join role r on r.org_id = pm.org_id and r.id = pm.role_id
    where m.org_id = ${c.org.orgId} and m.removed_at is null and m.person_id = any(${[...people]}::uuid[])
      and ${memberMay('note', 'view')} and ${visibleToMember(post)}`.execute(c.tx)
  return new Set(rows.map((row) => row.person_id))
}

/** The mentioned people, once each. Throws BAD_INPUT at `mentions` for someone who can't read notes on it. */
export async function mentionedReaders(
  c: ProjectContext,
  about: NoteSubject,
  mentions: readonly string[],
): Promise<string[]> {
  const wanted = [...new Set(mentions)]
  if (wanted.length === 0) return []
  const found = await readers(c, about, wanted)
  if (wanted.some((person) => !found.has(person)))
    throw fail('BAD_INPUT', { errors: { mentions: [`Someone you mentioned can’t see notes on this ${about.kind}.`] } })
  return wanted
}

export type NewNote = {
  noteId: string
  text: string
  mentions: readonly string[]
  /** The author of the note it replies to. */ repliesTo?: string
}

/** Notifies the people a note mentions, and the author of the note it replies to; nobody about their own note. */
export async function notifyOfNote(
  c: ProjectContext,
  subject: NoteSubject,
  { noteId, text, mentions, repliesTo }: NewNote,
): Promise<void> {
  const mentioned = mentions.filter((person) => person !== c.caller.personId)
  const answered =
    repliesTo === undefined || repliesTo === c.caller.personId || mentioned.includes(repliesTo)
      ? []
      : [...(await readers(c, subject, [repliesTo]))]
  if (mentioned.length + answered.length === 0) return
  const author = await nameOf(c.tx, c.caller.personId)
  const words = excerptOf(text, QUOTED)
  const about = {
    orgId: c.org.orgId,
    projectId: c.project.projectId,
    dedupeKey: dedupeKeys.note(noteId),
    channelIds: null,
  }
  const said = { author, excerpt: words === excerptOf(text, text.length) ? words : `${words}…` }
  const mention: NotificationFacts =
    subject.kind === 'post'
      ? { kind: 'note-mention', params: { ...said, postId: subject.post.id } }
      : { kind: 'inbox-mention', params: { ...said, conversationId: subject.conversation.id } }
  const answer: NotificationFacts =
    subject.kind === 'post'
      ? { kind: 'note-reply', params: { ...said, postId: subject.post.id } }
      : { kind: 'inbox-note-reply', params: { ...said, conversationId: subject.conversation.id } }
  if (mentioned.length > 0) await createNotification(c.tx, { ...about, ...mention, people: mentioned }, c.now)
  if (answered.length > 0) await createNotification(c.tx, { ...about, ...answer, people: answered }, c.now)
}
