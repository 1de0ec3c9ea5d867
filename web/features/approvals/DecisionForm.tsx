import Check from 'lucide-react/icons/check'
import MessageSquare from 'lucide-react/icons/message-square'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'

export type Verdict = 'approved' | 'rejected'
type Props = {
  /** This decision is being sent. */
  sending: Verdict | undefined
  /** The server's message about the comment. */
  problem?: string | undefined
  size?: 'm' | 'l'
  onDecide: (decision: Verdict, comment: string) => void
}

/** Approve or reject. A rejection requires a reason, an approval may have a comment. */
export function DecisionForm({ sending, problem, size = 'm', onDecide }: Props) {
  const [asked, setAsked] = useState<'comment' | 'reason'>()
  const [comment, setComment] = useState('')
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (asked) field.current?.focus()
  }, [asked])
  const decide = (decision: Verdict) => {
    if (sending) return
    const said = comment.trim()
    if (decision === 'rejected' && !said) {
      setMissing(asked === 'reason')
      setAsked('reason')
      field.current?.focus()
      return
    }
    onDecide(decision, said)
  }
  return (
    <div role="group" aria-label="Your decision" className="grid gap-2.5">
      {asked ? (
        <Field
          label="Comment"
          hint={asked === 'reason' && !missing ? 'Enter a reason, then select Reject again.' : undefined}
          error={missing ? 'Say why' : problem}
        >
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
      ) : null}
      <div className="grid grid-cols-2 gap-2">
        <Button
          size={size}
          icon={<X size={15} aria-hidden />}
          loading={sending === 'rejected'}
          onClick={() => decide('rejected')}
        >
          Reject
        </Button>
        <Button
          tone="primary"
          size={size}
          icon={<Check size={15} aria-hidden />}
          loading={sending === 'approved'}
          onClick={() => decide('approved')}
        >
          Approve
        </Button>
      </div>
      {asked ? null : (
        <Button
          tone="quiet"
          size="s"
          icon={<MessageSquare size={13} aria-hidden />}
          className="justify-self-start"
          onClick={() => setAsked('comment')}
        >
          Add a comment
        </Button>
      )}
    </div>
  )
}
