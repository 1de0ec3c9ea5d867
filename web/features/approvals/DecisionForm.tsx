import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { useRef, useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'

export type Verdict = 'approved' | 'rejected'
type Props = {
  /** The call of this decision is on its way. */
  sending: Verdict | undefined
  /** What the server said about the comment. */
  problem?: string | undefined
  size?: 'm' | 'l'
  onDecide: (decision: Verdict, comment: string) => void
}

/** Approve or reject. A rejection needs a reason, an approval may have a comment. */
export function DecisionForm({ sending, problem, size = 'm', onDecide }: Props) {
  const [comment, setComment] = useState('')
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const decide = (decision: Verdict) => {
    if (sending) return
    const said = comment.trim()
    if (decision === 'rejected' && !said) {
      setMissing(true)
      field.current?.focus()
      return
    }
    onDecide(decision, said)
  }
  return (
    <div role="group" aria-label="Your decision" className="grid gap-2.5">
      <Field label="Comment" hint="Needed to reject." error={missing ? 'Say why' : problem}>
        <TextArea
          ref={field}
          rows={2}
          maxLength={1000}
          value={comment}
          onChange={({ target }) => {
            setComment(target.value)
            setMissing(false)
          }}
        />
      </Field>
      <div className="grid grid-cols-2 gap-2">
        <Button size={size} icon={<X size={15} aria-hidden />} loading={sending === 'rejected'} onClick={() => decide('rejected')}>
          Reject
        </Button>
        <Button tone="primary" size={size} icon={<Check size={15} aria-hidden />} loading={sending === 'approved'} onClick={() => decide('approved')}>
          Approve
        </Button>
      </div>
    </div>
  )
}
