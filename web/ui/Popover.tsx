import {
  cloneElement,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import type { PopoverPanel } from './PopoverPanel.tsx'
import { toast } from './toast.ts'

/** A button that passes what it's given on to its element. */
type PopoverTrigger = ReactElement<ComponentProps<'button'> & { 'data-state'?: 'open' | 'closed' }>

type Props = {
  trigger: PopoverTrigger
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

// kept here rather than by lazy, which shows nothing for 300 ms even when the code is there
let Panel: typeof PopoverPanel | undefined

async function loadPanel(): Promise<void> {
  Panel ??= (await import('./PopoverPanel.tsx')).PopoverPanel
}

/** Ahead of a click. If it fails, the click tries again. */
const reachFor = () => void loadPanel().catch(() => undefined)

/**
 * A small panel at its trigger: a filter, a picker, a list of requirements. Its state may be kept outside. Until it's
 * first opened, it costs no more than its button: screens have dozens of them.
 */
export function Popover({
  trigger,
  open: kept,
  defaultOpen = false,
  onOpenChange,
  align = 'start',
  side = 'bottom',
  className,
  focusWhole = false,
  ...rest
}: Props) {
  const [own, setOwn] = useState(defaultOpen)
  const open = kept ?? own
  const [isNeeded, setNeeded] = useState(open && Panel !== undefined)
  const button = useRef<HTMLButtonElement>(null)
  const triggerRef = trigger.props.ref
  // the trigger's own ref is the same element: a form focuses it when its value is wrong
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(triggerRef, () => button.current, [])
  const id = useId()
  const change = (next: boolean) => {
    setOwn(next)
    onOpenChange?.(next)
  }
  if (open && !isNeeded && Panel) setNeeded(true)
  useEffect(() => {
    if (!open || isNeeded) return
    loadPanel().then(
      () => setNeeded(true),
      () => {
        change(false)
        toast.error("This couldn't be loaded. Try again once you're online.")
      },
    )
  })
  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        'data-state': open ? 'open' : 'closed',
        onPointerEnter: reachFor,
        onFocus: reachFor,
        onClick: (event: MouseEvent<HTMLButtonElement>) => {
          trigger.props.onClick?.(event)
          if (!event.defaultPrevented) change(!open)
        },
        // until the panel is there and has the focus, Esc is pressed here
        onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => {
          trigger.props.onKeyDown?.(event)
          if (open && event.key === 'Escape') change(false)
        },
      })}
      {isNeeded && Panel ? (
        <Panel
          id={id}
          open={open}
          onOpenChange={change}
          align={align}
          side={side}
          className={className}
          focusWhole={focusWhole}
          button={button}
          {...rest}
        />
      ) : null}
    </>
  )
}
