import { useRouter } from '@tanstack/react-router'
import { clsx } from 'clsx'
import Bell from 'lucide-react/icons/bell'
import { useState, type ReactElement } from 'react'
import { listNotices, readNotice } from '#contract/notices.ts'
import { agoOf } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { insideApp } from '#web/lib/redirect.ts'
import { EmptyState } from '#web/ui/states.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'

/** What happened that the person should know of; each opens the very thing. */
export default function Notices({ trigger }: { trigger: ReactElement }) {
  const params = useProjectIds()
  const zone = useProjectZone()
  const router = useRouter()
  const now = useNow()
  const [open, setOpen] = useState(true)
  const notices = useCall(listNotices, { params }, { handles: true })
  const read = useSend(readNotice, { refreshes: [listNotices], handles: ['NOT_FOUND'] })

  const follow = (noticeId: string, link: string | null) => {
    read.mutate({ params: { ...params, noticeId } })
    setOpen(false)
    const inside = insideApp(link ?? undefined)
    if (inside) void router.navigate({ href: inside })
  }

  return (
    <Popover
      label="Notices"
      align="end"
      open={open}
      onOpenChange={setOpen}
      className="w-93 p-0!"
      trigger={trigger}
    >
      <h2 className="border-b border-line px-4 py-2.5 font-bold">Notices</h2>
      <Loaded
        query={notices}
        skeleton={
          <div className="p-4">
            <SkeletonLines />
          </div>
        }
        isEmpty={(data) => data.notices.length === 0}
        empty={
          <EmptyState icon={<Bell size={18} />} title="No notices" className="py-8!">
            Failed posts and channels that need attention show up here.
          </EmptyState>
        }
      >
        {(data) => (
          <ul className="max-h-[60dvh] divide-y divide-line overflow-y-auto">
            {data.notices.map((notice) => (
              <li key={notice.noticeId}>
                {/* its text is its label; the rule does not see through the conditions */}
                {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label */}
                <button type="button" onClick={() => follow(notice.noticeId, notice.link)} className="flex w-full gap-2.5 px-4 py-2.5 text-left hover:bg-hover focus-visible:-outline-offset-2">
                  <span aria-hidden className={clsx('mt-1.5 size-2 shrink-0 rounded-full', notice.read ? '' : 'bg-accent')} />
                  <span className="min-w-0">
                    <span className={clsx('block', notice.read ? '' : 'font-bold')}>
                      {notice.read ? null : <span className="sr-only">Unread: </span>}
                      {notice.title}
                    </span>
                    <span className="block text-sm text-ink-muted">{notice.body}</span>
                    <time dateTime={notice.createdAt} className="text-xs text-ink-muted">
                      {agoOf(notice.createdAt, now, zone)}
                    </time>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Popover>
  )
}
