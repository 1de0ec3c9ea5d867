import { discussionNotes } from '#contract/discussions.ts'
import * as contract from '#contract/postNotes.ts'
import { handle, type Route, type ProjectContext } from '../http/route.ts'
import { fail } from '../errors.ts'
import { findDiscussion, subjectOf as aboutWhat } from '../discussions/access.ts'
import { findConversation } from '../inbox/access.ts'
import { findPost } from '../posts/access.ts'
import { mustHaveGate } from '../plans/gates.ts'
import { seeNote, type NoteSubject } from './access.ts'
import { activityOf } from './activity.ts'
import { findConversationNotes, findDiscussionNotes, findNotes, findReplies } from './queries.ts'
import { addNote, edit, remove, reply } from './write.ts'

export function noteRoutes(): Route[] {
  return [
    handle(contract.postNotes, async (c) => {
      const { id } = await findPost(c, c.params.postId)
      return { notes: await findNotes(c, id) }
    }),
    handle(contract.conversationNotes, async (c) => {
      const { id } = await findConversation(c, c.params.conversationId)
      return { notes: await findConversationNotes(c, id) }
    }),
    handle(discussionNotes, async (c) => {
      mustHaveGate(c, 'discussion')
      const { id } = await findDiscussion(c, c.params.discussionId)
      return { notes: await findDiscussionNotes(c, id) }
    }),
    handle(contract.noteReplies, async (c) => {
      const { note } = await seeNote(c, c.params.noteId)
      return { replies: await findReplies(c, note.id) }
    }),
    handle(contract.addPostNote, async (c) => await add(c, await aboutPost(c, c.body.postId), c.body)),
    handle(contract.addNote, async (c) => await add(c, await subjectOf(c, c.body), c.body)),
    handle(contract.replyToNote, async (c) => ({
      noteId: await reply(c, c.body.noteId, c.body),
      message: 'Reply Added',
    })),
    handle(contract.editNote, async (c) => {
      await edit(c, c.params.noteId, c.body)
      return { message: 'Note updated' }
    }),
    handle(contract.deleteNote, async (c) => ({
      message: (await remove(c, c.params.noteId)).isReply ? 'Reply deleted' : 'Note deleted',
    })),
    handle(contract.postActivity, async (c) => ({ activity: await activityOf(c, c.params.postId) })),
  ]
}

type Words = { text: string; mentions: readonly string[] }
const add = async (c: ProjectContext, about: NoteSubject, { text, mentions }: Words) => ({
  noteId: await addNote(c, about, { text, mentions }),
  message: about.kind === 'discussion' ? 'Message sent' : 'Note Added',
})

const aboutPost = async (c: ProjectContext, postId: string): Promise<NoteSubject> => ({
  kind: 'post',
  post: await findPost(c, postId),
})

type Named = { conversationId?: string | undefined; postId?: string | undefined; discussionId?: string | undefined }
async function subjectOf(c: ProjectContext, { conversationId, postId, discussionId }: Named): Promise<NoteSubject> {
  if (conversationId !== undefined)
    return { kind: 'conversation', conversation: await findConversation(c, conversationId) }
  if (discussionId !== undefined) {
    const discussion = await findDiscussion(c, discussionId)
    return { kind: 'discussion', discussion, about: await aboutWhat(c, discussion) }
  }
  if (postId === undefined) throw fail('NOT_FOUND')
  return await aboutPost(c, postId)
}
