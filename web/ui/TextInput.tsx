import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { controlClass, useField } from './Field.tsx'

type Props = Omit<ComponentProps<'input'>, 'size'> & {
  /** Inside, at the left and the right end. */
  start?: ReactNode
  end?: ReactNode
  size?: 'm' | 'l'
}

export function TextInput({ start, end, size = 'm', className, type = 'text', ...rest }: Props) {
  const field = useField(rest)
  return (
    <div className={clsx('relative flex items-center', className)}>
      {start ? (
        <span className="pointer-events-none absolute left-2.5 grid place-items-center text-ink-faint">{start}</span>
      ) : null}
      <input
        // addresses and passwords read from left to right everywhere
        dir={type === 'text' || type === 'search' ? 'auto' : undefined}
        {...rest}
        {...field}
        type={type}
        className={clsx(
          controlClass,
          size === 'l' ? 'h-10' : 'h-8 pointer-coarse:h-10',
          start ? 'pl-8' : 'pl-2.5',
          end ? 'pr-9' : 'pr-2.5',
        )}
      />
      {end ? <span className="absolute right-1 grid place-items-center">{end}</span> : null}
    </div>
  )
}
