import { getRouteApi } from '@tanstack/react-router'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import { FigureBase, FigureKey } from '#contract/analytics/names.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ChosenFigure } from './Cards.tsx'
import { filtersOf, queryOf, type InsightsFilters } from './insightsSearch.ts'
import { filtersIn, sectionOf } from './sections.ts'
import { useToday } from './useToday.ts'

const route = getRouteApi('/$orgId/project/$projectId/insights/$')

/** The filters in the address, and as calls take them in this section; `only` fixes the platform. */
export function useFilters(only?: PlatformKey): { filters: InsightsFilters; query: InsightsFilter } {
  const filters = filtersOf(route.useSearch())
  const { _splat: path } = route.useParams()
  const today = useToday()
  const section = sectionOf(path || 'insights')
  const own = section ? filtersIn(section, filters) : filters
  return { filters, query: queryOf(only ? { ...own, platforms: [only] } : own, today) }
}

export type Lines = 'total' | 'platform' | 'channel'
/** What the address says of the view: the lines of the chart, and whether all figures are shown. */
export function useView() {
  const search = route.useSearch()
  const lines: Lines = search.lines ?? 'total'
  const navigate = route.useNavigate()
  const change = (view: { lines?: Exclude<Lines, 'total'> | undefined; figures?: 'all' | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...view }), replace: true, resetScroll: false })
  return {
    lines,
    onLines: (next: Lines) => change({ lines: next === 'total' ? undefined : next }),
    all: search.figures === 'all',
    onAll: (all: boolean) => change({ figures: all ? 'all' : undefined }),
  }
}

/** `inTheseDays.reactions`, as addresses name a figure. */
export function figureIn(text: string | undefined): ChosenFigure | undefined {
  const [first, second] = text?.split('.') ?? []
  const [base, name] = [FigureBase.safeParse(first), FigureKey.safeParse(second)]
  return base.success && name.success ? { base: base.data, name: name.data } : undefined
}

/** The figure that is drawn, `inTheseDays.reactions` in the address, and how to choose another one. */
export function useChosenFigure(): [ChosenFigure | undefined, (figure: ChosenFigure) => void] {
  const { figure } = route.useSearch()
  const navigate = route.useNavigate()
  return [
    figureIn(figure),
    (next) =>
      void navigate({
        search: (before) => ({ ...before, figure: `${next.base}.${next.name}` }),
        replace: true,
        resetScroll: false,
      }),
  ]
}
