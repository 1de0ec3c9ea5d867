import type { Channel } from '#contract/channels.ts'
import { SCHEDULE } from '#contract/constants.ts'
import { useHome } from '#web/lib/project.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { useComposer } from './ComposerContext.ts'

type Props = { limit: number; channels: readonly Pick<Channel, 'channelId' | 'channelName' | 'handle'>[] }

/** A channel can't take more scheduled posts: who can change that. */
export function CapWarning({ limit, channels }: Props) {
  const { ids } = useComposer()
  const canUpgrade = limit === SCHEDULE.cap.limited
  const organization = useHome().data?.organizations.find(({ orgId }) => orgId === ids.orgId)
  return (
    <Banner
      tone="wait"
      live
      title={`You've reached the limit of ${limit} scheduled posts for the following accounts.${canUpgrade ? ' Upgrade your plan to schedule more posts' : ''}`}
      actions={
        canUpgrade && organization?.isOrgAdmin ? (
          <ButtonLink
            size="s"
            tone="primary"
            to="/$orgId/project/$projectId/org-settings"
            params={ids}
            search={{ tab: 'billing' }}
          >
            Upgrade plan
          </ButtonLink>
        ) : null
      }
    >
      <ul>
        {channels.map((channel) => (
          <li key={channel.channelId}>
            {channel.channelName} <span className="text-sm">{channel.handle}</span>
          </li>
        ))}
      </ul>
      {canUpgrade && organization && !organization.isOrgAdmin ? (
        <p>Ask an admin of your organization to upgrade.</p>
      ) : null}
    </Banner>
  )
}
