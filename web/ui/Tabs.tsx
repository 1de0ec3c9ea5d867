import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import * as Radix from 'radix-ui/tabs'
import { SideScroll } from './SideScroll.tsx'

type Tab<V extends string> = { value: V; label: ReactNode; count?: number; content?: ReactNode }

/** Sections of one screen. If each has its own URL, keep `value` in the search params or the path. */
export function Tabs<V extends string>({
  label,
  tabs,
  value,
  onChange,
  barless = false,
  className,
}: {
  label: string
  tabs: readonly Tab<V>[]
  value: V
  onChange: (value: V) => void
  /** If something else leads to the sections. The open section stays mounted, with its state. */
  barless?: boolean
  className?: string
}) {
  return (
    // Radix returns the string of one of the tabs above
    <Radix.Root
      value={value}
      onValueChange={(next) => onChange(next as V)}
      className={clsx('grid min-w-0 gap-4', className)}
    >
      {barless ? null : (
        <Radix.List aria-label={label} className="min-w-0">
          <SideScroll className="gap-1 border-b border-line">
            {tabs.map((tab) => (
              <Radix.Trigger
                key={tab.value}
                value={tab.value}
                className="-mb-px flex h-9 shrink-0 items-center gap-1.5 rounded-t-md border-b-2 border-transparent px-2.5 font-semibold whitespace-nowrap text-ink-muted hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink"
              >
                {tab.label}
                {tab.count === undefined ? null : (
                  <span className="tnum text-xs font-medium text-ink-faint">{tab.count}</span>
                )}
              </Radix.Trigger>
            ))}
          </SideScroll>
        </Radix.List>
      )}
      {tabs.map((tab) => (
        // without its tab, a panel is neither a panel for screen readers nor a tab stop
        <Radix.Content
          key={tab.value}
          value={tab.value}
          {...(barless ? { role: undefined, 'aria-labelledby': undefined, tabIndex: undefined } : {})}
          className="min-w-0 rounded-md"
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
