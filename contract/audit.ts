import { z } from 'zod'
import { Id, Instant, OrgParams, PageQuery, Pagination } from './common.ts'
import { endpoint, orgAdmins } from './endpoint.ts'

export const auditActors = ['member', 'product', 'approver', 'unknown'] as const

export const AuditRow = z.object({
  auditId: Id,
  /** Null if no member did it: see `actor`. People who have left keep their name here. */
  user: z
    .object({ userId: Id, firstName: z.string(), lastName: z.string(), profileUrl: z.string().nullable() })
    .nullable(),
  action: z.string(),
  entityType: z.string(),
  /** Its current name; null if it was deleted or has no name. */
  entityName: z.string().nullable(),
  targetValue: z.string().nullable(),
  /** Who did it: a member (`user`), the product itself, an external approver, or someone who couldn't log in. */
  actor: z.enum(auditActors),
  /** What changed, field by field, as text; a side is null if there was, or is, no value. */
  changes: z.array(
    z.object({ field: z.string().nullable(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
  projectName: z.string().nullable(),
  timestamp: Instant,
})
export type AuditRow = z.infer<typeof AuditRow>

/** The audit log's filters, combined with "and". `from` and `to` are instants, `to` exclusive. */
export const AuditFilters = z.object({
  userId: Id.optional(),
  action: z.string().max(50).optional(),
  entityType: z.string().max(50).optional(),
  projectId: Id.optional(),
  from: Instant.optional(),
  to: Instant.optional(),
})

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/audit/org/:orgId',
  summary: 'List who did what in the organization, newest first',
  access: orgAdmins,
  cost: 'list',
  reads: [],
  params: OrgParams,
  query: PageQuery.extend(AuditFilters.shape),
  reply: z.object({ audits: z.array(AuditRow), pagination: Pagination }),
  audit: null,
})
/** The filters' options: everyone and everything in the audit log. */
export const auditFilters = endpoint({
  method: 'GET',
  path: '/api/audit/org/:orgId/filter',
  summary: 'List the people, actions and entity types in the audit log',
  access: orgAdmins,
  cost: 'list',
  reads: ['post', 'channel', 'member', 'taxonomy'],
  params: OrgParams,
  reply: z.object({
    users: z.array(z.object({ userId: Id, name: z.string() })),
    actions: z.array(z.string()),
    entityTypes: z.array(z.string()),
  }),
  audit: null,
})
export const exportAudit = endpoint({
  method: 'GET',
  path: '/api/audit/org/:orgId/export',
  summary: 'Export the audit log as CSV with the same filters (streamed)',
  access: orgAdmins,
  cost: 'export',
  reads: [],
  params: OrgParams,
  query: AuditFilters,
  reply: 'bytes',
  audit: null,
})
