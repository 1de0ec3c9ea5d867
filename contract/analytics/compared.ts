import { z } from 'zod'
import { Id } from '../common.ts'
import { listOf } from '../postLists.ts'
import { AsOf, ComparedFigure, InsightsRange, insightsQuery } from './filter.ts'

/* Campaign Insights: campaigns, or labels, side by side, from the latest figures of their posts published in the range. */

const MOST_COMPARED = 20
/** The campaigns or labels to compare; without `ids`, the ones with the most posts in the range. */
export const ComparedQuery = insightsQuery({
  ids: listOf(Id)
    .pipe(z.array(Id).max(MOST_COMPARED, `Choose at most ${MOST_COMPARED}`))
    .optional(),
})

export const ComparedGroup = z.object({
  id: Id,
  name: z.string(),
  color: z.string(),
  posts: z.int(),
  postsBefore: z.int().nullable(),
  /** Sums of the latest figures of its posts, and `engagementRate`; only what can be added. */
  figures: z.array(ComparedFigure),
})
export type ComparedGroup = z.infer<typeof ComparedGroup>
export const ComparedGroups = z.object({ range: InsightsRange, groups: z.array(ComparedGroup), asOf: AsOf })
