import { useRouter } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { MouseEvent, ReactNode } from 'react'
import { topicWords, type Notice } from '#contract/notices.ts'
import { count } from '#web/lib/format.ts'
import { insideApp } from '#web/lib/redirect.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { inkTone } from '#web/ui/tones.ts'
import { topicLook } from './topicLook.ts'

type Props = {
  notice: Notice
  /** As it is to be read. */ time: string
  onRead: () => void
  /** The person followed it to what it is about. */ onFollow?: () => void
}

/** One notification: opening it leads to what it is about and marks it as read. */
export function NoticeItem({ notice, time, onRead, onFollow }: Props) {
  const { icon: Icon, tone } = topicLook[notice.topic]
  return (
    <li className="flex items-start gap-1 hover:bg-hover">
      <Opens notice={notice} onRead={onRead} {...(onFollow ? { onFollow } : {})}>
        <span className={clsx('mt-0.5 shrink-0', notice.read ? 'text-ink-faint' : inkTone[tone])}>
          <Icon size={16} aria-hidden />
          <span className="sr-only">{topicWords[notice.topic].label}: </span>
        </span>
        <span className="grid min-w-0 grow gap-0.5">
          <span className={clsx('text-pretty', notice.read ? 'text-ink-muted' : 'font-bold')}>
            {notice.read ? null : <span className="sr-only">Unread: </span>}
            {notice.title}
          </span>
          {notice.body ? <span className="text-sm text-pretty text-ink-muted">{notice.body}</span> : null}
          {notice.quote === null ? null : (
            // only phrasing content is allowed inside a link or a button
            <q
              dir="auto"
              className="block border-l-2 border-line-strong pl-2.5 text-sm wrap-anywhere whitespace-pre-line before:content-none after:content-none"
            >
              {notice.quote}
            </q>
          )}
          <span className="tnum text-xs text-ink-muted">
            <time dateTime={notice.createdAt}>{time}</time>
            {notice.count > 1 ? `, ${count(notice.count, 'time')} so far` : null}
          </span>
        </span>
      </Opens>
      <span className="grid size-10 shrink-0 place-items-center">
        {notice.read ? null : (
          <IconButton
            size="s"
            label={`Mark as read: ${notice.title}`}
            icon={<span aria-hidden className="size-2 rounded-full bg-accent" />}
            onClick={onRead}
          />
        )}
      </span>
    </li>
  )
}

const row = 'flex min-w-0 grow gap-2.5 py-2.5 pl-4 text-left focus-visible:-outline-offset-2'

/** A link, which can also open in a new tab; a notification with nothing to open can only be read. */
function Opens({
  notice,
  onRead,
  onFollow,
  children,
}: {
  notice: Notice
  onRead: () => void
  onFollow?: () => void
  children: ReactNode
}) {
  const router = useRouter()
  const inside = insideApp(notice.link ?? undefined)
  if (!inside) {
    return notice.read ? (
      <div className={row}>{children}</div>
    ) : (
      <button type="button" onClick={onRead} className={row}>
        {children}
      </button>
    )
  }
  const follow = (event: MouseEvent) => {
    if (!notice.read) onRead()
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    onFollow?.()
    void router.navigate({ href: inside })
  }
  return (
    <a href={inside} onClick={follow} className={row}>
      {children}
    </a>
  )
}
