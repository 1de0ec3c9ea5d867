import { useState } from 'react'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { replyLength, type Answered } from '#contract/platforms/replyText.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import type { ConversationRow } from './heldConversations.ts'
import { limitOf, type CanReply } from './look.ts'

type Props = {
  text: string
  row: ConversationRow
  /** What it answers. */
  answered: Answered | undefined
  /** The limits of the conversation's channel. */
  limits: Pick<CanReply, 'most' | 'addressLength'>
  /** Whether it was changed on the platform. */
  onSave: (text: string) => Promise<boolean>
  onClose: () => void
}

/** Changes a reply on the platform after it was sent. */
export function EditReplyDialog({ text, row, answered, limits, onSave, onClose }: Props) {
  const [next, setNext] = useState(text)
  const [busy, setBusy] = useState(false)
  const rules = inboxRules[row.channel.platformName].kinds[row.kind]?.reply
  const limit = rules && limitOf(rules, limits)
  const used = limit ? replyLength(rules, limit, next.trim(), answered, row.channel.handle) : 0
  const isOver = limit ? used > limit.max : false
  const save = () => {
    setBusy(true)
    void onSave(next.trim()).then((through) => (through ? onClose() : setBusy(false)))
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Edit reply"
      description={`This also changes it on ${platformName(row.channel.platformName)}.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" loading={busy} disabled={next.trim() === '' || isOver} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <Field
        label="Text"
        error={isOver ? 'This text is too long' : undefined}
        aside={limit ? <span className="tnum">{`${used} / ${limit.max}`}</span> : null}
      >
        <TextArea rows={5} value={next} onChange={(event) => setNext(event.target.value)} />
      </Field>
    </Dialog>
  )
}
