import { clsx } from 'clsx'
import { useRef, type ChangeEvent, type ComponentProps } from 'react'
import { CODE } from '#contract/constants.ts'
import { TextInput } from './TextInput.tsx'

type Props = Omit<ComponentProps<typeof TextInput>, 'type' | 'inputMode' | 'value'> & {
  /** Called with the change that completed the code. */
  onComplete?: () => void
}

/** The 6 digits from an email or app: typed, pasted with surrounding text, or filled in by the browser. */
export function CodeInput({ onChange, onComplete, className, ...rest }: Props) {
  const before = useRef('')
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const digits = event.target.value.replace(/\D/g, '').slice(0, CODE.digits)
    if (digits !== event.target.value) event.target.value = digits
    // a seventh digit changes nothing: it must not send the same code again
    const changed = digits !== before.current
    before.current = digits
    onChange?.(event)
    if (changed && digits.length === CODE.digits) onComplete?.()
  }
  return (
    <TextInput
      {...rest}
      onBeforeInput={(event) => {
        // the current value, even after the form cleared it
        before.current = event.currentTarget.value
      }}
      onChange={change}
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      className={clsx('tnum [&_input]:text-lg [&_input]:font-bold [&_input]:tracking-[0.35em]', className)}
    />
  )
}
