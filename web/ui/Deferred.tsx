import {
  cloneElement,
  lazy,
  Suspense,
  useState,
  type ComponentProps,
  type ComponentType,
  type KeyboardEvent,
  type ReactElement,
} from 'react'
import { Contained } from './Contained.tsx'

/** A button that passes what it's given on to its element. */
export type DeferredTrigger = ReactElement<ComponentProps<'button'>>
type Part<P> = ComponentType<P & { trigger: DeferredTrigger }>

export type Deferrable<P> = {
  Part: Part<P>
  /** Ahead of a click. */ load: () => Promise<void>
}

/** What a trigger opens, in a file of its own: its default export draws the trigger again, already open. */
export function deferrable<P>(load: () => Promise<{ default: Part<P> }>): Deferrable<P> {
  const deferred: Deferrable<P> = {
    Part: lazy(load),
    load: async () => {
      // drawn at once from then on: lazy shows what it has instead for 300 ms, even when the code is there
      deferred.Part = (await load()).default
    },
  }
  return deferred
}

type Props<P> = {
  opens: Deferrable<P>
  kind: 'menu' | 'dialog'
  trigger: DeferredTrigger
  /** Passed on to what it opens. */ given: P
  /** Whether it's opened by something other than its trigger. */ isOpen?: boolean
  /** The trigger was used for the first time. */ onOpen?: () => void
}

/** Only the trigger, until someone reaches for it: menus and their positioning stay out of the first load. */
export function Deferred<P extends object>({ opens, kind, trigger, given, isOpen = false, onOpen }: Props<P>) {
  const [Part, want] = useState<Part<P>>()
  if (isOpen && !Part) want(() => opens.Part)
  // if it fails, the click tries again
  const loadAhead = () => void opens.load().catch(() => undefined)
  const open = () => {
    want(() => opens.Part)
    onOpen?.()
  }
  const closed = cloneElement(trigger, {
    'aria-haspopup': kind,
    'aria-expanded': false,
    onPointerEnter: loadAhead,
    onFocus: loadAhead,
    onClick: open,
    ...(kind === 'menu'
      ? {
          onKeyDown: (event: KeyboardEvent) => {
            if (event.key !== 'ArrowDown') return
            event.preventDefault()
            open()
          },
        }
      : {}),
  })
  if (!Part) return closed
  return (
    <Contained fallback={closed}>
      <Suspense fallback={closed}>
        <Part {...given} trigger={trigger} />
      </Suspense>
    </Contained>
  )
}
