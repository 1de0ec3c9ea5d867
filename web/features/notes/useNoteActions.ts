import { addNote, addPostNote, deleteNote, editNote, replyToNote } from '#contract/postNotes.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import type { Said } from './NoteForm.tsx'

/** What notes are about. */
export type NotesAbout = { postId: string } | { conversationId: string } | { discussionId: string }
/** What people call them: in a discussion they are its messages. */
export type NoteNoun = 'note' | 'message'

const say = ({ message }: { message?: string | undefined }) => {
  if (message !== undefined) toast.success(message)
}
/** A message appears at the end of the discussion, which says enough. */
const said = (noun: NoteNoun) => (noun === 'note' ? { onSuccess: say } : {})
const arrived = (call: Promise<unknown>) => call.then(() => true).catch(() => false)

/** Adds a note. Answers whether it arrived; a refusal has been shown by the global handling. */
export function useAddNote(about: NotesAbout): (body: Said) => Promise<boolean> {
  const params = useProjectIds()
  const toPost = useSend(addPostNote, said('note'))
  const toOther = useSend(addNote, said('discussionId' in about ? 'message' : 'note'))
  return (body) =>
    arrived(
      'postId' in about
        ? toPost.mutateAsync({ params, body: { ...about, ...body } })
        : toOther.mutateAsync({ params, body: { ...about, ...body } }),
    )
}

/** What can be done with a note. Each answers whether it arrived; a refusal has been shown by the global handling. */
export function useNoteActions(noun: NoteNoun) {
  const ids = useProjectIds()
  const reply = useSend(replyToNote, said(noun))
  const edit = useSend(editNote, said(noun))
  const remove = useSend(deleteNote, said(noun))
  return {
    reply: (noteId: string, body: Said) => arrived(reply.mutateAsync({ params: ids, body: { noteId, ...body } })),
    edit: (noteId: string, body: Said) => arrived(edit.mutateAsync({ params: { ...ids, noteId }, body })),
    remove: (noteId: string) => arrived(remove.mutateAsync({ params: { ...ids, noteId } })),
    removing: remove.isPending,
  }
}
