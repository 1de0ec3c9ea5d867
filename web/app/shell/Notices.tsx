import BellIcon from 'lucide-react/icons/bell'
import { useState, type ReactElement } from 'react'
import { home as homeEndpoint } from '#contract/organizations.ts'
import { NoticeItem } from '#web/features/notices/NoticeItem.tsx'
import { OpenInvites } from '#web/features/notices/OpenInvites.tsx'
import { useNewestNotices } from '#web/features/notices/newest.ts'
import { useNoticeActions } from '#web/features/notices/useNoticeActions.ts'
import { agoOf } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import type { DeferredTrigger } from '#web/ui/Deferred.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { EmptyState } from '#web/ui/states.tsx'

/** What happened that the person should know of, the newest of it; each opens the very thing. */
export default function Notices({ trigger }: { trigger: DeferredTrigger }) {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const now = useNow()
  const [open, setOpen] = useState(true)
  const newest = useNewestNotices()
  const { read, readAll } = useNoticeActions()
  const close = () => setOpen(false)

  return (
    <Popover
      label="Notifications"
      align="end"
      open={open}
      onOpenChange={setOpen}
      focusWhole
      className="flex w-98 flex-col overflow-hidden! p-0!"
      trigger={trigger}
    >
      <h2 className="shrink-0 border-b border-line px-4 py-2.5 font-bold">Notifications</h2>
      <div className="max-h-[60dvh] min-h-0 overflow-y-auto">
        <Loaded
          query={newest}
          skeleton={
            <div className="p-4">
              <SkeletonLines />
            </div>
          }
        >
          {({ notices, showsInvites }) => (
            <Invited shown={showsInvites && open} onAccepted={close}>
              {(invites) =>
                notices.length === 0 && !invites ? (
                  <EmptyState icon={<BellIcon size={18} />} title="No notifications" className="py-8!">
                    Failed posts and channels that need attention show up here.
                  </EmptyState>
                ) : (
                  <>
                    {invites}
                    {notices.length > 0 ? (
                      <ul aria-label="Newest notifications" className="divide-y divide-line">
                        {notices.map((notice) => (
                          <NoticeItem
                            key={notice.noticeId}
                            notice={notice}
                            time={agoOf(notice.createdAt, now, zone)}
                            onRead={() => read(notice.noticeId)}
                            onFollow={close}
                          />
                        ))}
                      </ul>
                    ) : null}
                  </>
                )
              }
            </Invited>
          )}
        </Loaded>
      </div>
      {/* after the notices: what is opened by a key must not be a key away from marking all of them */}
      <div className="flex h-11 shrink-0 items-center justify-between gap-3 border-t border-line pr-2 pl-4">
        <Link to="/$orgId/project/$projectId/notices" params={ids} onClick={close}>
          See all
        </Link>
        {newest.data && newest.data.unread > 0 ? (
          <Button size="s" tone="quiet" onClick={readAll}>
            Mark all as read
          </Button>
        ) : null}
      </div>
    </Popover>
  )
}

/** Open invitations above the notifications; reloaded on opening, since no project's stream reports them. */
function Invited({
  shown,
  onAccepted,
  children,
}: {
  shown: boolean
  onAccepted: () => void
  children: (invites: ReactElement | null) => ReactElement
}) {
  const home = useCall(homeEndpoint, {}, { staleTime: 0, enabled: shown, handles: true })
  const invites = shown ? (home.data?.invites ?? []) : []
  return children(
    invites.length > 0 ? (
      <div className="not-last:border-b not-last:border-line">
        <OpenInvites invites={invites} onAccepted={onAccepted} />
      </div>
    ) : null,
  )
}
