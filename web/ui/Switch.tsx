import { clsx } from 'clsx'
import { useId, type ComponentProps, type ReactNode } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type' | 'role'> & {
  label: ReactNode
  labelHidden?: boolean
  hint?: ReactNode
}

/** On or off, taking effect immediately. In a form that is saved as a whole, use a Checkbox. */
export function Switch({ label, labelHidden = false, hint, className, ...rest }: Props) {
  const id = useId()
  return (
    <div className={clsx('flex items-start gap-2.5', className)}>
      <span className="relative inline-grid h-5 w-9 shrink-0">
        <input
          {...rest}
          id={rest.id ?? id}
          type="checkbox"
          // a checkbox has its own checked state
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
          role="switch"
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="peer col-start-1 row-start-1 size-full cursor-pointer appearance-none forced-colors:appearance-auto rounded-full border border-line-strong bg-sunken transition-colors checked:border-accent checked:bg-accent disabled:cursor-not-allowed disabled:opacity-50"
        />
        <span
          aria-hidden
          className="pointer-events-none col-start-1 row-start-1 m-0.75 size-3.5 rounded-full bg-line-strong transition-transform peer-checked:translate-x-4 peer-checked:bg-on-accent"
        />
      </span>
      <label htmlFor={rest.id ?? id} className={labelHidden ? 'sr-only' : 'cursor-pointer leading-5'}>
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
