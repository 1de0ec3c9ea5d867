import { Link, useParams } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Fragment, memo } from 'react'
import { allows } from '#contract/permissions.ts'
import { myPermissions } from '#contract/organizations.ts'
import { inboxCounts } from '#contract/inbox/counts.ts'
import { postStatistics } from '#contract/postLists.ts'
import { approvalsOfMe } from '#contract/approvalLists.ts'
import { useProjectIds, type ProjectIds } from '#web/lib/project.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useCall } from '#web/lib/queries.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { areas, isWithin, type Place } from './areas.ts'
import { ChannelHealth } from './ChannelHealth.tsx'
import { ProjectSwitcher } from './ProjectSwitcher.tsx'
import { UserButton } from './UserButton.tsx'

const row =
  'flex h-8 items-center gap-2.5 rounded-md px-2.5 font-medium text-ink-muted hover:bg-hover hover:text-ink aria-[current=page]:bg-surface aria-[current=page]:text-ink aria-[current=page]:inset-ring aria-[current=page]:inset-ring-line aria-[current=page]:shadow-1'

/** The areas of the product at the left of every project page. */
export function Rail() {
  const visible = useVisible()
  const { orgId, projectId } = useProjectIds()
  const here = useParams({ strict: false })
  const rowOf = (place: Place, small = false) => (
    <Row key={place.key} {...{ place, small, orgId, projectId }} isHere={isWithin(place, here)} />
  )
  return (
    <header className="hidden min-h-0 flex-col overflow-y-auto border-r border-line bg-sunken px-2.5 py-3 md:flex">
      <ProjectSwitcher />
      <nav aria-label="Main" className="mt-2 grid gap-0.5">
        {areas.map((area) => {
          if (!('places' in area)) return visible(area) ? rowOf(area) : null
          const places = area.places.filter(visible)
          if (places.length === 0) return null
          return (
            <Fragment key={area.key}>
              <span className="flex h-8 items-center gap-2.5 px-2.5 font-medium text-ink">
                <area.icon size={15} aria-hidden />
                {area.label}
              </span>
              <div className="mb-1 ml-4.5 grid gap-px border-l border-line pl-2">
                {places.map((place) => rowOf(place, true))}
              </div>
            </Fragment>
          )
        })}
      </nav>
      <div className="mt-auto grid gap-2 pt-3">
        <ChannelHealth />
        <UserButton />
      </div>
    </header>
  )
}

type RowProps = ProjectIds & { place: Place; small: boolean; /** A page within it is open. */ isHere: boolean }

/** Drawn again only when it changes: every page that is opened draws the rail. */
const Row = memo(function Row({ place, small, isHere, ...ids }: RowProps) {
  return (
    <Link
      {...place.link(ids)}
      activeOptions={{ includeSearch: false }}
      aria-current={isHere ? 'page' : undefined}
      className={clsx(row, small ? 'h-7! text-sm' : '')}
    >
      {small ? null : <place.icon size={15} aria-hidden />}
      {place.label}
      {place.counts ? <Count states={place.counts} /> : null}
      {place.countsMine ? <WaitingForMe /> : null}
      {place.countsUnread ? <Unread /> : null}
    </Link>
  )
})

/** Asked for only once it's known that the person sees posts: places are shown before that. */
function usePostStatistics() {
  const enabled = useMay([['post', 'view']]) === 'yes'
  return useCall(postStatistics, { params: useProjectIds(), query: {} }, { handles: true, enabled })
}

function Count({ states }: { states: NonNullable<Place['counts']> }) {
  const statistics = usePostStatistics()
  const sum = states.reduce((total, state) => total + (statistics.data?.total[state] ?? 0), 0)
  return sum > 0 ? <span className="tnum ml-auto text-xs text-ink-faint">{sum}</span> : null
}

/** Posts that need this person's approval; asked for only while anything waits at all. */
function WaitingForMe() {
  const ids = useProjectIds()
  const statistics = usePostStatistics()
  const mine = useCall(
    approvalsOfMe,
    { params: ids, query: { limit: 1 } },
    { handles: true, enabled: (statistics.data?.total.NEEDS_APPROVAL ?? 0) > 0 },
  )
  const sum = statistics.data?.total.NEEDS_APPROVAL ? (mine.data?.pagination.totalCount ?? 0) : 0
  if (sum === 0) return null
  return (
    <Badge tone="wait" className="ml-auto">
      {sum}
    </Badge>
  )
}

/** Open conversations with something that this person hasn't seen. */
function Unread() {
  const unread = useUnread()
  if (unread === 0) return null
  return (
    <Badge tone="accent" className="tnum ml-auto">
      {unreadText(unread)}
      <span className="sr-only"> unread</span>
    </Badge>
  )
}
/** More than so many unread conversations are as many. */
const MOST = 999

/** A number of unread conversations, in the rail and in the tab's title. */
export const unreadText = (unread: number): string => (unread > MOST ? `${MOST}+` : `${unread}`)

/** How many open conversations hold something that this person hasn't seen; 0 until that is known. */
export function useUnread(): number {
  const enabled = useMay([['inbox', 'view']]) === 'yes'
  return useCall(inboxCounts, { params: useProjectIds() }, { handles: true, enabled }).data?.unread ?? 0
}

/** Which places the person may see; until the answer is there all but those of admins, since most people may. */
export function useVisible(): (place: Place) => boolean {
  const answer = useCall(myPermissions, { params: useProjectIds() })
  const permissions = answer.data?.project
  return ({ needs, orgAdmins }) => {
    if (orgAdmins) return answer.data?.isOrgAdmin === true
    return !needs || !permissions || needs.every((needed) => allows(permissions, ...needed))
  }
}
