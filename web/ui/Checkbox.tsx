import { clsx } from 'clsx'
import Check from 'lucide-react/icons/check'
import Minus from 'lucide-react/icons/minus'
import { useEffect, useId, useImperativeHandle, useRef, type ComponentProps, type ReactNode } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type'> & {
  label: ReactNode
  labelHidden?: boolean
  hint?: ReactNode
  /** Some, but not all, of its items. */
  mixed?: boolean
}

export function Checkbox({ label, labelHidden = false, hint, mixed = false, className, ref, ...rest }: Props) {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  // form libraries hold the box by their own ref
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(ref, () => box.current, [])
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed
  }, [mixed])
  return (
    <div className={clsx('group/checkbox flex items-start gap-2', className)}>
      <span className="hit-area grid size-4.5 shrink-0 place-items-center">
        <input
          {...rest}
          id={rest.id ?? id}
          type="checkbox"
          aria-describedby={hint ? `${id}-hint` : rest['aria-describedby']}
          ref={box}
          className="peer absolute z-1 size-4.5 cursor-pointer appearance-none forced-colors:appearance-auto rounded-sm border border-line-strong bg-surface checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent hover:border-ink-faint disabled:cursor-not-allowed disabled:opacity-50"
        />
        {mixed ? (
          <Minus size={13} strokeWidth={3} aria-hidden className="pointer-events-none z-2 text-on-accent" />
        ) : (
          <Check
            size={13}
            strokeWidth={3}
            aria-hidden
            className="pointer-events-none z-2 hidden text-on-accent peer-checked:block"
          />
        )}
      </span>
      <label
        htmlFor={rest.id ?? id}
        className={
          labelHidden
            ? 'sr-only'
            : 'min-w-0 cursor-pointer leading-4.5 group-has-disabled/checkbox:cursor-not-allowed group-has-disabled/checkbox:text-ink-muted'
        }
      >
        {label}
        {hint ? (
          <span id={`${id}-hint`} className="block text-sm text-ink-muted">
            {hint}
          </span>
        ) : null}
      </label>
    </div>
  )
}
