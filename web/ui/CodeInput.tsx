import { clsx } from 'clsx'
import type { ChangeEvent, ComponentProps } from 'react'
import { CODE } from '#contract/constants.ts'
import { TextInput } from './TextInput.tsx'

type Props = Omit<ComponentProps<typeof TextInput>, 'type' | 'inputMode' | 'value'> & {
  /** Follows the change that brought the last digit. */
  onComplete?: () => void
}

/** The 6 digits of a mail or an app: typed, pasted with spaces and words around them, or filled in by the browser. */
export function CodeInput({ onChange, onComplete, className, ...rest }: Props) {
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const digits = event.target.value.replace(/\D/g, '').slice(0, CODE.digits)
    if (digits !== event.target.value) event.target.value = digits
    onChange?.(event)
    if (digits.length === CODE.digits) onComplete?.()
  }
  return (
    <TextInput
      {...rest}
      onChange={change}
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      className={clsx('tnum [&_input]:text-lg [&_input]:font-bold [&_input]:tracking-[0.35em]', className)}
    />
  )
}
