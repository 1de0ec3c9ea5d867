import type { ReactNode } from 'react'
import { Deferred, deferrable } from './Deferred.tsx'
import type * as Parts from './MenuPanel.tsx'

type Props = Parts.MenuProps
type Given = Omit<Props, 'trigger'>

/** Here before anything of a menu is drawn. */
let parts: typeof Parts | undefined

const panel = deferrable<Given>(async () => {
  parts = await import('./MenuPanel.tsx')
  return { default: parts.MenuPanel }
})

/** Ahead of anyone reaching for one, for a menu that has to open without a connection. */
export const loadMenus = () => void panel.load().catch(() => undefined)

/** Actions behind one button. Until someone reaches for it, it costs no more than the button: lists have one per row. */
export function Menu({ trigger, open, onOpenChange, defaultOpen = false, ...look }: Props) {
  const isKept = open !== undefined
  return (
    <Deferred
      kind="menu"
      opens={panel}
      trigger={trigger}
      isOpen={open ?? defaultOpen}
      {...(isKept ? { onOpen: () => onOpenChange?.(true) } : {})}
      given={{ ...look, ...(onOpenChange ? { onOpenChange } : {}), ...(isKept ? { open } : { defaultOpen: true }) }}
    />
  )
}

/** One action. With `asChild` it takes the shape of the link inside it. */
export function MenuItem(props: Parts.ItemProps) {
  return parts ? <parts.MenuItem {...props} /> : null
}

/** One of several settings in a menu, with a check mark at the chosen one. */
export function MenuChoice<V extends string>(props: Parts.ChoiceProps<V>) {
  return parts ? <parts.MenuChoice {...props} /> : null
}

export function MenuSeparator() {
  return parts ? <parts.MenuSeparator /> : null
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return parts ? <parts.MenuLabel>{children}</parts.MenuLabel> : null
}
