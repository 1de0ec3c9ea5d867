import type { ReactElement, ReactNode } from 'react'
import * as Radix from 'radix-ui/tooltip'
import { Kbd } from './Kbd.tsx'

/** Once, around the app: makes neighbouring tooltips appear without a new wait. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={500} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  )
}

/** A word about a control, on hover and focus. Never the only place of something that people need. */
export function Tooltip({ text, shortcut, side = 'bottom', children }: { text: string; shortcut?: string | undefined; side?: 'top' | 'right' | 'bottom' | 'left'; children: ReactElement }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content side={side} sideOffset={6} collisionPadding={8} className="z-50 flex max-w-72 animate-appear items-center gap-2 rounded-md bg-ink px-2 py-1 text-sm text-canvas shadow-2">
          {text}
          {shortcut ? <Kbd inverted>{shortcut}</Kbd> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
