import type { InsightsFilters } from './insightsSearch.ts'

/** The filters for the last 7 days, the only ones that every plan includes. */
export const thisWeek = (filters: InsightsFilters): InsightsFilters => ({
  ...filters,
  range: undefined,
  from: undefined,
  to: undefined,
  compare: undefined,
  compareFrom: undefined,
  compareTo: undefined,
})
