import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export type TimelineItem = {
  key: string
  /** done: it happened; failed: it went wrong; next: it's still to come; note: worth knowing. */
  state: 'done' | 'failed' | 'next' | 'note'
  text: ReactNode
  detail?: ReactNode
  /** Ready to show, such as "Thu 09:29 AM"; `at` is the machine-readable instant. */
  time?: string
  at?: string
}

const dots = { done: 'bg-ok', failed: 'bg-bad', next: 'inset-ring-[1.5px] inset-ring-line-strong', note: 'bg-wait' }
/** A failed entry says what failed, and a rejection isn't a failure. */
const words = { done: '', failed: '', next: 'Still to come: ', note: '' }

/** What happened, in order. */
export function Timeline({ label, items }: { label: string; items: readonly TimelineItem[] }) {
  return (
    <ol aria-label={label} className="tnum grid">
      {items.map((item, index) => (
        <li key={item.key} className="relative grid grid-cols-[14px_1fr_auto] items-start gap-2.5 py-1.5">
          <span aria-hidden className={clsx('mt-1.5 ml-0.75 size-2 rounded-full', dots[item.state])} />
          {index < items.length - 1 ? (
            <span aria-hidden className="absolute top-[21px] -bottom-[5px] left-[6.5px] w-px bg-line" />
          ) : null}
          <span className="min-w-0">
            <span className="sr-only">{words[item.state]}</span>
            {item.text}
            {item.detail ? <small className="block text-sm text-ink-muted">{item.detail}</small> : null}
          </span>
          {item.time ? (
            <time dateTime={item.at} className="text-sm whitespace-nowrap text-ink-muted">
              {item.time}
            </time>
          ) : null}
        </li>
      ))}
    </ol>
  )
}
