import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { allChannels } from '#contract/channels.ts'
import { postStatistics } from '#contract/posts.ts'
import { ConnectedAccounts } from '#web/features/dashboard/ConnectedAccounts.tsx'
import { ContentStatus } from '#web/features/dashboard/ContentStatus.tsx'
import { NeedsYou } from '#web/features/dashboard/NeedsYou.tsx'
import { SetupCard } from '#web/features/dashboard/SetupCard.tsx'
import { Upcoming } from '#web/features/dashboard/Upcoming.tsx'
import { AiDrafts } from '#web/features/posts/AiDrafts.tsx'
import { useMay } from '#web/lib/permissions.ts'
import { useHome, useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'

const route = getRouteApi('/$orgId/project/$projectId/dashboard')

export default function DashboardScreen() {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const { range = 'seven' } = route.useSearch()
  const navigate = useNavigate({ from: '/$orgId/project/$projectId/dashboard' })
  const channels = useCall(allChannels, { params: ids }, { handles: true })
  const mayConnect = useMay([['channel', 'create']]) === 'yes'
  const mayCreate = useMay([['post', 'create']]) === 'yes'

  return (
    <Page title="Dashboard">
      <div className="grid max-w-300 gap-x-6 gap-y-7 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="grid min-w-0 content-start gap-7">
          <NeedsYou ids={ids} zone={zone} channels={channels.data?.channels ?? []} mayConnect={mayConnect} />
          <ContentStatus ids={ids} zone={zone} range={range} onRange={(next) => void navigate({ search: (before) => ({ ...before, range: next }), replace: true })}>
            <AiDrafts ids={ids} />
          </ContentStatus>
          <Upcoming ids={ids} zone={zone} mayCreate={mayCreate} />
        </div>
        <div className="grid min-w-0 content-start gap-7">
          {mayCreate ? <Setup channels={channels.data?.channels.length} mayConnect={mayConnect} /> : null}
          <Loaded query={channels} skeleton={<SkeletonRows rows={3} />}>
            {(data) => <ConnectedAccounts ids={ids} channels={data.channels} mayConnect={mayConnect} />}
          </Loaded>
        </div>
      </div>
    </Page>
  )
}

/** The setup card, once everything that ticks its steps is known. Nothing when it was put away or cannot be read. */
function Setup({ channels, mayConnect }: { channels: number | undefined; mayConnect: boolean }) {
  const ids = useProjectIds()
  const user = useHome().data?.user
  const statistics = useCall(postStatistics, { params: ids, query: {} }, { handles: true })
  if (!user || user.setupProgress.isCompleted || channels === undefined || !statistics.data) return null
  const { DRAFTS = 0, ...others } = statistics.data.total
  const planned = Object.values(others).reduce((sum, count) => sum + count, 0)
  return <SetupCard ids={ids} mayConnect={mayConnect} facts={{ channels, posts: planned + DRAFTS, scheduledOrSent: planned }} />
}
