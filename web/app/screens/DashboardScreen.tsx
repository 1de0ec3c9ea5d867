import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { allChannels } from '#contract/channels.ts'
import type { RangeType } from '#contract/dashboard.ts'
import { plan } from '#contract/organizations.ts'
import { useAttention } from '#web/features/dashboard/attention.ts'
import { BrandEngagement, useEngagement } from '#web/features/dashboard/BrandEngagement.tsx'
import { ConnectedAccounts, useAccounts } from '#web/features/dashboard/ConnectedAccounts.tsx'
import { ConnectProfile } from '#web/features/dashboard/ConnectProfile.tsx'
import { ContentStatus, useStatus } from '#web/features/dashboard/ContentStatus.tsx'
import { Inbox, useInboxStats } from '#web/features/dashboard/Inbox.tsx'
import { Drafts } from '#web/features/dashboard/Drafts.tsx'
import { InOrder, type Section } from '#web/features/dashboard/InOrder.tsx'
import { PublishingBehavior, usePostChart } from '#web/features/dashboard/PublishingBehavior.tsx'
import { rangeOptions } from '#web/features/dashboard/ranges.ts'
import { SetupCard } from '#web/features/dashboard/SetupCard.tsx'
import { useStatusPosts } from '#web/features/dashboard/StatusPosts.tsx'
import type { ShownStatus } from '#web/features/dashboard/statusTiles.ts'
import { AiDrafts, useAiDrafts } from '#web/features/posts/AiDrafts.tsx'
import { useMay } from '#web/lib/permissions.ts'
import { useHome, useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Page } from '#web/ui/Page.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { useIsPhone, useMedia } from '#web/ui/useMedia.ts'

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
  const rights = useMay([['channel', 'create']])
  const mayConnect = rights === 'yes'
  const mayCreate = useMay([['post', 'create']]) === 'yes'
  // without a channel, connecting one comes first
  const asksForPost = mayCreate && !isNew
  const maySeePosts = useMay([['post', 'view']]) === 'yes'
  const maySeeInbox = useMay([['inbox', 'view']]) === 'yes'
  const maySeeInsights = useMay([['insights', 'view']]) === 'yes'
  const isPhone = useIsPhone()
  const hasTwoColumns = useMedia('(min-width: 1024px)')
  const ranges = <Segmented label="Range" options={rangeOptions} value={range} onChange={choose} />

  // all of them load together; their data decides how high each section is
  const home = useHome()
  const planLine = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true })
  const {
    NeedsYou,
    isPending: isAttentionOpen,
    ...attention
  } = useAttention(ids, channels.data?.channels ?? [], {
    enabled: maySeePosts,
  })
  const status = useStatus(ids, range, { enabled: maySeePosts })
  const held = [...(status.data?.counts ?? []), ...(status.data?.standing ?? [])].map((one) => one.status)
  // nothing has happened in this project, so that every figure would be a zero
  const isBlank = isNew && held.every((state) => state === 'DRAFTS')
  const posts = useStatusPosts(ids, isBlank ? 'draft' : show, { enabled: maySeePosts })
  const aiDrafts = useAiDrafts(ids, { enabled: maySeePosts && show !== 'draft' })
  const engagement = useEngagement(ids, range, { enabled: maySeeInsights })
  const inbox = useInboxStats(ids, range, { enabled: maySeeInbox })
  const chart = usePostChart(ids, range, { enabled: maySeePosts })
  const accounts = useAccounts(ids)
  const isFrameOpen = rights === 'loading' || home.isPending || planLine.isPending || channels.isPending
  const first: Section[] = [
    {
      key: 'connect',
      isPending: isFrameOpen,
      shows: isNew && mayConnect ? <ConnectProfile ids={ids} first={{ mayWrite: mayCreate }} /> : null,
    },
    {
      key: 'attention',
      isPending: isAttentionOpen,
      shows: NeedsYou ? <NeedsYou {...attention} ids={ids} zone={zone} mayConnect={mayConnect} /> : null,
    },
    {
      key: 'status',
      isPending: maySeePosts && (status.isPending || posts.isPending || (show !== 'draft' && aiDrafts.isPending)),
      shows: !maySeePosts ? null : isBlank ? (
        held.length > 0 ? (
          <Drafts ids={ids} zone={zone} />
        ) : null
      ) : (
        <ContentStatus ids={ids} zone={zone} range={range} shown={show} onShow={showPosts} mayCreate={asksForPost}>
          {show === 'draft' ? null : <AiDrafts ids={ids} />}
        </ContentStatus>
      ),
    },
    {
      key: 'engagement',
      isPending: maySeeInsights && engagement.isPending,
      shows:
        maySeeInsights && !isBlank ? (
          <BrandEngagement ids={ids} zone={zone} range={range} onRange={choose} mayCreate={asksForPost} />
        ) : null,
    },
    {
      key: 'inbox',
      isPending: maySeeInbox && inbox.isPending,
      shows: maySeeInbox && !isBlank ? <Inbox ids={ids} zone={zone} range={range} /> : null,
    },
    {
      key: 'publishing',
      isPending: maySeePosts && chart.isPending,
      shows:
        maySeePosts && !isBlank ? (
          <PublishingBehavior ids={ids} zone={zone} range={range} mayCreate={asksForPost} />
        ) : null,
    },
  ]
  const second: Section[] = [
    {
      key: 'setup',
      isPending: isFrameOpen || (maySeePosts && status.isPending),
      shows: mayCreate ? <Setup range={range} hasChannels={!isNew} /> : null,
    },
    {
      key: 'accounts',
      isPending: accounts.isPending,
      shows: isBlank && mayConnect ? null : <ConnectedAccounts ids={ids} mayConnect={mayConnect} />,
    },
    { key: 'more', isPending: false, shows: mayConnect && !isNew ? <ConnectProfile ids={ids} /> : null },
  ]
  const column = 'grid min-w-0 content-start gap-7'

  return (
    <Page title="Dashboard" controls={isPhone || isBlank ? null : ranges} bar={isPhone && !isBlank ? ranges : null}>
      <div className="grid max-w-300 gap-x-6 gap-y-7 lg:grid-cols-[minmax(0,1fr)_320px]">
        {hasTwoColumns ? (
          <>
            <div className={column}>
              <InOrder sections={first} />
            </div>
            <div className={column}>
              <InOrder sections={second} />
            </div>
          </>
        ) : (
          <div className={column}>
            <InOrder sections={[...first, ...second]} />
          </div>
        )}
      </div>
    </Page>
  )
}

/**
 * The setup card, for people who can create something here; viewers need no guide. Without a channel it leaves out what
 * shows nothing yet.
 */
function Setup({ range, hasChannels }: { range: RangeType; hasChannels: boolean }) {
  const ids = useProjectIds()
  const user = useHome().data?.user
  const maySeeInsights = useMay([['insights', 'view']]) === 'yes'
  const maySeeInbox = useMay([['inbox', 'view']]) === 'yes'
  const mayAdd = useMay([['user', 'add']]) === 'yes'
  const maySeeWorkflows = useMay([['workflow', 'view']]) === 'yes'
  // the numbers of Content Status, loaded once for both
  const status = useStatus(ids, range)
  if (!user || !status.data) return null
  const hasPosts = status.data.counts.length + status.data.standing.length > 0
  return (
    <SetupCard
      ids={ids}
      progress={user.setupProgress}
      hasPosts={hasPosts}
      may={{
        START_COMPOSING: hasChannels,
        CALENDAR_VIEW: hasChannels,
        UNIFIED_INBOX: hasChannels && maySeeInbox,
        EXPLORE_ANALYTICS: hasChannels && maySeeInsights,
        ADD_NEW_MEMBER: mayAdd,
        EXPLORE_WORKFLOW: maySeeWorkflows,
      }}
    />
  )
}
