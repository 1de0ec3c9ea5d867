import { useState, type ReactNode } from 'react'
import type { Reading } from '#web/lib/queries.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Field } from './Field.tsx'
import { SkeletonLines } from './Skeleton.tsx'
import { TextInput } from './TextInput.tsx'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** As a question: "Delete this project?" */
  title: string
  /** What will happen, with numbers: what is deleted, what stays. */
  children: ReactNode
  /**
   * Where the numbers come from, loaded by `useFresh`: the text appears once they're there, and nothing can be
   * confirmed before.
   */
  facts?: Reading<unknown>
  /** The verb itself: "Delete project", never "OK". */
  action: string
  onConfirm: () => void
  /** The way out, if "Cancel" could be taken for the action. */
  dismiss?: string
  loading?: boolean
  danger?: boolean
  /** The focus begins at the action, so that Enter confirms: for actions started with the keyboard. */
  isReady?: boolean
  /** The person must type exactly this; pasting is blocked. */
  typedName?: string
}

/** Only for what can't be undone; everything else is done immediately and offers Undo in its toast. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  action,
  onConfirm,
  dismiss = 'Cancel',
  loading = false,
  danger = true,
  isReady = false,
  typedName,
  facts,
}: Props) {
  const [typed, setTyped] = useState('')
  const known = facts === undefined || facts.data !== undefined
  const ready = known && (typedName === undefined || typed === typedName)
  const change = (next: boolean) => {
    if (!next) setTyped('')
    onOpenChange(next)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={title}
      description={facts ? <div aria-live="polite">{known ? children : <Missing facts={facts} />}</div> : children}
      footer={
        <>
          <Button onClick={() => change(false)}>{dismiss}</Button>
          <Button
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog moves the focus into itself: here to its action instead of its first button
            autoFocus={isReady}
            tone={danger ? 'danger' : 'primary'}
            disabled={!ready}
            loading={loading}
            onClick={onConfirm}
          >
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

function Missing({ facts: { error, isFetching, refetch } }: { facts: Reading<unknown> }) {
  if (!error) return <SkeletonLines lines={2} label="Checking what this affects" />
  return (
    <div className="grid justify-items-start gap-2">
      <p>We couldn't check what this affects. {error.code === 'NETWORK' ? "You're offline." : error.detail}</p>
      <Button size="s" loading={isFetching} onClick={() => void refetch()}>
        Try again
      </Button>
    </div>
  )
}
