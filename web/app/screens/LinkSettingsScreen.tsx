import { allChannels } from '#contract/channels.ts'
import { linkSettings } from '#contract/links/settings.ts'
import { myPermissions } from '#contract/organizations.ts'
import { ChannelLinks } from '#web/features/links/ChannelLinks.tsx'
import { ProjectLinks } from '#web/features/links/ProjectLinks.tsx'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'

/** What is added to links in posts, and whether they're shortened: of the project, and of single channels. */
export default function LinkSettingsScreen() {
  const ids = useProjectIds()
  const settings = useCall(linkSettings, { params: ids }, { handles: true })
  const channels = useCall(allChannels, { params: ids }, { handles: true }).data?.channels ?? []
  const mine = useCall(myPermissions, { params: ids }, { handles: true }).data
  const mayEdit = useMay([['channel', 'edit']]) === 'yes'
  return (
    <Page
      title="Links"
      bar={
        <p className="text-pretty text-ink-muted">
          UTM tags tell your website&apos;s analytics where visitors came from. Short links count clicks.{' '}
          <Link to="/$orgId/project/$projectId/channels" params={ids}>
            Back to Platform Settings
          </Link>
        </p>
      }
    >
      <Loaded query={settings} skeleton={<SkeletonRows rows={6} />}>
        {(found) => (
          <div className="grid max-w-3xl gap-6">
            <ProjectLinks
              ids={ids}
              settings={found}
              channel={channels[0]}
              // it applies to channels that such a role can't see
              mayEdit={mayEdit && mine?.channelIds === null}
            />
            {channels.length > 0 ? <ChannelLinks ids={ids} settings={found} channels={channels} /> : null}
          </div>
        )}
      </Loaded>
    </Page>
  )
}
