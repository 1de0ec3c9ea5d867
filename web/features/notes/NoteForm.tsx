import { useState } from 'react'
import { NoteText } from '#contract/postNotes.ts'
import { Button } from '#web/ui/Button.tsx'
import { mentionedIn, type Mentionable } from './mentions.ts'
import { MentionTextArea } from './MentionTextArea.tsx'

export type Said = { text: string; mentions: string[] }
type Props = {
  label: string
  action: string
  people: readonly Mentionable[]
  /** Sends it; returns whether it arrived. If so, the field is cleared. */
  onSend: (said: Said) => Promise<boolean>
  start?: string
  placeholder?: string
  /** For a form that opens from a button: it takes the focus and can be canceled. */
  onCancel?: () => void
}

/** Where a note or a reply is written. The text stays until it has arrived. */
export function NoteForm({ label, action, people, onSend, start = '', placeholder, onCancel }: Props) {
  const [text, setText] = useState(start)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const submit = async () => {
    if (busy) return
    const parsed = NoteText.safeParse(text)
    if (!parsed.success) return setRefused(parsed.error.issues[0]?.message)
    setBusy(true)
    if (await onSend({ text: parsed.data, mentions: mentionedIn(parsed.data, people) })) setText('')
    setBusy(false)
  }
  return (
    <div className="grid gap-2">
      <MentionTextArea
        label={label}
        value={text}
        people={people}
        takesFocus={onCancel !== undefined}
        {...(placeholder ? { placeholder } : {})}
        onChange={(next) => {
          setText(next)
          setRefused(undefined)
        }}
        onSubmit={() => void submit()}
      />
      {refused ? (
        <p role="alert" className="text-sm text-bad">
          {refused}
        </p>
      ) : null}
      <div className="flex justify-end gap-1.5">
        {onCancel ? (
          <Button size="s" tone="quiet" onClick={onCancel}>
            Cancel
          </Button>
        ) : null}
        <Button size="s" loading={busy} onClick={() => void submit()}>
          {action}
        </Button>
      </div>
    </div>
  )
}
