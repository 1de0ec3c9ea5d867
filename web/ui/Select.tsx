import { clsx } from 'clsx'
import ChevronDown from 'lucide-react/icons/chevron-down'
import type { ComponentProps } from 'react'
import { controlClass, useField } from './Field.tsx'

export type Option<V extends string = string> = { value: V; label: string; disabled?: boolean }

type Props = Omit<ComponentProps<'select'>, 'size'> & {
  options: readonly Option[]
  /** The first line while nothing is chosen. */
  placeholder?: string
  size?: 'm' | 'l'
}

/**
 * The platform's own list: it works with a keyboard, a screen reader and touch. For long lists with search, use a
 * Popover.
 */
export function Select({ options, placeholder, size = 'm', className, ...rest }: Props) {
  const field = useField(rest)
  return (
    <div className={clsx('relative flex items-center', className)}>
      <select
        {...rest}
        {...field}
        className={clsx(
          controlClass,
          size === 'l' ? 'h-10' : 'h-8 pointer-coarse:h-10',
          'appearance-none pr-8 pl-2.5 text-ellipsis',
        )}
      >
        {placeholder !== undefined ? <option value="">{placeholder}</option> : null}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled} className="bg-raised text-ink">
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown size={14} aria-hidden className="pointer-events-none absolute right-2.5 text-ink-muted" />
    </div>
  )
}
