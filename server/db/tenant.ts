import type pg from 'pg'
import { z } from 'zod'
import type { Tx } from './kysely.ts'
import { isAppPool } from './pools.ts'
import { inTransaction } from './transaction.ts'

/** Who enters: the hash of the session's token and the identifiers of the address, each null when there is none. */
export type EntryIds = { tokenHash: Buffer | null; orgId: string | null; projectId: string | null }

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

// what enter() in migrations/0009 answers
const enteredRow = z.object({
  session_id: z.uuid().nullable(),
  person_id: z.uuid().nullable(),
  confirmed: z.boolean().nullable(),
  session_seen_at: instant.nullable(),
  org_id: z.uuid().nullable(),
  is_org_admin: z.boolean().nullable(),
  plan_id: z.enum(['free', 'individual', 'team']).nullable(),
  plan_status: z.enum(['ACTIVE', 'TRIAL_ACTIVE', 'TRIAL_EXPIRED', 'PAST_DUE', 'CANCEL_SCHEDULED', 'CANCELLED']).nullable(),
  addon_quantity: z.number().nullable(),
  trial_ends_at: instant.nullable(),
  project_id: z.uuid().nullable(),
  zone: z.string().nullable(),
  role_id: z.uuid().nullable(),
  role_name: z.string().nullable(),
  role_kind: z.enum(['admin', 'editor', 'user', 'custom']).nullable(),
  // its shape is the contract's to judge
  permissions: z.unknown(),
  channel_ids: z.array(z.uuid()).nullable(),
  publishing: z.enum(['full', 'none']).nullable(),
})

/**
 * What `enter()` found: session, organisation, plan, project and role. A part that was not found is null throughout:
 * no session when `person_id` is, no member of the organisation when `org_id` is, no project when `project_id` is.
 */
export type Entered = z.infer<typeof enteredRow>

const ENTER = 'select enter($1, $2, $3, $4) as entered'
const answered = z.object({ entered: enteredRow.nullable() })
const nothing: Entered = {
  session_id: null,
  person_id: null,
  confirmed: null,
  session_seen_at: null,
  org_id: null,
  is_org_admin: null,
  plan_id: null,
  plan_status: null,
  addon_quantity: null,
  trial_ends_at: null,
  project_id: null,
  zone: null,
  role_id: null,
  role_name: null,
  role_kind: null,
  permissions: null,
  channel_ids: null,
  publishing: null,
}

/**
 * One round trip: begin + enter(). Runs `fn` inside; commits, or rolls back on a throw. The ids must be well-formed
 * UUIDs or null: PostgreSQL refuses others. `now` judges the session's age.
 */
export async function enterTenant<T>(pool: pg.Pool, ids: EntryIds, now: Date, fn: (tx: Tx, entered: Entered) => Promise<T>): Promise<T> {
  assertBound(pool)
  const values = [ids.tokenHash, ids.orgId, ids.projectId, now]
  return await inTransaction(pool, { text: ENTER, values }, (tx, rows) => fn(tx, answered.parse(rows[0]).entered ?? nothing))
}

/** A tenant transaction without a session, for jobs: sets app.org_id, in one round trip with begin. */
export async function asTenant<T>(pool: pg.Pool, orgId: string, fn: (tx: Tx) => Promise<T>): Promise<T> {
  assertBound(pool)
  const first = { text: "select set_config('app.org_id', $1::uuid::text, true)", values: [orgId] }
  return await inTransaction(pool, first, (tx) => fn(tx))
}

/** On a pool of the system role the policies bind nothing, and one tenant's work would reach all. */
function assertBound(pool: pg.Pool): void {
  if (!isAppPool(pool)) throw new Error('A tenant transaction needs a pool of the app role: web, background or exports')
}
