import { clsx } from 'clsx'
import { createContext, use, useId, type ReactNode } from 'react'

type Wiring = { id: string; describedBy: string | undefined; invalid: boolean; required: boolean }
const FieldContext = createContext<Wiring | undefined>(undefined)

type Props = {
  label: ReactNode
  /** A line that is always shown with the control. */
  hint?: ReactNode
  error?: string | undefined
  /** Marks a field that may stay empty; the others are expected. */
  optional?: boolean
  /** Keeps the label for screen readers only, if the context makes it clear. */
  labelHidden?: boolean
  /** At the end of the label's line, such as a link or a counter. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/**
 * Label, control, hint and error, connected for screen readers. The control inside gets its id and descriptions
 * automatically.
 */
export function Field({
  label,
  hint,
  error,
  optional = false,
  labelHidden = false,
  aside,
  className,
  children,
}: Props) {
  const id = useId()
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ')
  return (
    <div className={clsx('grid min-w-0 content-start gap-1.5', className)}>
      <div className={labelHidden ? 'sr-only' : 'flex items-baseline justify-between gap-3'}>
        <label htmlFor={id} className="text-sm font-semibold text-ink">
          {label}
          {optional ? <span className="font-normal text-ink-muted"> (optional)</span> : null}
        </label>
        {aside ? <span className="text-sm text-ink-muted">{aside}</span> : null}
      </div>
      <FieldContext value={{ id, describedBy: described || undefined, invalid: Boolean(error), required: !optional }}>
        {children}
      </FieldContext>
      {error ? (
        <p id={`${id}-error`} className="text-sm text-bad first-letter:uppercase" role="alert">
          {error}
        </p>
      ) : null}
      {hint ? (
        <p id={`${id}-hint`} className="text-sm text-ink-muted">
          {hint}
        </p>
      ) : null}
    </div>
  )
}

/** What a control gets from the Field around it; its own props take precedence. */
export function useField(own: {
  id?: string | undefined
  'aria-describedby'?: string | undefined
  'aria-invalid'?: unknown
}) {
  const field = use(FieldContext)
  const describedBy = [own['aria-describedby'], field?.describedBy].filter(Boolean).join(' ')
  return {
    id: own.id ?? field?.id,
    'aria-describedby': describedBy || undefined,
    'aria-invalid': own['aria-invalid'] ? true : field?.invalid || undefined,
  }
}

/** The frame that text fields and selects share. */
export const controlClass =
  'w-full min-w-0 rounded-md border border-line-strong bg-surface text-ink transition-colors hover:border-ink-faint focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent disabled:bg-sunken disabled:text-ink-muted disabled:opacity-70 [&[readonly]]:bg-sunken aria-invalid:border-bad aria-invalid:focus:outline-bad'
