import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { allChannels } from '#contract/channels.ts'
import { dashboardPostStatus, type RangeType } from '#contract/dashboard.ts'
import { BrandEngagement } from '#web/features/dashboard/BrandEngagement.tsx'
import { ConnectedAccounts } from '#web/features/dashboard/ConnectedAccounts.tsx'
import { ConnectProfile } from '#web/features/dashboard/ConnectProfile.tsx'
import { ContentStatus } from '#web/features/dashboard/ContentStatus.tsx'
import { Inbox } from '#web/features/dashboard/Inbox.tsx'
import { NeedsYou } from '#web/features/dashboard/NeedsYou.tsx'
import { PublishingBehavior } from '#web/features/dashboard/PublishingBehavior.tsx'
import { rangeOptions } from '#web/features/dashboard/ranges.ts'
import { SetupCard } from '#web/features/dashboard/SetupCard.tsx'
import type { ShownStatus } from '#web/features/dashboard/statusTiles.ts'
import { AiDrafts } from '#web/features/posts/AiDrafts.tsx'
import { useMay } from '#web/lib/permissions.ts'
import { useHome, useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Page } from '#web/ui/Page.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { useIsPhone } from '#web/ui/useMedia.ts'

const route = getRouteApi('/$orgId/project/$projectId/dashboard')

export default function DashboardScreen() {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const { range = 'seven', show = 'scheduled' } = route.useSearch()
  const navigate = useNavigate({ from: '/$orgId/project/$projectId/dashboard' })
  const choose = (next: RangeType) => void navigate({ search: (before) => ({ ...before, range: next }), replace: true })
  const showPosts = (next: ShownStatus) =>
    void navigate({
      search: (before) => ({ ...before, show: next === 'scheduled' ? undefined : next }),
      replace: true,
      resetScroll: false,
    })
  const channels = useCall(allChannels, { params: ids }, { handles: true })
  const isNew = channels.data?.channels.length === 0
  const mayConnect = useMay([['channel', 'create']]) === 'yes'
  const mayCreate = useMay([['post', 'create']]) === 'yes'
  const maySeeInbox = useMay([['inbox', 'view']]) === 'yes'
  const maySeeInsights = useMay([['insights', 'view']]) === 'yes'
  const isPhone = useIsPhone()
  const ranges = <Segmented label="Range" options={rangeOptions} value={range} onChange={choose} />

  return (
    <Page title="Dashboard" controls={isPhone ? null : ranges} bar={isPhone ? ranges : null}>
      <div className="grid max-w-300 gap-x-6 gap-y-7 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="grid min-w-0 content-start gap-7">
          {isNew && mayConnect ? <ConnectProfile ids={ids} first /> : null}
          <NeedsYou ids={ids} zone={zone} channels={channels.data?.channels ?? []} mayConnect={mayConnect} />
          <ContentStatus ids={ids} zone={zone} range={range} shown={show} onShow={showPosts} mayCreate={mayCreate}>
            {show === 'draft' ? null : <AiDrafts ids={ids} />}
          </ContentStatus>
          {maySeeInsights ? (
            <BrandEngagement ids={ids} zone={zone} range={range} onRange={choose} mayCreate={mayCreate} />
          ) : null}
          {maySeeInbox ? <Inbox ids={ids} zone={zone} range={range} /> : null}
          <PublishingBehavior ids={ids} zone={zone} range={range} mayCreate={mayCreate} />
        </div>
        <div className="grid min-w-0 content-start gap-7">
          {mayCreate ? <Setup range={range} /> : null}
          <ConnectedAccounts ids={ids} mayConnect={mayConnect} />
          {mayConnect && !isNew && !channels.isPending ? <ConnectProfile ids={ids} /> : null}
        </div>
      </div>
    </Page>
  )
}

/** The setup card, for whoever may make something here; looking around needs no guide. */
function Setup({ range }: { range: RangeType }) {
  const ids = useProjectIds()
  const user = useHome().data?.user
  const maySeeInsights = useMay([['insights', 'view']]) === 'yes'
  const mayAdd = useMay([['user', 'add']]) === 'yes'
  const maySeeWorkflows = useMay([['workflow', 'view']]) === 'yes'
  // the figures of Content Status, read once for both
  const status = useCall(
    dashboardPostStatus,
    { params: ids, query: { rangeType: range } },
    { keepPrevious: true, handles: true },
  )
  if (!user || !status.data) return null
  const hasPosts = status.data.counts.length + status.data.standing.length > 0
  return (
    <SetupCard
      ids={ids}
      progress={user.setupProgress}
      hasPosts={hasPosts}
      may={{
        START_COMPOSING: true,
        CALENDAR_VIEW: true,
        EXPLORE_ANALYTICS: maySeeInsights,
        ADD_NEW_MEMBER: mayAdd,
        EXPLORE_WORKFLOW: maySeeWorkflows,
      }}
    />
  )
}
