import { addPostNote, deleteNote, editNote, replyToNote } from '#contract/postNotes.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import type { Said } from './NoteForm.tsx'

/** The calls for a post's notes. Each returns whether it arrived; the global handling has already shown a refusal. */
export function useNoteActions(postId: string) {
  const ids = useProjectIds()
  const said = (words: string) => ({
    onSuccess: ({ message }: { message?: string | undefined }) => toast.success(message ?? words),
  })
  const add = useSend(addPostNote, said('Note Added'))
  const reply = useSend(replyToNote, said('Reply Added'))
  const edit = useSend(editNote, said('Note updated'))
  const remove = useSend(deleteNote, said('Note deleted'))
  const arrived = (call: Promise<unknown>) => call.then(() => true).catch(() => false)
  return {
    add: (body: Said) => arrived(add.mutateAsync({ params: ids, body: { postId, ...body } })),
    reply: (noteId: string, body: Said) => arrived(reply.mutateAsync({ params: ids, body: { noteId, ...body } })),
    edit: (noteId: string, body: Said) => arrived(edit.mutateAsync({ params: { ...ids, noteId }, body })),
    remove: (noteId: string) => arrived(remove.mutateAsync({ params: { ...ids, noteId } })),
    removing: remove.isPending,
  }
}
