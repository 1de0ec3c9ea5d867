import { z } from 'zod'
import { Done, Id, Instant, OrgParams } from './common.ts'
import { anySession, endpoint, orgAdmins } from './endpoint.ts'

/** A data export of an organization: JSON, CSV and media in one ZIP, made by a job, kept for 7 days. */
export const OrgExport = z.object({
  exportId: Id,
  status: z.enum(['waiting', 'running', 'ready', 'failed', 'gone']),
  /** 0 to 100. */
  progress: z.int(),
  bytes: z.int().nullable(),
  requestedAt: Instant,
  expiresAt: Instant.nullable(),
  /** Why it failed and what to do. */
  problem: z.string().nullable(),
})
export type OrgExport = z.infer<typeof OrgExport>

export const EXPORT_FAILED =
  "We couldn't make this copy. Request it again. If that fails too, contact your Rookery administrator."
export const listExports = endpoint({
  method: 'GET',
  path: '/api/:orgId/export',
  summary: 'List requested exports, newest first',
  access: orgAdmins,
  cost: 'light',
  reads: ['export'],
  params: OrgParams,
  reply: z.object({ exports: z.array(OrgExport) }),
  audit: null,
})
export const beginExport = endpoint({
  method: 'POST',
  path: '/api/:orgId/export',
  summary: 'Request a copy of everything',
  access: orgAdmins,
  cost: 'export',
  changes: ['export'],
  params: OrgParams,
  body: z.object({}),
  reply: OrgExport,
  errors: ['RATE_LIMITED'],
  audit: { action: 'exported', entity: 'organization' },
})
export const downloadExport = endpoint({
  method: 'GET',
  path: '/api/:orgId/export/:exportId',
  summary: 'Download the ZIP (streamed)',
  access: orgAdmins,
  cost: 'export',
  changes: [],
  params: OrgParams.extend({ exportId: Id }),
  reply: 'bytes',
  errors: ['NOT_FOUND'],
  audit: { action: 'downloaded', entity: 'organization' },
})

/** Without a body: the dialog makes people type the name, and the deletion can be canceled for 7 days. */
export const deleteOrganization = endpoint({
  method: 'DELETE',
  path: '/api/:orgId',
  summary:
    'Delete the organization. Publishing, promotions and renewals stop immediately, and everything is permanently deleted after 7 days unless the deletion is canceled',
  access: orgAdmins,
  cost: 'light',
  changes: ['organization'],
  params: OrgParams,
  reply: Done.extend({ deletesAt: Instant }),
  audit: { action: 'deleted', entity: 'organization' },
})
export const keepOrganization = endpoint({
  method: 'POST',
  path: '/api/:orgId/keep',
  summary: 'Cancel the deletion of the organization',
  access: orgAdmins,
  cost: 'light',
  changes: ['organization'],
  params: OrgParams,
  body: z.object({}),
  reply: Done,
  errors: ['NOT_FOUND'],
  audit: { action: 'kept', entity: 'organization' },
})

/**
 * The account is deleted immediately; the person's work in organizations stays without their name. Requires the
 * password if there is one.
 */
export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/api/user',
  summary: 'Delete your account',
  access: anySession,
  cost: 'light',
  changes: ['member'],
  body: z.object({ password: z.string().max(200).optional(), email: z.string().max(320) }),
  reply: Done,
  errors: ['PASSWORD_WRONG', 'LAST_ADMIN', 'BAD_INPUT', 'RATE_LIMITED'],
  audit: { none: 'the person is gone; each organization that they leave writes its own entry' },
})
