import { z } from 'zod'
import { Done, OrgParams } from '../common.ts'
import { endpoint, orgAdmins } from '../endpoint.ts'
import { PlatformKey } from '../platforms/rules.ts'

/* What reading comments, messages and figures costs where a platform charges for it, and how much an organization spends on that. */

const path = '/api/:orgId/inbox-costs'
export const platformCosts = endpoint({
  method: 'GET',
  path,
  summary:
    'Get what platforms charge for reading comments, messages and figures, the limits and the spending of this month',
  access: orgAdmins,
  cost: 'light',
  reads: ['organization', 'channel', 'conversation'],
  params: OrgParams,
  reply: z.object({
    platforms: z.array(
      z.object({
        platformName: PlatformKey,
        /** US dollars for one item, at most. */
        readPrice: z.number(),
        /** US dollars a month; null: nothing is read. */
        monthlyLimit: z.number().nullable(),
        /** US dollars in this month (UTC), with what calls on their way may cost. */
        spent: z.number(),
        /** Connected channels of this platform. */
        channels: z.int(),
      }),
    ),
  }),
  audit: null,
})
/** Up to a limit that nobody means by mistake. */
export const MONTHLY_LIMIT = { least: 1, most: 10_000 } as const
export const MonthlyLimit = z
  .number()
  .min(MONTHLY_LIMIT.least, 'Enter at least $1')
  .max(MONTHLY_LIMIT.most, 'Enter at most $10,000')
  .multipleOf(0.01, 'Enter dollars and cents')
export const setPlatformCost = endpoint({
  method: 'PUT',
  path,
  summary: 'Set how much reading comments, messages and figures of a platform may cost per month, or turn it off',
  access: orgAdmins,
  cost: 'light',
  changes: ['organization'],
  params: OrgParams,
  body: z.object({ platformName: PlatformKey, monthlyLimit: MonthlyLimit.nullable() }),
  reply: Done,
  errors: ['BAD_INPUT'],
  audit: { action: 'updated', entity: 'inbox_costs' },
})
