import { clsx } from 'clsx'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import * as Radix from 'radix-ui/dialog'
import { IconButton } from './IconButton.tsx'
import { focusFirst } from './firstFocus.ts'
import { useReturnFocus } from './returnFocus.ts'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  children?: ReactNode
  /** Buttons; the primary one comes last. */
  footer?: ReactNode
  size?: 's' | 'm' | 'l'
  /** Opens it and gets the focus back. Without it, the focus returns to where it was. */
  trigger?: ReactNode
  /** One of its buttons has to be pressed: nothing else closes it. */
  mustAnswer?: boolean
}

const widths = { s: 'md:max-w-104', m: 'md:max-w-140', l: 'md:max-w-200' }

/** A question or a small form that needs an answer before continuing. On a phone it opens from the bottom. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  size = 's',
  trigger,
  mustAnswer = false,
}: Props) {
  const returnFocus = useReturnFocus()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {trigger ? <Radix.Trigger asChild>{trigger}</Radix.Trigger> : null}
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 grid items-end justify-items-center overflow-y-auto bg-veil md:items-center md:p-6">
          <Radix.Content
            {...returnFocus}
            onOpenAutoFocus={(event) => {
              returnFocus.onOpenAutoFocus()
              focusFirst(event)
            }}
            {...(description ? {} : { 'aria-describedby': undefined })}
            className={clsx(
              'relative flex max-h-[92dvh] w-full flex-col rounded-t-xl border border-line bg-raised shadow-2 outline-none max-md:animate-rise md:max-h-[calc(100dvh-3rem)] md:animate-appear md:rounded-lg',
              widths[size],
            )}
          >
            <Radix.Title className="py-4 pr-13 pl-5 text-lg font-bold">{title}</Radix.Title>
            <div className="min-h-0 overflow-y-auto px-5 pb-5">
              {description ? (
                <Radix.Description asChild>
                  <div className={clsx('text-ink-muted', children ? 'mb-4' : '')}>{description}</div>
                </Radix.Description>
              ) : null}
              {children}
            </div>
            {footer ? (
              <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</div>
            ) : null}
            {/* last, so that the focus begins at the first field or button (firstFocus.ts) */}
            {mustAnswer ? null : (
              <Radix.Close asChild>
                <IconButton
                  data-close
                  label="Close"
                  shortcut="Esc"
                  icon={<X size={16} />}
                  className="absolute top-2.5 right-2.5"
                />
              </Radix.Close>
            )}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}
