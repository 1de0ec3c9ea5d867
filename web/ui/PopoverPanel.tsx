import { clsx } from 'clsx'
import { useRef, type ReactNode, type RefObject } from 'react'
import * as Radix from 'radix-ui/popover'
import { floatingClass } from './floatingClass.ts'

export type PanelProps = {
  id: string
  /** Names it for screen readers. */
  label: string
  children: ReactNode
  open: boolean
  onOpenChange: (open: boolean) => void
  align: 'start' | 'center' | 'end'
  side: 'top' | 'bottom'
  className: string | undefined
  focusWhole: boolean
  /** The button that it belongs to. */
  button: RefObject<HTMLElement | null>
}

/** What a Popover opens, in a file of its own: with its positioning, it's loaded once someone reaches for a button. */
export function PopoverPanel({
  id,
  label,
  children,
  open,
  onOpenChange,
  align,
  side,
  className,
  focusWhole,
  button,
}: PanelProps) {
  /** Something outside was pressed or focused: the focus stays there. */
  const wasLeft = useRef(false)
  /** The focus goes back at once: once the panel is gone may be too late on a page that's still loading. */
  const change = (next: boolean) => {
    if (!next && !wasLeft.current) button.current?.focus()
    onOpenChange(next)
  }
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Anchor virtualRef={button} />
      <Radix.Portal>
        <Radix.Content
          id={id}
          aria-label={label}
          align={align}
          side={side}
          sideOffset={5}
          collisionPadding={8}
          onInteractOutside={(event) => {
            // its own click closes it
            if (event.target instanceof Node && button.current?.contains(event.target)) event.preventDefault()
            else wasLeft.current = true
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // something in it closed it, and had the focus
            if (!wasLeft.current && document.activeElement === document.body) button.current?.focus()
            wasLeft.current = false
          }}
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
