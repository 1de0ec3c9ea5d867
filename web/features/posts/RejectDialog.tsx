import { useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'

type Props = {
  /** How many posts are rejected with one reason. */
  posts: number
  busy: boolean
  onClose: () => void
  onReject: (reason: string) => void
}

/** Asks why one or many posts are rejected: their authors read it. */
export function RejectDialog({ posts, busy, onClose, onReject }: Props) {
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const submit = () => {
    const said = reason.trim()
    if (said === '') setMissing(true)
    else onReject(said)
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={posts === 1 ? 'Reject this post?' : `Reject ${posts} posts?`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="danger" loading={busy} onClick={submit}>
            Reject
          </Button>
        </>
      }
    >
      <Field
        label="Reason"
        hint={posts === 1 ? 'Its author sees this.' : 'The authors of these posts see this.'}
        error={isMissing ? 'Say why' : undefined}
      >
        <TextArea
          rows={3}
          maxLength={1000}
          value={reason}
          onChange={({ target }) => {
            setReason(target.value)
            setMissing(false)
          }}
        />
      </Field>
    </Dialog>
  )
}
