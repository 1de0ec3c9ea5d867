import Hourglass from 'lucide-react/icons/hourglass'
import { useEffect, useRef, type ReactNode } from 'react'
import { insightsCollecting } from '#contract/analytics/collecting.ts'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import type { InsightsCard } from '#contract/analytics/overview.ts'
import { count } from '#web/lib/format.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { CardsToCome } from './CardsToCome.tsx'
import { countUnread } from './collectingLines.ts'

/** How often it's looked whether they have arrived, in milliseconds. */
const EVERY = 60_000

type Props = {
  cards: readonly Pick<InsightsCard, 'name' | 'value'>[]
  query: Pick<InsightsFilter, 'platforms' | 'channelIds'>
  /** The first figures were read: asks for them. */ onArrived: () => void
  children: ReactNode
}

/** The figures; on the first day of its channels, before anything was read, that they're on their way, and when they come. */
export function FirstFigures({ cards, query, onArrived, children }: Props) {
  const hasFigures = cards.some(({ name, value }) => value !== null && name !== 'published')
  const hasPosts = cards.some(({ value }) => value !== null && value > 0)
  const found = useCall(
    insightsCollecting,
    { params: useProjectIds() },
    { handles: true, enabled: !hasFigures, refetchInterval: hasFigures ? false : EVERY },
  )
  const unread = hasFigures || !found.data ? 0 : countUnread(found.data.channels, query)
  const before = useRef(unread)
  useEffect(() => {
    if (unread < before.current) onArrived()
    before.current = unread
  }, [unread, onArrived])
  if (hasFigures) return children
  if (found.isPending) return <CardsToCome />
  if (unread === 0) return children
  const title = 'Your first figures are on their way'
  const text = `We're reading ${count(unread, 'channel')}. The first figures appear here within ten minutes, and those of older days and posts in the hours after that.`
  return hasPosts ? (
    <>
      <Banner tone="info" title={title}>
        {text}
      </Banner>
      {children}
    </>
  ) : (
    <EmptyState icon={<Hourglass size={20} />} title={title}>
      {text}
    </EmptyState>
  )
}
