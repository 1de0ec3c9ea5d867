import type { LucideIcon } from 'lucide-react'
import Bell from 'lucide-react/icons/bell'
import ChartLine from 'lucide-react/icons/chart-line'
import Building2 from 'lucide-react/icons/building-2'
import CalendarDays from 'lucide-react/icons/calendar-days'
import FileChartColumn from 'lucide-react/icons/file-chart-column'
import FilePen from 'lucide-react/icons/file-pen'
import House from 'lucide-react/icons/house'
import Images from 'lucide-react/icons/images'
import Inbox from 'lucide-react/icons/inbox'
import ListChecks from 'lucide-react/icons/list-checks'
import ListOrdered from 'lucide-react/icons/list-ordered'
import Megaphone from 'lucide-react/icons/megaphone'
import MessagesSquare from 'lucide-react/icons/messages-square'
import MessageSquareQuote from 'lucide-react/icons/message-square-quote'
import Newspaper from 'lucide-react/icons/newspaper'
import RadioTower from 'lucide-react/icons/radio-tower'
import Settings from 'lucide-react/icons/settings-2'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Stamp from 'lucide-react/icons/stamp'
import Users from 'lucide-react/icons/users'
import type { PostState } from '#contract/postStates.ts'
import type { Action, Resource } from '#contract/permissions.ts'
import type { ProjectIds } from '#web/lib/project.ts'

/** The pages that the shell itself leads to; `tab` only means something to lists of posts. */
type PlaceLink = {
  to: `/$orgId/project/$projectId/${'insights/$' | 'dashboard' | 'calendar' | 'posts/$tab' | 'inbox' | 'discussions' | 'canned-responses' | 'campaigns' | 'assets' | 'channels' | 'users' | 'roles' | 'queues' | 'workflows' | 'notices' | 'org-settings'}`
  params: ProjectIds & { tab: string; _splat: string }
}

export type Place = {
  key: string
  label: string
  icon: LucideIcon
  /** Two keys that lead there. */
  keys: string
  link: (ids: ProjectIds) => PlaceLink
  /** Other lists of posts that belong to it: it stays marked while one of them is open. */
  alsoTabs?: readonly string[]
  /** Needed to see it at all, each of them. */
  needs?: readonly (readonly [Resource, Action])[]
  /** Only admins of the organization see it. */
  orgAdmins?: true
  /** Statuses whose posts are counted next to it. */
  counts?: readonly PostState[]
  /** Posts that wait for this person are counted next to it. */
  countsMine?: boolean
  /** Unread conversations are counted next to it. */
  countsUnread?: boolean
}
export type Area = Place | { key: string; label: string; icon: LucideIcon; places: readonly Place[] }

const calendar: Place = {
  key: 'calendar',
  label: 'Calendar',
  icon: CalendarDays,
  keys: 'g c',
  link: (ids) => linkTo('/$orgId/project/$projectId/calendar', ids),
  needs: [['post', 'view']],
}
const posts: Place = {
  key: 'posts',
  label: 'Posts',
  icon: Newspaper,
  keys: 'g p',
  link: (ids) => linkTo('/$orgId/project/$projectId/posts/$tab', ids, 'posts'),
  alsoTabs: [
    'published',
    'scheduled',
    'approved',
    'sent-for-approvals',
    'all-approvals',
    'rejected',
    'failed',
    'deleted',
    'bulk-schedule',
    'link-in-bio',
  ],
  needs: [['post', 'view']],
}
const drafts: Place = {
  key: 'drafts',
  label: 'Drafts',
  icon: FilePen,
  keys: 'g f',
  link: (ids) => linkTo('/$orgId/project/$projectId/posts/$tab', ids, 'draft'),
  needs: [['post', 'view']],
  counts: ['DRAFTS'],
}
const approvals: Place = {
  key: 'approvals',
  label: 'Approvals',
  icon: Stamp,
  keys: 'g a',
  link: (ids) => linkTo('/$orgId/project/$projectId/posts/$tab', ids, 'pending-approvals'),
  needs: [
    ['workflow', 'approve'],
    ['post', 'view'],
  ],
  countsMine: true,
}
const inbox: Place = {
  key: 'inbox',
  label: 'Inbox',
  icon: Inbox,
  keys: 'g i',
  link: (ids) => linkTo('/$orgId/project/$projectId/inbox', ids),
  needs: [['inbox', 'view']],
  countsUnread: true,
}
const discussions: Place = {
  key: 'discussions',
  label: 'Discussions',
  icon: MessagesSquare,
  keys: 'g t',
  link: (ids) => linkTo('/$orgId/project/$projectId/discussions', ids),
  needs: [['note', 'view']],
}
const cannedResponses: Place = {
  key: 'canned-responses',
  label: 'Canned responses',
  icon: MessageSquareQuote,
  keys: 'g e',
  link: (ids) => linkTo('/$orgId/project/$projectId/canned-responses', ids),
  needs: [['canned_response', 'view']],
}
const insights: Place = {
  key: 'insights',
  label: 'Insights',
  icon: ChartLine,
  keys: 'g y',
  link: (ids) => linkTo('/$orgId/project/$projectId/insights/$', ids),
  needs: [['insights', 'view']],
}
/** A section of the insights, which people look for by its name. */
export const reports = {
  label: 'Reports',
  icon: FileChartColumn,
  link: (ids: ProjectIds): PlaceLink => ({
    to: '/$orgId/project/$projectId/insights/$',
    params: { ...ids, tab: '', _splat: 'report-builder' },
  }),
  belongsTo: insights,
}
const campaigns: Place = {
  key: 'campaigns',
  label: 'Campaigns',
  icon: Megaphone,
  keys: 'g m',
  link: (ids) => linkTo('/$orgId/project/$projectId/campaigns', ids),
  needs: [['campaign', 'view']],
}
const assets: Place = {
  key: 'assets',
  label: 'Assets',
  icon: Images,
  keys: 'g s',
  link: (ids) => linkTo('/$orgId/project/$projectId/assets', ids),
  needs: [['asset_library', 'view']],
}
const dashboard: Place = {
  key: 'dashboard',
  label: 'Dashboard',
  icon: House,
  keys: 'g d',
  link: (ids) => linkTo('/$orgId/project/$projectId/dashboard', ids),
}
const channels: Place = {
  key: 'channels',
  label: 'Channels',
  icon: RadioTower,
  keys: 'g h',
  link: (ids) => linkTo('/$orgId/project/$projectId/channels', ids),
  needs: [['channel', 'view']],
}

/** The bell leads there; it is no area of the rail. */
const notices: Place = {
  key: 'notices',
  label: 'Notifications',
  icon: Bell,
  keys: 'g n',
  link: (ids) => linkTo('/$orgId/project/$projectId/notices', ids),
}

const users: Place = {
  key: 'users',
  label: 'Users',
  icon: Users,
  keys: 'g u',
  link: (ids) => linkTo('/$orgId/project/$projectId/users', ids),
  needs: [['user', 'view']],
}
const roles: Place = {
  key: 'roles',
  label: 'Roles',
  icon: ShieldCheck,
  keys: 'g r',
  link: (ids) => linkTo('/$orgId/project/$projectId/roles', ids),
  needs: [['role', 'view']],
}

const queues: Place = {
  key: 'queues',
  label: 'Queues',
  icon: ListOrdered,
  keys: 'g q',
  link: (ids) => linkTo('/$orgId/project/$projectId/queues', ids),
  needs: [['queue', 'view']],
}

const workflows: Place = {
  key: 'workflows',
  label: 'Workflows',
  icon: ListChecks,
  keys: 'g w',
  link: (ids) => linkTo('/$orgId/project/$projectId/workflows', ids),
  needs: [['workflow', 'view']],
}

const orgSettings: Place = {
  key: 'org-settings',
  label: 'Organization',
  icon: Building2,
  keys: 'g o',
  link: (ids) => linkTo('/$orgId/project/$projectId/org-settings', ids),
  orgAdmins: true,
}

/** The rail, from top to bottom: only what exists. A later area is a row here. */
export const areas: readonly Area[] = [
  dashboard,
  { key: 'publish', label: 'Publish', icon: CalendarDays, places: [calendar, posts, drafts, approvals] },
  inbox,
  discussions,
  insights,
  campaigns,
  assets,
  channels,
  {
    key: 'settings',
    label: 'Settings',
    icon: Settings,
    places: [queues, cannedResponses, workflows, users, roles, orgSettings],
  },
]

/** The phone's bottom tabs around Create; the rest is under More. */
export const phonePlaces = { before: [{ ...dashboard, label: 'Home' }, calendar], after: [inbox] } as const
export const morePlaces: readonly Place[] = [
  posts,
  drafts,
  approvals,
  discussions,
  insights,
  campaigns,
  assets,
  channels,
  queues,
  cannedResponses,
  workflows,
  notices,
  users,
  roles,
  orgSettings,
]

/** Whether the place stays marked although another list of its kind, or another of its sections, is open. */
export function isWithin(
  place: Place,
  { tab, _splat, reportId }: { tab?: string; _splat?: string; reportId?: string },
): boolean {
  if (tab !== undefined && place.alsoTabs?.includes(tab) === true) return true
  return place === insights && (_splat !== undefined || reportId !== undefined)
}

export const allPlaces: readonly Place[] = [
  ...areas.flatMap((area) => ('places' in area ? area.places : [area])),
  notices,
]

function linkTo(to: PlaceLink['to'], ids: ProjectIds, tab = ''): PlaceLink {
  return { to, params: { ...ids, tab, _splat: 'insights' } }
}
