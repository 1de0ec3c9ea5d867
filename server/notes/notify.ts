import type { ProjectContext } from '../http/route.ts'
import { fail } from '../errors.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { createNotification } from '../notifications/create.ts'
import { excerptOf } from '#contract/excerpt.ts'
import type { NotificationFacts } from '#contract/notifications/catalog.ts'
import { postReaders } from '../access/postReaders.ts'
import { discussionReaders } from '../discussions/access.ts'
import { membersOf } from '../discussions/members.ts'
import { readersOf } from '../inbox/access.ts'
import { nameOf } from '../people/names.ts'
import type { NoteSubject } from './access.ts'

/** Characters of a note that its notification quotes. */
const QUOTED = 140

function readers(c: ProjectContext, about: NoteSubject, people: readonly string[]): Promise<Set<string>> {
  switch (about.kind) {
    case 'post':
      return postReaders(c, about.post, people)
    case 'conversation':
      return readersOf(c, about.conversation, people, { resource: 'note', action: 'view' })
    case 'discussion':
    default:
      return discussionReaders(c, about.about, people)
  }
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
    throw fail('BAD_INPUT', {
      errors: {
        mentions: [
          about.kind === 'discussion'
            ? "Someone you mentioned can't see this discussion."
            : `Someone you mentioned can’t see notes on this ${about.kind}.`,
        ],
      },
    })
  return wanted
}

export type NewNote = {
  noteId: string
  text: string
  mentions: readonly string[]
  /** The author of the note it replies to; null for one that replies to none; undefined for an edited one. */
  repliesTo?: string | null
}

/**
 * Notifies the people a note mentions, and the author of the note it replies to, or everyone who takes part in its
 * discussion; nobody about their own note.
 */
export async function notifyOfNote(
  c: ProjectContext,
  subject: NoteSubject,
  { noteId, text, mentions, repliesTo }: NewNote,
): Promise<void> {
  const mentioned = mentions.filter((person) => person !== c.caller.personId)
  const heard = (await listeners(c, subject, repliesTo)).filter(
    (person) => person !== c.caller.personId && !mentioned.includes(person),
  )
  const answered = heard.length > 0 ? [...(await readers(c, subject, heard))] : []
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
  const { mention, answer } = factsOf(subject, said)
  if (mentioned.length > 0) await createNotification(c.tx, { ...about, ...mention, people: mentioned }, c.now)
  if (answered.length > 0) await createNotification(c.tx, { ...about, ...answer, people: answered }, c.now)
}

/** Who is notified of a note without being mentioned. An edited one notifies no one else. */
async function listeners(c: ProjectContext, subject: NoteSubject, repliesTo: NewNote['repliesTo']): Promise<string[]> {
  if (repliesTo === undefined) return []
  if (subject.kind === 'discussion') return await membersOf(c, subject.discussion.id)
  return repliesTo === null ? [] : [repliesTo]
}

type Said = { author: string; excerpt: string }

function factsOf(subject: NoteSubject, said: Said): { mention: NotificationFacts; answer: NotificationFacts } {
  switch (subject.kind) {
    case 'post': {
      const params = { ...said, postId: subject.post.id }
      return { mention: { kind: 'note-mention', params }, answer: { kind: 'note-reply', params } }
    }
    case 'conversation': {
      const params = { ...said, conversationId: subject.conversation.id }
      return { mention: { kind: 'inbox-mention', params }, answer: { kind: 'inbox-note-reply', params } }
    }
    case 'discussion':
    default: {
      const params = { ...said, discussionId: subject.discussion.id, discussion: subject.discussion.title }
      return { mention: { kind: 'discussion-mention', params }, answer: { kind: 'discussion-message', params } }
    }
  }
}
