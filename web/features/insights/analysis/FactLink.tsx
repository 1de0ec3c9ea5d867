import type { ReactNode } from 'react'
import type { AnalysisFact, AnalysisFacts } from '#contract/analytics/analysis.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { Link } from '#web/ui/Link.tsx'
import type { InsightsFilters } from '../insightsSearch.ts'
import { factPlace, factSubject, factTitle } from './factWords.ts'

type Props = {
  fact: AnalysisFact
  found: AnalysisFacts
  filters: InsightsFilters
  children: ReactNode
}

/** Leads to the screen that has the fact's figure, with the same days and filters. */
export function FactLink({ fact, found, filters, children }: Props) {
  const ids = useProjectIds()
  const { path, search, hash } = factPlace(fact, found, filters)
  return (
    <Link
      to="/$orgId/project/$projectId/insights/$"
      params={{ ...ids, _splat: path }}
      search={search}
      {...(hash ? { hash } : {})}
      title={[factTitle(fact, found), factSubject(fact)].filter(Boolean).join(', ')}
    >
      {children}
    </Link>
  )
}
