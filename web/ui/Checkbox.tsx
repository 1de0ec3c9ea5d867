import clsx from 'clsx'
import Check from 'lucide-react/icons/check'
import Minus from 'lucide-react/icons/minus'
import { useId, type ComponentProps, type ReactNode } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type'> & {
  label: ReactNode
  labelHidden?: boolean
  hint?: ReactNode
  /** Some, but not all, of what it stands for. */
  mixed?: boolean
}

export function Checkbox({ label, labelHidden = false, hint, mixed = false, className, ...rest }: Props) {
  const id = useId()
  return (
    <div className={clsx('flex items-start gap-2', className)}>
      <span className="hit-area grid size-4.5 shrink-0 place-items-center">
        <input
          {...rest}
          id={rest.id ?? id}
          type="checkbox"
          aria-describedby={hint ? `${id}-hint` : rest['aria-describedby']}
          ref={(box) => {
            if (box) box.indeterminate = mixed
            if (typeof rest.ref === 'function') rest.ref(box)
            else if (rest.ref) rest.ref.current = box
          }}
          className="peer absolute z-1 size-4.5 cursor-pointer appearance-none rounded-sm border border-line-strong bg-surface checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent hover:border-ink-faint disabled:cursor-not-allowed disabled:opacity-50"
        />
        {mixed ? (
          <Minus size={13} strokeWidth={3} aria-hidden className="pointer-events-none z-2 text-on-accent" />
        ) : (
          <Check size={13} strokeWidth={3} aria-hidden className="pointer-events-none z-2 hidden text-on-accent peer-checked:block" />
        )}
      </span>
      <label htmlFor={rest.id ?? id} className={labelHidden ? 'sr-only' : 'cursor-pointer leading-4.5'}>
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
