import { z } from 'zod'
import { checkDays, ComparisonReason, InsightsRange } from '../analytics/filter.ts'
import { Day, Id, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { bioKinds } from './pages.ts'

/*
 * What is counted of a link in bio page: views, visitors and clicks. Their texts are in analytics/labels.ts, by name.
 */

/** How they add up over days, as the catalog of figures says it: the same visitor on two days would count twice. */
export const bioFigures = {
  bioViews: { adds: 'sum' },
  bioVisitors: { adds: 'none' },
  bioClicks: { adds: 'sum' },
} as const
export type BioFigureName = keyof typeof bioFigures
// the keys of the object above
export const bioFigureNames = Object.keys(bioFigures) as [BioFigureName, ...BioFigureName[]]

/** Days of the project's zone, both or none: the last 7 days without them. */
const DaysQuery = z
  .object({ from: Day.optional(), to: Day.optional() })
  .superRefine(({ from, to }, context) => checkDays(context, { from, to }))

const BioTotal = z.object({
  name: z.enum(bioFigureNames),
  adds: z.enum(['sum', 'none']),
  /** Null of what is never added up, and of days before the page was created. */
  value: z.int().nullable(),
  /** Of as many days before the range. */
  before: z.int().nullable(),
  /** Of the days that are over, from the start of each range; in percent with two decimals. */
  changePercent: z.number().nullable(),
  /** The two sides of the change. */
  compared: z.object({ value: z.int(), before: z.int() }).nullable(),
  /** Why there's no change; null if there is one, and of what is never added up. */
  whyNotComparable: ComparisonReason.nullable(),
})

const BioFigures = z.object({
  range: InsightsRange.extend({ compare: z.object({ from: z.iso.date(), to: z.iso.date() }) }),
  totals: z.array(BioTotal),
  /** The days of the range; null before the page was created and for days to come. */
  days: z.array(
    z.object({
      day: z.iso.date(),
      bioViews: z.int().nullable(),
      bioVisitors: z.int().nullable(),
      bioClicks: z.int().nullable(),
    }),
  ),
  /** The page's items in their order, then deleted ones that were clicked in one of the two ranges. */
  items: z.array(
    z.object({
      number: z.int(),
      kind: z.enum(bioKinds).nullable(),
      /** Null of a deleted item. */
      label: z.string().nullable(),
      url: z.string().nullable(),
      /** Null of links whose clicks can't be counted, such as mail addresses. */
      clicks: z.int().nullable(),
      before: z.int().nullable(),
    }),
  ),
})
export type BioFigures = z.infer<typeof BioFigures>

/** What an item is called that was deleted. */
export const DELETED_LINK = 'Deleted link'

const PageParams = ProjectParams.extend({ pageId: Id })
const path = '/api/:orgId/project/:projectId/bio-page/:pageId'

export const bioPageFigures = endpoint({
  method: 'GET',
  path: `${path}/figures`,
  summary: 'Get views, visitors and clicks of a link in bio page by day and link. Free: the last 7 days',
  access: can('insights', 'view'),
  cost: 'light',
  reads: ['bio'],
  params: PageParams,
  query: DaysQuery,
  reply: BioFigures,
  errors: ['NOT_FOUND', 'PLAN_LIMIT'],
  audit: null,
})
export const bioPageFiguresCsv = endpoint({
  method: 'GET',
  path: `${path}/figures.csv`,
  summary: 'Export the same as CSV: a row per day, with a column per link',
  access: can('insights', 'view'),
  cost: 'export',
  reads: [],
  params: PageParams,
  query: DaysQuery,
  reply: 'bytes',
  errors: ['NOT_FOUND', 'PLAN_LIMIT'],
  audit: null,
})
