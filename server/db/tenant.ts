import type pg from 'pg'
import { z } from 'zod'
import type { Tx } from './kysely.ts'
import { isAppPool } from './pools.ts'
import { inOneTrip, inTransaction, readBeforehand, writeBeforehand } from './transaction.ts'

/** Who enters: the hash of the session's token and the identifiers of the address, each null when there is none. */
export type EntryIds = { tokenHash: Buffer | null; orgId: string | null; projectId: string | null }

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

// what enter() in functions/enter.sql returns
const enteredRow = z.object({
  session_id: z.uuid().nullable(),
  person_id: z.uuid().nullable(),
  confirmed: z.boolean().nullable(),
  session_seen_at: instant.nullable(),
  second_factor: z.boolean().nullable(),
  /** True: a member of the organization, which asks for a second factor that this session hasn't shown. */
  second_factor_missing: z.boolean().optional(),
  org_id: z.uuid().nullable(),
  is_org_admin: z.boolean().nullable(),
  /** True: the plan has no room for this member, who may only look. */
  plan_locked: z.boolean().nullable(),
  /** True: they were an admin of the organization until then. */
  locked_admin: z.boolean().nullable(),
  plan_id: z.enum(['free', 'individual', 'team']).nullable(),
  plan_status: z
    .enum(['ACTIVE', 'TRIAL_ACTIVE', 'TRIAL_EXPIRED', 'PAST_DUE', 'CANCEL_SCHEDULED', 'CANCELLED'])
    .nullable(),
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
 * What `enter()` found: session, organization, plan, project and role. A part that wasn't found is null throughout: no
 * session when `person_id` is, no member of the organization when `org_id` is, no project when `project_id` is.
 */
export type Entered = z.infer<typeof enteredRow>

// as text: readTenant compares it, and seldom needs to read it
const ENTER = 'select enter($1, $2, $3, $4)::text as entered'
// what only reads may run without a transaction of its own, which would forbid writes
const READ_ONLY = "set_config('transaction_read_only', 'on', true)"
const ENTER_TO_READ = `${ENTER}, ${READ_ONLY}`
const SET_TENANT_TO_READ = `select set_config('app.org_id', $1, true), ${READ_ONLY}`
const answered = z.object({ entered: z.string().nullable() })
const nothing: Entered = {
  session_id: null,
  person_id: null,
  confirmed: null,
  session_seen_at: null,
  second_factor: null,
  org_id: null,
  is_org_admin: null,
  plan_locked: null,
  locked_admin: null,
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
export async function enterTenant<T>(
  pool: pg.Pool,
  ids: EntryIds,
  now: Date,
  fn: (tx: Tx, entered: Entered) => Promise<T>,
): Promise<T> {
  assertBound(pool)
  const values = [ids.tokenHash, ids.orgId, ids.projectId, now]
  return await inTransaction(pool, { text: ENTER, values }, (tx, rows) => fn(tx, read(answered.parse(rows[0]).entered)))
}

const read = (text: string | null): Entered => (text === null ? nothing : enteredRow.parse(JSON.parse(text)))

/** The latest results of enter(), by caller and target, as many as are worth their memory. */
class AdmissionCache {
  readonly #known = new Map<string, PastEntrance>()

  get(key: string): PastEntrance | undefined {
    const found = this.#known.get(key)
    // the least recently used is removed first
    if (found) {
      this.#known.delete(key)
      this.#known.set(key, found)
    }
    return found
  }

  put(key: string, text: string | null): Entered {
    const entered = read(text)
    this.#known.delete(key)
    if (text === null) return entered
    this.#known.set(key, { text, entered })
    for (const [oldest] of this.#known) {
      if (this.#known.size <= 2000) break
      this.#known.delete(oldest)
    }
    return entered
  }
}

/** The result of enter() as text, null without a session; undefined if it couldn't be called. */
type Said = string | null | undefined

/**
 * Admissions in progress. Readings that arrive the same way while one is in progress share the next one, which starts
 * after all of them arrived: a screen that loads with seven calls is admitted twice, and none of them is judged by
 * outdated rights.
 */
class Asking {
  readonly #now = new Map<string, Promise<Said>>()
  readonly #next = new Map<string, Promise<Said>>()

  isAsked(key: string): boolean {
    return this.#now.has(key)
  }

  /** Registers a call that was just sent. Neither it nor those below may reject. */
  begin(key: string, said: Promise<Said>): Promise<Said> {
    this.#now.set(key, said)
    void said.finally(() => {
      if (this.#now.get(key) === said) this.#now.delete(key)
    })
    return said
  }

  /** The result of the call after the running one. */
  next(key: string, ask: () => Promise<Said>): Promise<Said> {
    const shared = this.#next.get(key)
    if (shared) return shared
    const next = Promise.resolve(this.#now.get(key)).then(() => {
      this.#next.delete(key)
      return this.begin(key, ask())
    })
    this.#next.set(key, next)
    return next
  }
}

const memories = new WeakMap<pg.Pool, { entrances: AdmissionCache; asking: Asking }>()

/** What enter() returned to this caller at their last read: the text that it must return again, and the same parsed. */
export type PastEntrance = { text: string; entered: Entered }

const memoryOf = (pool: pg.Pool) => {
  const memory = memories.get(pool) ?? { entrances: new AdmissionCache(), asking: new Asking() }
  memories.set(pool, memory)
  return memory
}

/** What this text from enter() says; parsed once for as long as it stays the same. */
export function entranceOf(pool: pg.Pool, ids: EntryIds, text: string | null): Entered {
  const { entrances } = memoryOf(pool)
  const key = entranceKey(ids)
  const past = entrances.get(key)
  return past && past.text === text ? past.entered : entrances.put(key, text)
}

/** The caller's last entrance, for a check of whether it still holds. Not a permission to do anything. */
export const pastEntrance = (pool: pg.Pool, ids: EntryIds): PastEntrance | undefined =>
  memories.get(pool)?.entrances.get(entranceKey(ids))

/** Who enters what, as one text. */
export const entranceKey = ({ tokenHash, orgId, projectId }: EntryIds): string =>
  `${tokenHash?.toString('base64') ?? ''} ${orgId ?? ''} ${projectId ?? ''}`

/**
 * enterTenant for what only reads, without waiting for enter() when someone came this way before. `fn` runs on what
 * enter() answered then, while enter() is asked; what came of it counts only when enter() answers the very same now,
 * and otherwise nothing of it is seen and `fn` runs again on the truth. A write in `fn` fails.
 */
export async function readTenant<T>(
  pool: pg.Pool,
  ids: EntryIds,
  now: Date,
  fn: (tx: Tx, entered: Entered) => Promise<T>,
): Promise<T> {
  assertBound(pool)
  const { entrances, asking } = memoryOf(pool)
  const key = entranceKey(ids)
  const enter = { text: ENTER, values: [ids.tokenHash, ids.orgId, ids.projectId, now] }
  const believed = entrances.get(key)
  if (believed) {
    const alone = !asking.isAsked(key)
    // alone, enter() goes in the same write as the verb's first statement
    const first = alone
      ? { text: ENTER_TO_READ, values: enter.values }
      : { text: SET_TENANT_TO_READ, values: [believed.entered.org_id ?? ''] }
    const { rows, outcome } = readBeforehand(pool, first, (tx) => fn(tx, believed.entered))
    const said = alone
      ? asking.begin(key, rows.then(saidIn))
      : asking.next(key, () =>
          inOneTrip(pool, [enter]).then(
            ([answer]) => saidIn(answer),
            () => undefined,
          ),
        )
    const came = await outcome
    if ((await said) === believed.text) {
      if ('error' in came) throw came.error
      return came.value
    }
  }
  return await inTransaction(pool, enter, (tx, rows) => fn(tx, entrances.put(key, answered.parse(rows[0]).entered)), {
    readOnly: true,
  })
}

/**
 * enterTenant for what changes something, in the same way: `fn` runs on the caller's last entrance while enter() is asked,
 * in the transaction that enter() opens with its first statement. If enter() doesn't answer the very same now, that
 * transaction is rolled back and `fn` runs again on the truth; so it must change nothing but its transaction.
 */
export async function changeTenant<T>(
  pool: pg.Pool,
  ids: EntryIds,
  now: Date,
  fn: (tx: Tx, entered: Entered) => Promise<T>,
): Promise<T> {
  assertBound(pool)
  const { entrances } = memoryOf(pool)
  const key = entranceKey(ids)
  const enter = { text: ENTER, values: [ids.tokenHash, ids.orgId, ids.projectId, now] }
  const believed = entrances.get(key)
  const done =
    believed &&
    (await writeBeforehand(
      pool,
      enter,
      (rows) => saidIn(rows) === believed.text,
      (tx) => fn(tx, believed.entered),
    ))
  if (done) return done.value
  return await inTransaction(pool, enter, (tx, rows) => fn(tx, entrances.put(key, answered.parse(rows[0]).entered)))
}

const saidIn = (rows: unknown[] | undefined): Said => answered.safeParse(rows?.[0]).data?.entered

/** A tenant transaction without a session, for jobs: sets app.org_id, in one round trip with begin. */
export async function asTenant<T>(pool: pg.Pool, orgId: string, fn: (tx: Tx) => Promise<T>): Promise<T> {
  assertBound(pool)
  const first = { text: "select set_config('app.org_id', $1::uuid::text, true)", values: [orgId] }
  return await inTransaction(pool, first, (tx) => fn(tx))
}

/** On a pool of the system role the policies bind nothing, and one tenant's work would affect all. */
function assertBound(pool: pg.Pool): void {
  if (!isAppPool(pool)) throw new Error('A tenant transaction needs a pool of the app role: web, background or exports')
}
