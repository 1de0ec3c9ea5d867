import type { ReactNode } from 'react'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import { insightsChannels } from '#contract/analytics/overview.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { CardsToCome } from './CardsToCome.tsx'
import { NoChannels } from './NoChannels.tsx'
import { useAbsence } from './useAbsence.ts'

type Props = {
  platform: PlatformKey | undefined
  query: InsightsFilter
  /** The section is about channels. */ isNeeded: boolean
  children: ReactNode
}

/** A section, or why it has nothing to show: no channel of it, and no figures of deleted ones in these days. */
export function WithChannels({ platform, query: { from, to }, isNeeded, children }: Props) {
  const ids = useProjectIds()
  const absence = useAbsence(ids, platform)
  const isAsked = isNeeded && absence !== undefined
  const left = useCall(
    insightsChannels,
    {
      params: ids,
      query: { from, to, ...(platform ? { platforms: [platform] } : {}), names: ['published', 'followers'], most: 1 },
    },
    { handles: true, enabled: isAsked },
  )
  if (!isAsked || (left.data?.channels.length ?? 0) > 0) return children
  return left.isPending ? <CardsToCome /> : <NoChannels absence={absence} platform={platform} />
}
