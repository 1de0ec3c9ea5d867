import { clsx } from 'clsx'
import { useId, type ComponentProps, type ReactNode } from 'react'

type Choice<V extends string> = { value: V; label: ReactNode; hint?: ReactNode; disabled?: boolean }

type Props<V extends string> = {
  label: ReactNode
  labelHidden?: boolean
  choices: readonly Choice<V>[]
  /** Controlled use. With a form library, spread its registration into `input` instead. */
  value?: V
  onChange?: (value: V) => void
  input?: Omit<ComponentProps<'input'>, 'type' | 'value' | 'id'>
  name?: string
  error?: string | undefined
  className?: string
}

export function RadioGroup<V extends string>({
  label,
  labelHidden = false,
  choices,
  value,
  onChange,
  input,
  name,
  error,
  className,
}: Props<V>) {
  const id = useId()
  return (
    <fieldset
      className={clsx('grid content-start gap-2', className)}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend className={labelHidden ? 'sr-only' : 'mb-1.5 text-sm font-semibold'}>{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="flex cursor-pointer items-start gap-2 has-disabled:cursor-not-allowed has-disabled:opacity-50"
        >
          <span className="hit-area grid size-4.5 shrink-0 place-items-center">
            <input
              {...(value === undefined
                ? {}
                : { checked: value === choice.value, onChange: () => onChange?.(choice.value) })}
              {...input}
              name={input?.name ?? name ?? id}
              value={choice.value}
              disabled={choice.disabled}
              type="radio"
              className="z-1 size-4.5 cursor-pointer appearance-none forced-colors:appearance-auto rounded-full border border-line-strong bg-surface checked:border-[5px] checked:border-accent hover:border-ink-faint"
            />
          </span>
          <span className="leading-4.5">
            {choice.label}
            {choice.hint ? <span className="block text-sm text-ink-muted">{choice.hint}</span> : null}
          </span>
        </label>
      ))}
      {error ? (
        <p id={`${id}-error`} role="alert" className="text-sm text-bad">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
