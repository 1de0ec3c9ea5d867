import MessageSquare from 'lucide-react/icons/message-square'
import { allUsers } from '#contract/members.ts'
import { discussionNotes } from '#contract/discussions.ts'
import { conversationNotes, postNotes } from '#contract/postNotes.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { NoteForm } from './NoteForm.tsx'
import { NoteItem } from './NoteItem.tsx'
import { useAddNote, type NotesAbout } from './useNoteActions.ts'

/** Internal notes on a post or a conversation, or in a discussion. Writing them requires a permission of its own. */
export function NotesPanel({ about }: { about: NotesAbout }) {
  const ids = useProjectIds()
  const ofPost = useCall(
    postNotes,
    { params: { ...ids, postId: 'postId' in about ? about.postId : '' } },
    { handles: true, enabled: 'postId' in about },
  )
  const ofConversation = useCall(
    conversationNotes,
    { params: { ...ids, conversationId: 'conversationId' in about ? about.conversationId : '' } },
    { handles: true, enabled: 'conversationId' in about },
  )
  const ofDiscussion = useCall(
    discussionNotes,
    { params: { ...ids, discussionId: 'discussionId' in about ? about.discussionId : '' } },
    { handles: true, enabled: 'discussionId' in about },
  )
  const notes = 'postId' in about ? ofPost : 'conversationId' in about ? ofConversation : ofDiscussion
  const mayWrite = useMay([['note', 'create']]) === 'yes'
  const maySeeUsers = useMay([['user', 'view']]) === 'yes'
  const users = useCall(allUsers, { params: ids }, { handles: true, enabled: mayWrite && maySeeUsers })
  const people = (users.data?.users ?? []).map(({ userId, firstName, lastName, email }) => ({
    userId,
    name: `${firstName} ${lastName}`.trim() || email,
  }))
  const add = useAddNote(about)
  const isDiscussion = 'discussionId' in about
  const noun = isDiscussion ? 'message' : 'note'
  return (
    <div className="grid gap-3">
      <Loaded
        query={notes}
        skeleton={<SkeletonLines lines={4} label={`Loading the ${noun}s`} />}
        isEmpty={(reply) => reply.notes.length === 0}
        empty={
          <EmptyState className="py-6!" icon={<MessageSquare size={20} />} title={`No ${noun}s yet`}>
            {isDiscussion
              ? 'Everyone who can see this discussion can write in it.'
              : 'Notes are only visible to your team and never published.'}
          </EmptyState>
        }
      >
        {(reply) => (
          <ul aria-label={isDiscussion ? 'Messages' : 'Notes'} className="divide-y divide-line">
            {reply.notes.map((note) => (
              <NoteItem key={note.noteId} note={note} noun={noun} people={people} mayWrite={mayWrite} />
            ))}
          </ul>
        )}
      </Loaded>
      {mayWrite ? (
        <NoteForm
          label={isDiscussion ? 'Message' : 'Note'}
          action={isDiscussion ? 'Send' : 'Add note'}
          placeholder={`Write a ${noun}${people.length > 1 ? '. Type @ to mention someone' : ''}`}
          people={people}
          onSend={add}
        />
      ) : null}
    </div>
  )
}
