import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { countCampaigns } from '#contract/campaigns.ts'
import { postStatistics } from '#contract/posts.ts'
import type { PostState } from '#contract/postStates.ts'
import { approvalsOfMe, approvalsSent } from '#contract/workflows.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { postTabs, type PostTab } from './tabs.ts'

const look =
  '-mb-px flex h-9 shrink-0 items-center gap-1.5 rounded-t-md border-b-2 border-transparent px-2 font-semibold whitespace-nowrap text-ink-muted hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-ink'

/** The lists side by side, each with its own address and how many posts it holds. */
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
  const sumOf = (states: readonly PostState[]) => states.reduce((sum, state) => sum + (statistics.data?.total[state] ?? 0), 0)
  const tabs = useRef<HTMLElement>(null)
  const { tab: here = 'campaigns' } = useParams({ strict: false })
  const campaigns = useCall(countCampaigns, { params: ids }, { handles: true, enabled: useMay([['campaign', 'view']]) === 'yes' })
  const mayCreate = useMay([['post', 'create']]) === 'yes'
  const counted = statistics.data !== undefined
  // on a phone the row is wider than the screen, and the counts make it wider still
  useEffect(() => {
    if (!counted) return
    const chosen = tabs.current?.querySelector<HTMLElement>(`[data-tab="${here}"]`)
    if (chosen) tabs.current?.scrollTo({ left: chosen.offsetLeft - 48 })
  }, [here, counted])
  return (
    <nav ref={tabs} aria-label="Lists of posts" className="relative flex min-w-0 gap-0.5 overflow-x-auto border-b border-line">
      {postTabs.map((one) => (
        <Link key={one.tab} data-tab={one.tab} to="/$orgId/project/$projectId/posts/$tab" params={{ ...ids, tab: one.tab }} className={look} activeProps={{ 'aria-current': 'page' }} activeOptions={{ includeSearch: false }}>
          {one.label}
          {statistics.data ? <Count>{countOf(one)}</Count> : null}
        </Link>
      ))}
      {campaigns.data ? (
        <Link data-tab="campaigns" to="/$orgId/project/$projectId/campaigns" params={ids} className={look} activeProps={{ 'aria-current': 'page' }} activeOptions={{ includeSearch: false }}>
          Campaigns
          <Count>{campaigns.data.all}</Count>
        </Link>
      ) : null}
      {mayCreate ? (
        <Link data-tab="bulk-schedule" to="/$orgId/project/$projectId/posts/$tab" params={{ ...ids, tab: 'bulk-schedule' }} className={look} activeProps={{ 'aria-current': 'page' }} activeOptions={{ includeSearch: false }}>
          Bulk Schedule
        </Link>
      ) : null}
      <Link to="/$orgId/project/$projectId/calendar" params={ids} className={look}>
        Calendar
      </Link>
    </nav>
  )
}

function Count({ children }: { children: number }) {
  // zeros would only make the row wider
  return children === 0 ? null : <span className="tnum text-xs font-medium text-ink-muted">{children.toLocaleString('en')}</span>
}
