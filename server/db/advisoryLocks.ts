/*
 * Every advisory lock, so that no two purposes share one by accident: those who share wait for each other, and may do so
 * in a circle. SQL functions write the number themselves; advisoryLocks.test.ts compares them with this list.
 */

/** Locks of two numbers: the first is the purpose, the second is what it's about (`hashtext` of an ID, or 0). */
export const advisoryLocks = {
  /** A project's counts: their changes share it, a recount has it alone (`functions/counts.sql`). */
  counts: 25,
  /** The items of a channel's inbox (`inbox/store.ts`). */
  inbox: 26,
  /** Those who have to write a channel's lane (`functions/scheduling.sql`, `wake_lanes`). */
  lanes: 27,
  /** The creation of partitions (`functions/partitions.sql`). */
  partitions: 28,
  /**
   * How many posts a channel may have scheduled (`functions/scheduling.sql`, `lock_caps`). It was 26 as well. The function
   * is replaced for nodes of all versions at once, so only transactions that were open at that moment don't exclude later
   * ones: a cap may be passed by them, once. The inbox keeps 26, because its nodes take it themselves.
   */
  caps: 29,
  /** A project's counts of the inbox: their changes share it, a recount has it alone (`functions/inbox_counts.sql`). */
  inboxCounts: 30,
  /** The requests with an Idempotency-Key (`functions/idempotency.sql`). */
  idempotency: 31,
} as const

/** The lock of one number for migrations: the same on every node, so that one node migrates and the others wait. */
export const MIGRATIONS_LOCK = 7_665_425

/** Locks of one number that is a hash of a name. How each name begins. */
export const namedLocks = [
  'draft',
  'imports',
  'uploads',
  'notice mail',
  'own organization',
  'competitors',
  'goals',
  'hashtags',
  'link in bio',
  'reports',
  'views',
  'report schedules',
  'report runs',
] as const
