import { Link, useParams } from '@tanstack/react-router'
import Menu from 'lucide-react/icons/menu'
import Plus from 'lucide-react/icons/plus'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { isWithin, phonePlaces, type Place } from './areas.ts'
import { useUnread, useVisible } from './Rail.tsx'
import { shell } from './shellState.ts'

const tab =
  'grid h-14 min-w-0 place-items-center content-center gap-0.5 text-xs font-semibold text-ink-muted focus-visible:-outline-offset-2 aria-[current=page]:text-accent'

/** On a phone: Home, Calendar, Create for roles that may, Posts, More. */
export function PhoneTabs() {
  const ids = useProjectIds()
  const mayCreate = useMay([['post', 'create']])
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 grid auto-cols-fr grid-flow-col border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {phonePlaces.before.map((place) => (
        <Tab key={place.key} place={place} />
      ))}
      {mayCreate === 'no' ? null : (
        <Link
          to="/$orgId/project/$projectId/compose"
          params={ids}
          activeOptions={{ includeSearch: false }}
          className={tab}
        >
          <Plus size={19} aria-hidden />
          Create
        </Link>
      )}
      {phonePlaces.after.map((place) => (
        <Tab key={place.key} place={place} />
      ))}
      <button type="button" onClick={() => shell.open('more')} className={tab}>
        <Menu size={19} aria-hidden />
        More
      </button>
    </nav>
  )
}

function Tab({ place }: { place: Place }) {
  const ids = useProjectIds()
  const here = useParams({ strict: false })
  if (!useVisible()(place)) return null
  return (
    <Link
      {...place.link(ids)}
      activeOptions={{ includeSearch: false }}
      aria-current={isWithin(place, here) ? 'page' : undefined}
      className={tab}
    >
      <span className="relative">
        <place.icon size={19} aria-hidden />
        {place.countsUnread ? <UnreadMark /> : null}
      </span>
      {place.label}
    </Link>
  )
}

function UnreadMark() {
  const unread = useUnread()
  if (unread === 0) return null
  return (
    <span className="absolute -top-0.5 -right-1 size-2 rounded-full bg-accent ring-2 ring-surface">
      <span className="sr-only">{unread} unread </span>
    </span>
  )
}
