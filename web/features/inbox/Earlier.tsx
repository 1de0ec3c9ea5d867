import { Link } from '@tanstack/react-router'
import ChevronDown from 'lucide-react/icons/chevron-down'
import History from 'lucide-react/icons/history'
import { useState } from 'react'
import { clsx } from 'clsx'
import type { getConversation } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { count } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { kindLook, shortTimeOf } from './look.ts'
import { exactly, INBOX, opening } from './inboxSearch.ts'

/** Other conversations with the same person, behind a line that says how many. */
export function Earlier({ earlier, name }: Pick<ReplyOf<typeof getConversation>, 'earlier'> & { name: string }) {
  const [open, setOpen] = useState(false)
  const now = useNow()
  const zone = useProjectZone()
  if (earlier.length === 0) return null
  return (
    <section aria-label={`Other conversations with ${name}`} className="shrink-0 border-b border-line">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-8 w-full items-center gap-2 px-4 text-sm text-ink-muted hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:min-h-10"
      >
        <History size={13} aria-hidden />
        {count(earlier.length, 'other conversation')} with {name}
        <ChevronDown size={13} aria-hidden className={clsx('transition-transform', open ? 'rotate-180' : '')} />
      </button>
      {open ? (
        <ul className="max-h-52 overflow-y-auto pb-1.5">
          {earlier.map(({ conversationId, kind, preview, lastAt }) => {
            const { word, icon: Icon } = kindLook[kind]
            return (
              <li key={conversationId}>
                <Link
                  from={INBOX}
                  to="."
                  activeOptions={exactly}
                  search={opening(conversationId)}
                  className="flex min-h-8 min-w-0 items-center gap-2 px-4 hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:min-h-10"
                >
                  <Icon size={13} aria-hidden className="shrink-0 text-ink-muted" />
                  <span className="sr-only">{word}: </span>
                  <span dir="auto" className="truncate">
                    {preview || word}
                  </span>
                  <time dateTime={lastAt} className="tnum ml-auto shrink-0 text-xs text-ink-muted">
                    {shortTimeOf(lastAt, now, zone)}
                  </time>
                </Link>
              </li>
            )
          })}
        </ul>
      ) : null}
    </section>
  )
}
