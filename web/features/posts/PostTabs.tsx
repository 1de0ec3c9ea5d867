import { Link, useParams } from '@tanstack/react-router'
import { countCampaigns } from '#contract/campaigns.ts'
import { postStatistics } from '#contract/postLists.ts'
import type { PostState } from '#contract/postStates.ts'
import { approvalsOfMe, approvalsSent } from '#contract/approvalLists.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { SideScroll } from '#web/ui/SideScroll.tsx'
import { postTabs, type PostTab } from './tabs.ts'

const look =
  '-mb-px flex h-9 shrink-0 items-center gap-1.5 rounded-t-md border-b-2 border-transparent px-1.5 text-sm font-semibold whitespace-nowrap text-ink-muted hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-ink'

/**
 * Lists of what waits for someone. Only these have counts: others would need no action, and the row would be wider than
 * a laptop.
 */
const WAITING: ReadonlySet<PostTab['tab']> = new Set([
  'draft',
  'scheduled',
  'pending-approvals',
  'sent-for-approvals',
  'all-approvals',
  'rejected',
  'failed',
])

/** The lists side by side, each with its own URL. */
export function PostTabs() {
  const ids = useProjectIds()
  const statistics = useCall(postStatistics, { params: ids })
  const waiting = { enabled: (statistics.data?.total.NEEDS_APPROVAL ?? 0) > 0, handles: true } as const
  const me = useCall(approvalsOfMe, { params: ids, query: { limit: 1 } }, waiting)
  const sent = useCall(approvalsSent, { params: ids, query: { limit: 1 } }, waiting)
  const countOf = ({ states, ...tab }: PostTab) => {
    if (!('own' in tab) || tab.own === 'drafts' || tab.own === 'all') return sumOf(states)
    return (tab.own === 'me' ? me : sent).data?.pagination.totalCount ?? 0
  }
  const sumOf = (states: readonly PostState[]) =>
    states.reduce((sum, state) => sum + (statistics.data?.total[state] ?? 0), 0)
  const campaigns = useCall(
    countCampaigns,
    { params: ids },
    { handles: true, enabled: useMay([['campaign', 'view']]) === 'yes' },
  )
  const mayCreate = useMay([['post', 'create']]) === 'yes'
  const mayApprove = useMay([['workflow', 'approve']]) !== 'no'
  const maySend = useMay([
    ['post', 'needs_approval'],
    ['post', 'publish'],
  ])
  const { tab: open } = useParams({ strict: false })
  // lists that are always empty for this person are left out
  const shown = postTabs.filter(
    ({ tab }) =>
      tab === open || (tab === 'pending-approvals' ? mayApprove : tab !== 'sent-for-approvals' || maySend !== 'no'),
  )
  return (
    <nav aria-label="Post lists" className="min-w-0">
      <SideScroll className="border-b border-line">
        {shown.map((one) => (
          <Link
            key={one.tab}
            to="/$orgId/project/$projectId/posts/$tab"
            params={{ ...ids, tab: one.tab }}
            className={look}
            activeProps={{ 'aria-current': 'page' }}
            activeOptions={{ includeSearch: false }}
          >
            {one.label}
            {statistics.data && WAITING.has(one.tab) ? <Count>{countOf(one)}</Count> : null}
          </Link>
        ))}
        {campaigns.data ? (
          <Link
            to="/$orgId/project/$projectId/campaigns"
            params={ids}
            className={look}
            activeProps={{ 'aria-current': 'page' }}
            activeOptions={{ includeSearch: false }}
          >
            Campaigns
          </Link>
        ) : null}
        {mayCreate ? (
          <Link
            to="/$orgId/project/$projectId/posts/$tab"
            params={{ ...ids, tab: 'bulk-schedule' }}
            className={look}
            activeProps={{ 'aria-current': 'page' }}
            activeOptions={{ includeSearch: false }}
          >
            Bulk Schedule
          </Link>
        ) : null}
        <Link
          to="/$orgId/project/$projectId/posts/$tab"
          params={{ ...ids, tab: 'link-in-bio' }}
          className={look}
          activeProps={{ 'aria-current': 'page' }}
          activeOptions={{ includeSearch: false }}
        >
          Link in Bio
        </Link>
        <Link to="/$orgId/project/$projectId/calendar" params={ids} className={look}>
          Calendar
        </Link>
      </SideScroll>
    </nav>
  )
}

function Count({ children }: { children: number }) {
  // zeros would only make the row wider
  return children === 0 ? null : (
    <span className="tnum text-xs font-medium text-ink-muted">{children.toLocaleString('en')}</span>
  )
}
