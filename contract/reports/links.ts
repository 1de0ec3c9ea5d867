import { z } from 'zod'
import { Done, Id, Instant } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { REPORTS } from './limits.ts'
import { ReportParams } from './reports.ts'

/*
 * Links under which a report is seen without an account: what the role of the person who made the link may see at that moment. The address
 * is shown once; only its hash is stored.
 */

/** The address of a shared report, below the installation's own. */
export const sharedPath = (token: string): string => `/r/${token}`
/** 32 random bytes. */
export const LinkToken = z.string().regex(/^[\w-]{43}$/)

/**
 * Why a link that hasn't ended shows nothing:
 * - `owner`: the person who made it can't see the report any more
 * - `plan`: the plan has no analytics now
 */
export const linkTroubles = ['owner', 'plan'] as const

export const ReportLink = z.object({
  linkId: Id,
  linkName: z.string(),
  createdAt: Instant,
  /** Whose role decides what it shows. */
  createdBy: z.object({ userId: Id, name: z.string(), isYou: z.boolean() }),
  expiresAt: Instant,
  firstOpenedAt: Instant.nullable(),
  lastOpenedAt: Instant.nullable(),
  trouble: z.enum(linkTroubles).nullable(),
})
export type ReportLink = z.infer<typeof ReportLink>

const path = '/api/:orgId/project/:projectId/insights/reports/:reportId/links'

export const listReportLinks = endpoint({
  method: 'GET',
  path,
  summary: "List a report's open links, newest first",
  access: can('insights', 'view'),
  cost: 'light',
  reads: ['report', 'member', 'plan'],
  params: ReportParams,
  reply: z.object({ links: z.array(ReportLink) }),
  errors: ['PLAN_LIMIT', 'NOT_FOUND'],
  audit: null,
})
export const createReportLink = endpoint({
  method: 'POST',
  path,
  summary:
    'Create a link that shows a report to anyone who has it, as far as your role does. Its address is only told here',
  access: can('insights', 'edit'),
  cost: 'light',
  changes: ['report'],
  params: ReportParams,
  body: z.object({
    /** Whom it's for; only the project sees it. */
    linkName: z.string().trim().min(1, 'Enter a name').max(REPORTS.name, `Use at most ${REPORTS.name} characters`),
    days: z.int().min(1, 'Enter a number of days').max(REPORTS.linkDays, `Use at most ${REPORTS.linkDays} days`),
  }),
  reply: Done.extend({ linkId: Id, address: z.string() }),
  errors: ['PLAN_LIMIT', 'NOT_FOUND', 'LIMIT_EXCEEDED'],
  audit: { action: 'shared', entity: 'report' },
})
export const revokeReportLink = endpoint({
  method: 'DELETE',
  path: `${path}/:linkId`,
  summary: 'End a link at once',
  access: can('insights', 'edit'),
  cost: 'light',
  changes: ['report'],
  params: ReportParams.extend({ linkId: Id }),
  reply: Done,
  errors: ['PLAN_LIMIT', 'NOT_FOUND'],
  audit: { action: 'unshared', entity: 'report' },
})
