import { dashboardChannels, type DashboardChannel } from '#contract/dashboard.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'

const SHOWN = 6

export const useAccounts = (ids: ProjectIds) =>
  useCall(dashboardChannels, { params: ids, query: { page: 1, limit: SHOWN } }, { handles: true })

/** The project's accounts, with their status and planned posts. */
export function ConnectedAccounts({ ids, mayConnect }: { ids: ProjectIds; mayConnect: boolean }) {
  const found = useAccounts(ids)
  const total = found.data?.pagination.totalCount ?? 0
  return (
    <Panel
      title="Connected Accounts"
      aside={
        <Link to="/$orgId/project/$projectId/channels" params={ids}>
          {total > SHOWN ? `See all ${total}` : mayConnect ? 'Manage' : 'See all'}
        </Link>
      }
    >
      <Loaded
        query={found}
        skeleton={<SkeletonRows rows={3} />}
        isEmpty={({ channels }) => channels.length === 0}
        empty={
          <p className={`${paperClass} px-3 py-3 text-ink-muted`}>
            No accounts yet. {mayConnect ? 'Connect one to start publishing.' : 'Ask a project admin to connect one.'}
          </p>
        }
      >
        {({ channels }) => (
          <ul className={`${paperClass} divide-y divide-line`}>
            {channels.map((channel) => (
              <li key={channel.channelId} className="flex items-center gap-3 px-3 py-2.5">
                <Avatar name={channel.channelName} src={channel.profileUrl} platform={channel.platformName} size={28} />
                <span className="grid min-w-0 grow">
                  <span dir="auto" className="truncate font-medium">
                    {channel.channelName}
                  </span>
                  <span className="tnum truncate text-sm text-ink-muted">
                    {[
                      channel.scheduledPosts !== null
                        ? channel.scheduledPosts > 0
                          ? `${count(channel.scheduledPosts, 'post')} scheduled`
                          : 'Nothing scheduled'
                        : platformName(channel.platformName),
                      channel.simulated ? 'simulated' : '',
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
                <Health channel={channel} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  )
}

/** A badge only if something needs attention; a healthy account has none. */
function Health({ channel }: { channel: DashboardChannel }) {
  if (!channel.enabled) return <Badge>Disabled</Badge>
  return channel.status === 'CONNECTED' ? null : (
    <Badge tone="bad">{channel.status === 'TOKEN_EXPIRED' ? 'Token expired' : 'Disconnected'}</Badge>
  )
}
