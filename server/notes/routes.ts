import type { z } from 'zod'
import * as contract from '#contract/postNotes.ts'
import { handle, type Route, type ProjectContext } from '../http/route.ts'
import { findPost } from '../posts/access.ts'
import { seeNote } from './access.ts'
import { activityOf } from './activity.ts'
import { findNotes, findReplies } from './queries.ts'
import { addNote, edit, remove, reply } from './write.ts'

export function noteRoutes(): Route[] {
  return [
    handle(contract.postNotes, async (c) => {
      const { id } = await findPost(c, c.params.postId)
      return { notes: await findNotes(c, id) }
    }),
    handle(contract.noteReplies, async (c) => {
      const { note } = await seeNote(c, c.params.noteId)
      return { replies: await findReplies(c, note.id) }
    }),
    handle(contract.addPostNote, (c) => add(c, c.body)),
    handle(contract.addNote, (c) => add(c, c.body)),
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

async function add(c: ProjectContext, { postId, ...words }: z.output<(typeof contract.addPostNote)['body']>) {
  return { noteId: await addNote(c, postId, words), message: 'Note Added' }
}
