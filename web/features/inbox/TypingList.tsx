import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { floatingClass } from '#web/ui/floatingClass.ts'

export type TypingOption = { key: string; title: string; detail: string; text: string; responseId?: string }

/** What a `/` or an `@` offers, over the field that keeps the focus. */
export function TypingList({
  id,
  label,
  options,
  active,
  onPick,
}: {
  id: string
  label: string
  options: readonly TypingOption[]
  active: number
  onPick: (option: TypingOption) => void
}) {
  return (
    <ul id={id} role="listbox" aria-label={label} className={clsx(place, 'max-h-64 overflow-y-auto p-1')}>
      {options.map((option, index) => (
        // keys reach it through the text, which has the focus
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <li
          key={option.key}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          // before the text loses the focus
          onPointerDown={(event) => {
            event.preventDefault()
            onPick(option)
          }}
          className={clsx(
            'grid min-h-9 cursor-pointer content-center rounded-[6px] px-2.5 py-1 hover:bg-hover pointer-coarse:min-h-11',
            index === active ? 'bg-hover' : '',
          )}
        >
          <span dir="auto" className="truncate font-medium">
            {option.title}
          </span>
          {option.detail ? (
            <span dir="auto" className="truncate text-sm text-ink-muted">
              {option.detail}
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

const place = clsx(floatingClass, 'absolute inset-x-2 bottom-full z-10 mb-1')

/** Why nothing is offered. */
export function TypingNote({ children }: { children: ReactNode }) {
  return (
    <div role="status" className={clsx(place, 'px-3 py-2 text-sm text-ink-muted')}>
      {children}
    </div>
  )
}
