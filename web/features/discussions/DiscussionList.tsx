import { clsx } from 'clsx'
import type { Discussion } from '#contract/discussions.ts'
import { agoOf, count } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { subjectWords } from './subjects.ts'

type Props = {
  discussions: readonly Discussion[]
  openId: string | undefined
  onOpen: (discussionId: string) => void
}

/** Discussions with what they are about and when something was last said. */
export function DiscussionList({ discussions, openId, onOpen }: Props) {
  const now = useNow()
  const zone = useProjectZone()
  return (
    <ul aria-label="Discussions" className="divide-y divide-line rounded-lg border border-line bg-surface">
      {discussions.map(({ discussionId, title, about, messages, lastAt, author }) => (
        <li key={discussionId}>
          <button
            type="button"
            aria-current={discussionId === openId ? 'true' : undefined}
            onClick={() => onOpen(discussionId)}
            className={clsx(
              'grid w-full gap-0.5 px-3.5 py-2.5 text-left hover:bg-hover focus-visible:-outline-offset-2',
              discussionId === openId ? 'bg-accent-soft' : '',
            )}
          >
            <span dir="auto" className="font-semibold [overflow-wrap:anywhere]">
              {title}
            </span>
            {about ? (
              <span dir="auto" className="truncate text-sm text-ink-muted">
                {subjectWords(about)}
              </span>
            ) : null}
            <span className="tnum text-sm text-ink-muted">
              {`${author.name}, ${count(messages, 'message')}, ${agoOf(lastAt, now, zone)}`}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
