import type { InsightsFilter } from '#contract/analytics/filter.ts'
import type { FigureBase } from '#contract/analytics/names.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { platformColumns } from './ByPlatform.tsx'
import { firstFigures } from './cardOrder.ts'
import type { ChosenFigure } from './Cards.tsx'

type View = { chosen: ChosenFigure | undefined; /** All figures are listed. */ all: boolean }

/** What the hub asks for: only the figures that it shows, to keep the reply small. */
export function hubCall(ids: ProjectIds, query: InsightsFilter, { chosen, all }: View) {
  const of = (base: FigureBase) => [
    ...new Set([...firstFigures[base], ...(chosen?.base === base ? [chosen.name] : [])]),
  ]
  const names = all ? {} : { names: of('inTheseDays'), postNames: of('postsPublished') }
  return { params: ids, query: { ...query, ...names, ...platformColumns } }
}

export const hubOptions = { keepPrevious: true, handles: true } as const
