import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { controlClass, useField } from './Field.tsx'

/** Grows with its text, from `rows` on. */
export function TextArea({ className, rows = 3, ...rest }: ComponentProps<'textarea'>) {
  const field = useField(rest)
  return (
    <textarea
      dir="auto"
      {...rest}
      {...field}
      rows={rows}
      className={clsx(controlClass, 'field-sizing-content resize-y px-2.5 py-1.5 leading-normal', className)}
      style={{ minHeight: `calc(${rows} * 1.5em + 14px)`, ...rest.style }}
    />
  )
}
