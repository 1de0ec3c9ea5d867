import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import * as Radix from 'radix-ui/popover'
import { floatingClass } from './floatingClass.ts'

type Props = {
  trigger: ReactNode
  /** Names it for screen readers. */
  label: string
  children: ReactNode
  open?: boolean
  defaultOpen?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom'
  className?: string
  /** Opening it focuses the panel as a whole: for content that is read first, where no key should act immediately. */
  focusWhole?: boolean
}

/** A small panel at its trigger: a filter, a picker, a list of requirements. Its state may be kept outside. */
export function Popover({
  trigger,
  label,
  children,
  align = 'start',
  side = 'bottom',
  className,
  focusWhole = false,
  ...state
}: Props) {
  return (
    <Radix.Root {...state}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          side={side}
          sideOffset={5}
          collisionPadding={8}
          // with the keyboard, what doesn't fit is scrolled from here
          {...(focusWhole ? { onOpenAutoFocus: takeFocus, tabIndex: 0 } : {})}
          className={clsx(
            floatingClass,
            'max-h-(--radix-popover-content-available-height) max-w-[calc(100vw-16px)] overflow-y-auto p-3 outline-none',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function takeFocus(event: Event): void {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}
