import {
  cloneElement,
  lazy,
  Suspense,
  useState,
  type ComponentProps,
  type ComponentType,
  type ReactElement,
} from 'react'
import { Contained } from '#web/ui/Contained.tsx'

export type Deferrable = {
  Part: ComponentType<{ trigger: ReactElement<ComponentProps<'button'>> }>
  load: () => unknown
}

/** What a trigger opens, in a file of its own: its default export draws the trigger again, already open. */
export function deferrable(
  load: () => Promise<{ default: ComponentType<{ trigger: ReactElement<ComponentProps<'button'>> }> }>,
): Deferrable {
  return { Part: lazy(load), load }
}

/** Only the trigger, until someone reaches for it: menus and their positioning stay out of the first load. */
export function Deferred({
  opens,
  kind,
  trigger,
}: {
  opens: Deferrable
  kind: 'menu' | 'dialog'
  trigger: ReactElement<ComponentProps<'button'>>
}) {
  const [wanted, setWanted] = useState(false)
  const closed = cloneElement(trigger, {
    'aria-haspopup': kind,
    'aria-expanded': false,
    onPointerEnter: () => void opens.load(),
    onFocus: () => void opens.load(),
    onClick: () => setWanted(true),
  })
  if (!wanted) return closed
  return (
    <Contained fallback={closed}>
      <Suspense fallback={closed}>
        <opens.Part trigger={trigger} />
      </Suspense>
    </Contained>
  )
}
