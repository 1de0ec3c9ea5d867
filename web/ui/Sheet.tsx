import { clsx } from 'clsx'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import * as Radix from 'radix-ui/dialog'
import { IconButton } from './IconButton.tsx'
import { useReturnFocus } from './returnFocus.ts'
import { useIsPhone } from './useMedia.ts'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Names the sheet; shown unless `head` is given. */
  title: string
  /** Replaces the shown title, such as a status and a time. */
  head?: ReactNode
  children: ReactNode
  /** Actions at the bottom, always visible. */
  footer?: ReactNode
  /** Keeps the page behind usable at desktop width, for details next to a list. Always modal on a phone. */
  beside?: boolean
  width?: 'm' | 'l'
}

/** Details or an editor: at the right of the screen, on a phone from the bottom. */
export function Sheet({ open, onOpenChange, title, head, children, footer, beside = false, width = 'm' }: Props) {
  const phone = useIsPhone()
  const { onOpenAutoFocus, onCloseAutoFocus } = useReturnFocus()
  const modal = phone || !beside
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange} modal={modal}>
      <Radix.Portal>
        {modal ? <Radix.Overlay className="fixed inset-0 z-40 bg-veil" /> : null}
        <Radix.Content
          aria-describedby={undefined}
          // the sheet itself gets the focus, not the first of its buttons
          onCloseAutoFocus={onCloseAutoFocus}
          onOpenAutoFocus={(event) => {
            onOpenAutoFocus()
            event.preventDefault()
            if (event.target instanceof HTMLElement) event.target.focus({ preventScroll: true })
          }}
          {...(modal ? {} : { 'data-beside': true })}
          onInteractOutside={(event) => {
            if (!modal) event.preventDefault()
          }}
          className={clsx(
            'fixed z-40 flex flex-col border-line bg-raised shadow-2 outline-none',
            phone
              ? 'inset-x-0 bottom-0 max-h-[88dvh] min-h-[46dvh] animate-rise rounded-t-xl border-t pb-[env(safe-area-inset-bottom)]'
              : 'top-14 right-5 bottom-5 animate-slide-in overflow-hidden rounded-lg border',
            phone ? '' : width === 'm' ? 'w-100' : 'w-130',
          )}
        >
          <div className="flex shrink-0 items-center gap-1 border-b border-line py-2 pr-2 pl-4">
            {head ? (
              <>
                <Radix.Title className="sr-only">{title}</Radix.Title>
                <div className="flex min-w-0 grow flex-wrap items-center gap-x-2 gap-y-1">{head}</div>
              </>
            ) : (
              <Radix.Title className="min-w-0 grow truncate text-lg font-bold">{title}</Radix.Title>
            )}
            <Radix.Close asChild>
              <IconButton label="Close" shortcut="Esc" icon={<X size={16} />} />
            </Radix.Close>
          </div>
          <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-4 overflow-y-auto px-4 py-3.5">
            {children}
          </div>
          {footer ? (
            <div className="flex shrink-0 flex-wrap gap-2 border-t border-line px-4 py-2.5 empty:hidden">{footer}</div>
          ) : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
