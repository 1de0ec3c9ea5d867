import type { ReactNode } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { isFiltering, noFilters, type InsightsFilters } from './insightsSearch.ts'

type Props = {
  icon: ReactNode
  title: string
  /** What would be here. */ text: string
  filters: InsightsFilters
  onClear: (change: InsightsFilters) => void
}

/** Nothing to show: with filters, they can be cleared. */
export function FilteredAway({ icon, title, text, filters, onClear }: Props) {
  const isNarrow = isFiltering(filters)
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={isNarrow ? <Button onClick={() => onClear(noFilters)}>Clear filters</Button> : null}
    >
      {text} {isNarrow ? 'Choose other days, or fewer filters.' : 'Choose other days.'}
    </EmptyState>
  )
}
