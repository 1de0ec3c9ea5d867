import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { filtersOf, isFiltering, noFilters } from './insightsSearch.ts'
import { filtersIn, sectionOf } from './sections.ts'

const route = getRouteApi('/$orgId/project/$projectId/insights/$')

type Props = {
  icon: ReactNode
  title: string
  /** What would be here. */ text: string
  /** The plan decides the days: no others can be chosen. */ hasFixedDays?: boolean
}

/** Nothing to show: with filters that hold in this section, they can be cleared. */
export function FilteredAway({ icon, title, text, hasFixedDays = false }: Props) {
  const filters = filtersOf(route.useSearch())
  const { _splat: path } = route.useParams()
  const navigate = route.useNavigate()
  const section = sectionOf(path || 'insights')
  const isNarrow = isFiltering(section ? filtersIn(section, filters) : filters)
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        isNarrow ? (
          <Button
            onClick={() => void navigate({ search: (before) => ({ ...before, ...noFilters }), resetScroll: false })}
          >
            Clear filters
          </Button>
        ) : null
      }
    >
      {[text, toDo(isNarrow, hasFixedDays)].filter(Boolean).join(' ')}
    </EmptyState>
  )
}

const toDo = (isNarrow: boolean, hasFixedDays: boolean): string =>
  hasFixedDays
    ? isNarrow
      ? 'Choose fewer filters.'
      : ''
    : isNarrow
      ? 'Choose other days, or fewer filters.'
      : 'Choose other days.'
