import type { ComponentProps, ReactNode } from 'react'
import { buttonClass, type ButtonSize, type ButtonTone } from './buttonClass.ts'
import { Spinner } from './Spinner.tsx'

type Props = ComponentProps<'button'> & {
  /** primary: the one thing to do here; danger: what can't be undone. */
  tone?: ButtonTone
  size?: ButtonSize
  /** Shows a spinner and accepts no second click; keeps the focus and its width. */
  loading?: boolean
  icon?: ReactNode
}

export function Button({
  tone,
  size,
  loading = false,
  icon,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: Props) {
  return (
    <button
      {...rest}
      // a loading submit button must not submit its form again
      type={loading ? 'button' : type}
      className={buttonClass({ tone, size, className })}
      aria-busy={loading || undefined}
      aria-disabled={loading || rest['aria-disabled']}
      onClick={loading ? undefined : onClick}
    >
      {loading ? <Spinner /> : icon}
      {children}
    </button>
  )
}
