import { useState, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Field } from './Field.tsx'
import { TextInput } from './TextInput.tsx'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** As a question: "Delete this project?" */
  title: string
  /** What will happen, with numbers: what goes, what stays. */
  children: ReactNode
  /** The verb itself: "Delete project", never "OK". */
  action: string
  onConfirm: () => void
  /** The way out, where "Cancel" could be taken for the action. */
  dismiss?: string
  loading?: boolean
  danger?: boolean
  /** The person must type exactly this; pasting is blocked. */
  typedName?: string
}

/** Only for what cannot be undone; everything else is done at once and offers Undo in its toast. */
export function ConfirmDialog({ open, onOpenChange, title, children, action, onConfirm, dismiss = 'Cancel', loading = false, danger = true, typedName }: Props) {
  const [typed, setTyped] = useState('')
  const ready = typedName === undefined || typed === typedName
  const change = (next: boolean) => {
    if (!next) setTyped('')
    onOpenChange(next)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={title}
      description={children}
      footer={
        <>
          <Button onClick={() => change(false)}>{dismiss}</Button>
          <Button tone={danger ? 'danger' : 'primary'} disabled={!ready} loading={loading} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {typedName === undefined ? null : (
        <Field
          label={
            <>
              Type <b className="font-bold">{typedName}</b> to confirm
            </>
          }
        >
          <TextInput
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onPaste={(event) => event.preventDefault()}
            onDrop={(event) => event.preventDefault()}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
      )}
    </Dialog>
  )
}
