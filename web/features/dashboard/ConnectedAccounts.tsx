import type { Channel } from '#contract/channels.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { ButtonLink, Link } from '#web/ui/Link.tsx'
import { Panel, paperClass } from './Panel.tsx'

const SHOWN = 6

/** The project's accounts, how each stands and what is planned for it. */
export function ConnectedAccounts({ ids, channels, mayConnect }: { ids: ProjectIds; channels: readonly Channel[]; mayConnect: boolean }) {
  return (
    <Panel
      title="Connected Accounts"
      aside={
        <Link to="/$orgId/project/$projectId/channels" params={ids}>
          {channels.length > SHOWN ? `See all ${channels.length}` : mayConnect ? 'Manage' : 'See all'}
        </Link>
      }
    >
      <div className={paperClass}>
        {channels.length === 0 ? (
          <p className="px-3 py-3 text-ink-muted">No accounts yet.</p>
        ) : (
          <ul className="divide-y divide-line">
            {channels.slice(0, SHOWN).map((channel) => (
              <li key={channel.channelId} className="flex items-center gap-3 px-3 py-2.5">
                <Avatar name={channel.channelName} src={channel.profileUrl} platform={channel.platformName} size={28} />
                <span className="grid min-w-0 grow">
                  <span className="truncate font-medium">{channel.channelName}</span>
                  <span className="tnum truncate text-sm text-ink-muted">
                                        {channel.scheduledPosts > 0 ? `${count(channel.scheduledPosts, 'post')} scheduled` : 'Nothing scheduled'}
                    {channel.simulated ? ' · simulated' : ''}
                  </span>
                </span>
                <Health channel={channel} />
              </li>
            ))}
          </ul>
        )}
        {mayConnect ? (
          <div className="border-t border-line p-2.5">
            <ButtonLink to="/$orgId/project/$projectId/channels" params={ids} search={{ connect: 'list' }} className="w-full">
              Connect Social Profile
            </ButtonLink>
          </div>
        ) : null}
      </div>
    </Panel>
  )
}

/** A mark only where something is to be known; a healthy account needs none. */
function Health({ channel }: { channel: Channel }) {
  if (!channel.enabled) return <Badge>Disabled</Badge>
  return channel.status === 'CONNECTED' ? null : <Badge tone="bad">{channel.status === 'TOKEN_EXPIRED' ? 'Token expired' : 'Disconnected'}</Badge>
}
