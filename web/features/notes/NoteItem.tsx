import { useState } from 'react'
import { noteReplies, type Note } from '#contract/postNotes.ts'
import { agoOf, count } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { partsOf, type Mentionable } from './mentions.ts'
import { NoteForm } from './NoteForm.tsx'
import { useNoteActions, type NoteNoun } from './useNoteActions.ts'

type Props = {
  note: Note
  noun: NoteNoun
  people: readonly Mentionable[]
  mayWrite: boolean
  /** A reply has no replies of its own. */ isReply?: boolean
}

/** One note: who wrote what and when, with its replies and what this person may do with it. */
export function NoteItem({ note, noun, people, mayWrite, isReply = false }: Props) {
  const actions = useNoteActions(noun)
  const what = isReply ? 'reply' : noun
  const now = useNow()
  const zone = useProjectZone()
  const [doing, setDoing] = useState<'reply' | 'edit' | 'delete'>()
  const [open, setOpen] = useState(false)
  const stop = () => setDoing(undefined)
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 py-2.5">
      <Avatar name={note.author.name} src={note.author.profileUrl} size={isReply ? 22 : 28} />
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-semibold">{note.author.name}</span>
          <time dateTime={note.createdAt} className="tnum text-sm text-ink-muted">
            {agoOf(note.createdAt, now, zone)}
            {note.editedAt ? ', edited' : ''}
          </time>
        </p>
        {doing === 'edit' ? (
          <NoteForm
            label={`Edit ${what}`}
            action="Save"
            start={note.text}
            people={people}
            onCancel={stop}
            onSend={async (said) => {
              const through = await actions.edit(note.noteId, said)
              if (through) stop()
              return through
            }}
          />
        ) : (
          <p dir="auto" className="break-words whitespace-pre-line">
            {partsOf(note.text, note.mentions).map((part, i) =>
              part.userId ? (
                <b key={i} className="font-semibold text-accent">
                  {part.text}
                </b>
              ) : (
                part.text
              ),
            )}
          </p>
        )}
        {doing === 'edit' ? null : (
          <p className="-ml-2 flex flex-wrap gap-0.5 empty:hidden">
            {!isReply && note.replies > 0 ? (
              <Button size="s" tone="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
                {open ? 'Hide replies' : count(note.replies, 'reply', 'replies')}
              </Button>
            ) : null}
            {!isReply && mayWrite ? (
              <Button
                size="s"
                tone="quiet"
                aria-label={`Reply to ${note.author.name}`}
                onClick={() => setDoing('reply')}
              >
                Reply
              </Button>
            ) : null}
            {note.mayEdit ? (
              <Button size="s" tone="quiet" aria-label={`Edit ${what}`} onClick={() => setDoing('edit')}>
                Edit
              </Button>
            ) : null}
            {note.mayDelete ? (
              <Button size="s" tone="quiet" aria-label={`Delete ${what}`} onClick={() => setDoing('delete')}>
                Delete
              </Button>
            ) : null}
          </p>
        )}
        {open ? <Replies noteId={note.noteId} noun={noun} people={people} /> : null}
        {doing === 'reply' ? (
          <NoteForm
            label={`Reply to ${note.author.name}`}
            action="Reply"
            people={people}
            onCancel={stop}
            onSend={async (said) => {
              const through = await actions.reply(note.noteId, said)
              if (through) {
                stop()
                setOpen(true)
              }
              return through
            }}
          />
        ) : null}
      </div>
      {doing === 'delete' ? (
        <ConfirmDialog
          open
          onOpenChange={stop}
          title={`Delete this ${what}?`}
          action={`Delete ${what}`}
          loading={actions.removing}
          onConfirm={() => void actions.remove(note.noteId).then(stop)}
        >
          {!isReply && note.replies > 0 ? `This also deletes ${count(note.replies, 'reply', 'replies')}. ` : ''}You
          can't undo this.
        </ConfirmDialog>
      ) : null}
    </li>
  )
}

type RepliesProps = { noteId: string; noun: NoteNoun; people: readonly Mentionable[] }

function Replies({ noteId, noun, people }: RepliesProps) {
  const replies = useCall(noteReplies, { params: { ...useProjectIds(), noteId } }, { handles: true })
  return (
    <Loaded query={replies} skeleton={<SkeletonLines lines={2} label="Loading the replies" />}>
      {(loaded) => (
        <ul aria-label="Replies" className="border-l border-line pl-3">
          {loaded.replies.map((reply) => (
            <NoteItem key={reply.noteId} note={reply} noun={noun} people={people} mayWrite={false} isReply />
          ))}
        </ul>
      )}
    </Loaded>
  )
}
