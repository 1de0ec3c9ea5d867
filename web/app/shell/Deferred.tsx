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
  /** Ahead of a click. */ load: () => Promise<void>
}

/** What a trigger opens, in a file of its own: its default export draws the trigger again, already open. */
export function deferrable(
  load: () => Promise<{ default: ComponentType<{ trigger: ReactElement<ComponentProps<'button'>> }> }>,
): Deferrable {
  const deferred: Deferrable = {
    Part: lazy(load),
    load: async () => {
      // drawn at once from then on: lazy shows what it has instead for 300 ms, even when the code is there
      deferred.Part = (await load()).default
    },
  }
  return deferred
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
  const [Part, want] = useState<Deferrable['Part']>()
  // if it fails, the click tries again
  const loadAhead = () => void opens.load().catch(() => undefined)
  const closed = cloneElement(trigger, {
    'aria-haspopup': kind,
    'aria-expanded': false,
    onPointerEnter: loadAhead,
    onFocus: loadAhead,
    onClick: () => want(() => opens.Part),
  })
  if (!Part) return closed
  return (
    <Contained fallback={closed}>
      <Suspense fallback={closed}>
        <Part trigger={trigger} />
      </Suspense>
    </Contained>
  )
}
