import { z } from 'zod'
import { GraphId, GraphTime } from '../graph.ts'

/**
 * Responses of the Marketing API, as far as we read them (developers.facebook.com/docs/marketing-api/reference;
 * facebook-business-sdk-codegen).
 */

const Paging = z
  .object({
    cursors: z
      .object({ after: z.string().optional().catch(undefined) })
      .optional()
      .catch(undefined),
    next: z.string().optional().catch(undefined),
  })
  .optional()
  .catch(undefined)
export const listOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), paging: Paging })

export const AdAccountNode = z.object({
  id: z.string().regex(/^act_\d+$/),
  name: z.string().catch(''),
  currency: z.string().regex(/^[A-Z]{3}$/),
  account_status: z.int().catch(1),
  /** In minor units; some responses have it as text. */
  min_daily_budget: z.coerce.number().int().nonnegative().nullable().catch(null),
  user_tasks: z.array(z.string()).nullable().catch(null),
})
export type AdAccountNode = z.infer<typeof AdAccountNode>

export const Named = z.object({ id: GraphId, name: z.string().catch('') })
/** The audience: passed on unchanged, with all its fields. */
export const Targeting = z.looseObject({
  geo_locations: z.looseObject({}).optional().catch(undefined),
  custom_audiences: z.array(z.unknown()).optional().catch(undefined),
  publisher_platforms: z.array(z.string()).optional().catch(undefined),
  targeting_automation: z.looseObject({}).optional().catch(undefined),
})
export type Targeting = z.infer<typeof Targeting>
export const SavedAudience = Named.extend({ targeting: Targeting })

export const VideoPost = z.object({ id: GraphId, post_id: GraphId.nullable().catch(null) })
export const Promotable = z.object({
  id: GraphId,
  is_eligible_for_promotion: z.boolean().nullable().catch(null),
  promotable_id: GraphId.nullable().catch(null),
})

const Decimal = z.coerce.number().nonnegative().nullable().catch(null)
const Status = z.object({ effective_status: z.string().catch('') }).catch({ effective_status: '' })
export const AdNode = z.object({
  id: GraphId,
  effective_status: z.string(),
  ad_review_feedback: z
    .object({ global: z.record(z.string(), z.string()).catch({}) })
    .nullable()
    .catch(null),
  issues_info: z
    .array(z.object({ error_summary: z.string().catch(''), error_message: z.string().catch('') }))
    .catch([]),
  adset: z
    .object({ effective_status: z.string().catch(''), end_time: GraphTime })
    .catch({ effective_status: '', end_time: null }),
  campaign: Status,
  insights: z
    .object({ data: z.array(z.object({ spend: Decimal, impressions: Decimal, reach: Decimal })) })
    .catch({ data: [] }),
})
export type AdNode = z.infer<typeof AdNode>
