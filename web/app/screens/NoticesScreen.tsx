import { getRouteApi } from '@tanstack/react-router'
import BellIcon from 'lucide-react/icons/bell'
import CheckCheck from 'lucide-react/icons/check-check'
import { FIRST_PAGE } from '#contract/constants.ts'
import { listNotices, topicWords, type NoticeTopic } from '#contract/notices.ts'
import { myPermissions } from '#contract/organizations.ts'
import { NoticeDays } from '#web/features/notices/NoticeDays.tsx'
import { OpenInvites } from '#web/features/notices/OpenInvites.tsx'
import { seenTopics } from '#web/features/notices/seenTopics.ts'
import { useNoticeActions } from '#web/features/notices/useNoticeActions.ts'
import { useNow } from '#web/lib/now.ts'
import { useHome, useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { FilterChip } from '#web/ui/Chip.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { ZoneNote } from '#web/ui/ZoneNote.tsx'

const route = getRouteApi('/$orgId/project/$projectId/notices')

/** All of the person's notifications in this project, day by day; the filter is in the URL. */
export default function NoticesScreen() {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const now = useNow()
  const { page = FIRST_PAGE, unread, topic } = route.useSearch()
  const navigate = route.useNavigate()
  const go = (next: { page?: number | undefined; unread?: true | undefined; topic?: NoticeTopic | undefined }) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...next }), replace: next.page === undefined })
  const query = useCall(
    listNotices,
    { params: ids, query: { page, ...(unread ? { unread: 'true' } : {}), ...(topic ? { topic } : {}) } },
    { keepPrevious: true, handles: true },
  )
  const { read, readAll } = useNoticeActions()
  const mine = useCall(myPermissions, { params: ids })
  const home = useHome()
  const waiting =
    query.data?.showsInvites && page === FIRST_PAGE && (topic === undefined || topic === 'invitations')
      ? (home.data?.invites ?? [])
      : []
  const open = query.data?.unread ?? 0
  const zoneNote = <ZoneNote zone={zone} at={now} />
  const markAll =
    open > 0 ? (
      <Button size="s" icon={<CheckCheck size={14} aria-hidden />} onClick={readAll}>
        Mark all as read
      </Button>
    ) : null

  return (
    <Page
      title="Notifications"
      controls={
        <div className="flex items-center gap-2.5 max-md:hidden">
          {zoneNote}
          {markAll}
        </div>
      }
      bar={
        <>
          <Segmented
            label="Show"
            value={unread ? 'unread' : 'all'}
            options={[
              { value: 'all', label: 'All' },
              { value: 'unread', label: open > 0 ? `Unread ${open}` : 'Unread' },
            ]}
            onChange={(next) => go({ unread: next === 'unread' ? true : undefined })}
            className="mr-1 shrink-0"
          />
          <div role="group" aria-label="Topic" className="contents">
            {seenTopics(mine.data?.project ?? {}).map((one) => (
              <FilterChip key={one} on={one === topic} onClick={() => go({ topic: one === topic ? undefined : one })}>
                {topicWords[one].label}
              </FilterChip>
            ))}
          </div>
        </>
      }
    >
      <div className="grid max-w-200 gap-5">
        <div className="flex min-h-7 items-center justify-between gap-3 md:hidden">
          {zoneNote}
          {markAll}
        </div>
        {waiting.length > 0 ? (
          <div className="overflow-hidden rounded-lg border border-accent bg-surface">
            <OpenInvites invites={waiting} />
          </div>
        ) : null}
        <Loaded
          query={query}
          isEmpty={({ notices }) => notices.length === 0}
          empty={
            waiting.length > 0 ? null : (
              <Nothing
                page={page}
                unread={unread === true}
                topic={topic}
                onAll={() => go({ unread: undefined, topic: undefined })}
              />
            )
          }
        >
          {({ notices, pagination }) => (
            <>
              <NoticeDays notices={notices} zone={zone} now={now} onRead={read} />
              <Pagination
                page={pagination.currentPage}
                totalPages={pagination.totalPages}
                loading={query.isPlaceholderData}
                onPage={(next) => go({ page: next === FIRST_PAGE ? undefined : next })}
              />
            </>
          )}
        </Loaded>
        <p className="text-sm text-ink-muted">
          <Link to="/$orgId/project/$projectId/profile" params={ids} hash="notices">
            Notification settings
          </Link>
          , in the app and by email.
        </p>
      </div>
    </Page>
  )
}

function Nothing({
  page,
  unread,
  topic,
  onAll,
}: {
  page: number
  unread: boolean
  topic: NoticeTopic | undefined
  onAll: () => void
}) {
  const beyond = page > FIRST_PAGE
  const filtered = unread || topic !== undefined
  const title = beyond
    ? "This page doesn't exist"
    : unread
      ? 'All caught up'
      : topic
        ? `No notifications about ${topicWords[topic].label.toLowerCase()}`
        : 'No notifications'
  const words = beyond
    ? 'The list has fewer pages.'
    : unread
      ? "You've read all your notifications."
      : topic
        ? topicWords[topic].about
        : 'Failed posts and channels that need attention show up here.'
  return (
    <EmptyState
      icon={<BellIcon size={20} />}
      title={title}
      action={
        beyond || filtered ? (
          <Button onClick={onAll}>{beyond ? 'Go to the first page' : 'Show all notifications'}</Button>
        ) : null
      }
    >
      {words}
    </EmptyState>
  )
}
