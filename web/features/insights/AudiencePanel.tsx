import { getRouteApi } from '@tanstack/react-router'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Link } from '#web/ui/Link.tsx'
import { FoldedPanel } from '#web/ui/FoldedPanel.tsx'
import { Select } from '#web/ui/Select.tsx'
import type { InsightsFilters } from './insightsSearch.ts'
import { Audience, audienceTitle } from './profile/Audience.tsx'
import { pathOf } from './sections.ts'
import type { NamedChannels } from './useChannels.ts'

const route = getRouteApi('/$orgId/project/$projectId/insights/$')

type Props = {
  ids: ProjectIds
  filters: InsightsFilters
  channels: NamedChannels
  /** Only channels of this platform. */ platform?: PlatformKey
  /** So many ways of dividing it at most; all by default. The channel's profile has the others. */ most?: number
}

/**
 * Who the audience of one channel is, which is chosen among those in the filters whose platforms say it; nothing if none
 * does. Audiences are never added: the same people follow several channels.
 */
export default function AudiencePanel({ ids, filters, channels, platform, most }: Props) {
  const { audienceChannelId } = route.useSearch()
  const navigate = route.useNavigate()
  const { channelIds, platforms } = platform ? { ...filters, platforms: [platform] } : filters
  const options = [...channels].filter(
    ([channelId, { platformName }]) =>
      platformFigures[platformName].audience !== undefined &&
      (!channelIds?.length || channelIds.includes(channelId)) &&
      (!platforms?.length || platforms.includes(platformName)),
  )
  const [chosen] = options.find(([channelId]) => channelId === audienceChannelId) ?? options[0] ?? []
  if (chosen === undefined) return null
  return (
    <FoldedPanel
      title={audienceTitle}
      name="audience"
      aside={
        options.length > 1 ? (
          <Select
            aria-label="Audience of"
            className="w-56 max-w-full"
            value={chosen}
            options={options.map(([value, { shownName }]) => ({ value, label: shownName }))}
            onChange={({ target }) =>
              void navigate({
                search: (before) => ({ ...before, audienceChannelId: target.value }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        ) : (
          channels.get(chosen)?.shownName
        )
      }
    >
      <Audience key={chosen} ids={ids} channelId={chosen} {...(most === undefined ? {} : { most })} />
      {most === undefined ? null : (
        <Link
          to="/$orgId/project/$projectId/insights/$"
          params={{ ...ids, _splat: pathOf({ key: 'profile', channelId: chosen }) }}
          search={filters}
          className="justify-self-start"
        >
          More about this channel
        </Link>
      )}
    </FoldedPanel>
  )
}
