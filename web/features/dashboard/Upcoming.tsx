import CalendarClock from 'lucide-react/icons/calendar-clock'
import { useState } from 'react'
import { listPosts } from '#contract/posts.ts'
import { addDays, rangeOf, wallOf } from '#web/lib/dates.ts'
import { weekdayAndTimeOf } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { ButtonLink, Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { StatusMark } from '#web/ui/StatusBadge.tsx'
import { ZoneNote } from '#web/ui/ZoneNote.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { Panel, paperClass } from './Panel.tsx'
import { PostLink } from './PostLink.tsx'

const DAYS = 7
const SHOWN = 8

/** What goes out in the next seven days. */
export function Upcoming({ ids, zone, mayCreate }: { ids: ProjectIds; zone: string; mayCreate: boolean }) {
  const [now] = useState(() => new Date())
  const today = wallOf(now, zone).day
  const { from, to } = rangeOf(today, addDays(today, DAYS), zone)
  const query = { from: from.toISOString(), to: to.toISOString(), status: ['SCHEDULED' as const, 'QUEUED' as const, 'PROCESSING' as const] }
  const posts = useCall(listPosts, { params: ids, query }, { handles: true })
  return (
    <Panel title="Next 7 days" aside={<ZoneNote zone={zone} at={now} />}>
      <div className={paperClass}>
        <Loaded
          query={posts}
          skeleton={<SkeletonRows rows={4} />}
          isEmpty={(list) => list.posts.length === 0}
          empty={
            <EmptyState
              icon={<CalendarClock size={20} />}
              title="Nothing is scheduled"
              className="py-8"
              action={
                mayCreate ? (
                  <ButtonLink to="/$orgId/project/$projectId/compose" params={ids}>
                    Create post
                  </ButtonLink>
                ) : null
              }
            >
              What you schedule for the coming week stands here.
            </EmptyState>
          }
        >
          {(list) => (
            <>
              <ul className="divide-y divide-line">
                {list.posts.slice(0, SHOWN).map((post) => (
                  <li key={post.postId}>
                    <PostLink post={post} time={weekdayAndTimeOf(post.at, zone)} end={<StatusMark status={post.status} />} />
                  </li>
                ))}
              </ul>
              {list.posts.length > SHOWN ? (
                <p className="border-t border-line px-3 py-2">
                  <Link to="/$orgId/project/$projectId/calendar" params={ids}>
                    {list.posts.length - SHOWN} more in the calendar
                  </Link>
                </p>
              ) : null}
            </>
          )}
        </Loaded>
      </div>
    </Panel>
  )
}
