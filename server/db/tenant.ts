import type pg from 'pg';
import { z } from 'zod';
import type { Tx } from './kysely.ts';
import { isAppPool } from './pools.ts';
import { inTransaction } from './transaction.ts';

/** Who enters: the hash of the session's token and the identifiers of the address, each null when there is none. */
export type EntryIds = { tokenHash: Buffer | null; orgId: string | null; projectId: string | null };

const enteredRow = z.looseObject({});

/** What `enter()` found: session, tenant and permissions. See migrations/0001 for the columns. */
export type Entered = z.infer<typeof enteredRow>;

const ENTER = 'select * from enter($1, $2, $3, $4)';

/**
 * One round trip: begin + enter(). Runs `fn` inside; commits, or rolls back on a throw. The ids must be well-formed
 * UUIDs or null: PostgreSQL refuses others. `now` judges the session's age.
 */
export async function enterTenant<T>(
  pool: pg.Pool,
  ids: EntryIds,
  now: Date,
  fn: (tx: Tx, entered: Entered) => Promise<T>,
): Promise<T> {
  assertBound(pool);
  const values = [ids.tokenHash, ids.orgId, ids.projectId, now];
  return await inTransaction(pool, { text: ENTER, values }, (tx, rows) => fn(tx, enteredRow.parse(rows[0])));
}

/** A tenant transaction without a session, for jobs: sets app.org_id, in one round trip with begin. */
export async function asTenant<T>(pool: pg.Pool, orgId: string, fn: (tx: Tx) => Promise<T>): Promise<T> {
  assertBound(pool);
  const first = { text: "select set_config('app.org_id', $1::uuid::text, true)", values: [orgId] };
  return await inTransaction(pool, first, (tx) => fn(tx));
}

/** On a pool of the system role the policies bind nothing, and one tenant's work would reach all. */
function assertBound(pool: pg.Pool): void {
  if (!isAppPool(pool)) throw new Error('A tenant transaction needs a pool of the app role: web, background or exports');
}
