import type pg from 'pg'
import { z } from 'zod'
import type { Tx } from './kysely.ts'
import { isAppPool } from './pools.ts'
import { inTransaction } from './transaction.ts'

/** Who enters: the hash of the session's token and the identifiers of the address, each null when there is none. */
export type EntryIds = { tokenHash: Buffer | null; orgId: string | null; projectId: string | null }

// the columns of enter() in migrations/0009
const enteredRow = z.object({
  session_id: z.uuid().nullable(),
  person_id: z.uuid().nullable(),
  confirmed: z.boolean().nullable(),
  session_seen_at: z.date().nullable(),
  org_id: z.uuid().nullable(),
  is_org_admin: z.boolean().nullable(),
  plan_id: z.enum(['free', 'individual', 'team']).nullable(),
  plan_status: z.enum(['ACTIVE', 'TRIAL_ACTIVE', 'TRIAL_EXPIRED', 'PAST_DUE', 'CANCEL_SCHEDULED', 'CANCELLED']).nullable(),
  addon_quantity: z.number().nullable(),
  trial_ends_at: z.date().nullable(),
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

const ENTER = 'select * from enter($1, $2, $3, $4)'

/**
 * One round trip: begin + enter(). Runs `fn` inside; commits, or rolls back on a throw. The ids must be well-formed
 * UUIDs or null: PostgreSQL refuses others. `now` judges the session's age.
 */
export async function enterTenant<T>(pool: pg.Pool, ids: EntryIds, now: Date, fn: (tx: Tx, entered: Entered) => Promise<T>): Promise<T> {
  assertBound(pool)
  const values = [ids.tokenHash, ids.orgId, ids.projectId, now]
  return await inTransaction(pool, { text: ENTER, values }, (tx, rows) => fn(tx, enteredRow.parse(rows[0])))
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
