import { AbortedTransactionError, type Compilable, type RawBuilder } from 'kysely'
import type pg from 'pg'
import { insertMany } from './insertMany.ts'
import type { DeferredInsert } from './deferredInserts.ts'
import type { Tx } from './kysely.ts'
import type { Database } from './schema.ts'
import {
  BEGIN_READ,
  connectionIn,
  inOneWrite,
  named,
  TransactionConnection,
  transactionOn,
  type Opening,
} from './transactionConnection.ts'

/**
 * Begins a transaction, together with a first statement when one is given (one round trip for both), runs `fn`, and
 * commits; on a throw it rolls back and passes the error on. The client is dropped when the rollback fails too. With
 * `durable: false` the commit doesn't wait for the disk; with `readOnly` a write fails.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  first: pg.QueryConfig | null,
  fn: (tx: Tx, rows: unknown[]) => Promise<T>,
  { durable = true, readOnly = false }: { durable?: boolean; readOnly?: boolean } = {},
): Promise<T> {
  const client = await pool.connect()
  const connection = new TransactionConnection(client)
  let broken = false
  try {
    const rows = await begin(client, first, readOnly ? BEGIN_READ : durable ? 'begin' : BEGIN_SOFT)
    const result = await fn(transactionOn(connection), rows)
    await connection.commit()
    return result
  } catch (error) {
    await connection.rollback().catch(() => {
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/** What comes of a transaction whose first statement nobody waits for. Neither promise rejects, but when no connection is to be had. */
export type Discarded<T> = {
  /** The rows of the first statement, as soon as they are here; undefined when it wasn't sent or failed. */
  rows: Promise<unknown[] | undefined>
  outcome: Promise<{ value: T } | { error: unknown }>
}

/**
 * A read-only transaction that begins, and sends a first statement, together with the first statement of `fn`: one
 * round trip less. `fn` runs without knowing the first result; the caller decides by its rows whether to use the
 * outcome. The first must forbid writes, as `set_config('transaction_read_only', 'on', true)` does: if `fn` sends one
 * statement with `readAndCommit`, nothing else does.
 */
export function readBeforehand<T>(pool: pg.Pool, first: pg.QueryConfig, fn: (tx: Tx) => Promise<T>): Discarded<T> {
  const { opening, rows, close } = openingWith(BEGIN_READ, first)
  const run = async () => {
    const client = await pool.connect()
    const connection = new TransactionConnection(client, opening)
    let broken = false
    try {
      const value = await fn(transactionOn(connection))
      await connection.commit()
      return { value }
    } catch (error) {
      await connection.rollback().catch(() => {
        broken = true
      })
      return { error }
    } finally {
      client.release(broken)
    }
  }
  // answered before what was sent behind it; left open only by what was never sent
  const outcome = run().finally(close)
  return { rows, outcome }
}

/**
 * The same for a transaction that writes: it commits only if `isTrue` accepts the rows of the first statement. Otherwise
 * nothing of it is done or thrown, nor if `fn` sent nothing, and the result is undefined.
 */
export async function writeBeforehand<T>(
  pool: pg.Pool,
  first: pg.QueryConfig,
  isTrue: (rows: unknown[] | undefined) => boolean,
  fn: (tx: Tx) => Promise<T>,
): Promise<{ value: T } | undefined> {
  const client = await pool.connect()
  const { opening, rows, close } = openingWith('begin', first)
  const connection = new TransactionConnection(client, opening)
  let broken = false
  const rollback = () =>
    connection.rollback().catch(() => {
      broken = true
    })
  try {
    const [outcome] = await Promise.allSettled([fn(transactionOn(connection))])
    if (connection.isUnopened) close()
    if (!isTrue(await rows)) {
      await rollback()
      return undefined
    }
    if (outcome.status === 'rejected') throw outcome.reason
    await connection.commit()
    return { value: outcome.value }
  } catch (error) {
    await rollback()
    throw error
  } finally {
    client.release(broken)
  }
}

function openingWith(words: Opening['words'], statement: pg.QueryConfig) {
  const { promise: rows, resolve } = Promise.withResolvers<unknown[] | undefined>()
  const hear = (answer: Promise<pg.QueryResult>) =>
    answer.then(
      (result) => resolve(result.rows),
      () => resolve(undefined),
    )
  return { opening: { words, statement, hear }, rows, close: () => resolve(undefined) }
}

const BEGIN_SOFT = 'begin; set local synchronous_commit = off'

async function begin(client: pg.ClientBase, first: pg.QueryConfig | null, words: string): Promise<unknown[]> {
  if (!first) {
    await client.query(words)
    return []
  }
  const [, result] = await inOneWrite(client, () => [
    client.query(words),
    client.query<pg.QueryResultRow>(named(first)),
  ])
  return result.rows
}

/**
 * A whole transaction in one write and one round trip, for statements of which none needs the answer of another.
 * Returns the rows of each; fails with the first error, and then nothing was done.
 */
export async function inOneTrip(
  pool: pg.Pool,
  statements: readonly pg.QueryConfig[],
  { durable = true }: { durable?: boolean } = {},
): Promise<unknown[][]> {
  const all = statements.map(named)
  const [only] = all
  // a single statement is its own transaction
  if (only && all.length === 1 && durable) return [(await pool.query<pg.QueryResultRow>(only)).rows]
  const client = await pool.connect()
  try {
    const answers = await inOneWrite(client, () => [
      client.query(durable ? 'begin' : BEGIN_SOFT),
      ...all.map((one) => client.query<pg.QueryResultRow>(one)),
      client.query('commit'),
    ])
    if (answers.at(-1)?.command === 'ROLLBACK') throw new AbortedTransactionError()
    return answers.slice(1, -1).map(({ rows }) => rows)
  } finally {
    client.release()
  }
}

/**
 * Inserts rows that nothing in the transaction reads, with its commit, by one statement for all of them and in the same
 * write; when that fails, the transaction fails. A transaction that isn't one of ours inserts at once.
 */
export async function insertWithCommit<T extends keyof Database>(
  tx: Tx,
  table: T,
  rows: readonly DeferredInsert<T>[],
): Promise<void> {
  const connection = connectionIn(tx)
  if (connection) connection.kept.add(table, rows)
  else await insertMany(tx, table, rows)
}

/** The same for an insert of any form; what nothing in the transaction reads either. Its names are unique in the transaction. */
export function queryWithCommit(
  tx: Tx,
  { name, insert, last }: { name: string; insert: RawBuilder<unknown>; last?: RawBuilder<unknown> },
): void {
  const { kept } = connectionOf(tx)
  kept.addQuery({ name, insert: insert.compile(tx), ...(last && { last: last.compile(tx) }) })
}

/** Sends a query before this returns, so before any other that is asked for afterwards, and resolves to its rows. */
export async function sendAhead<R>(tx: Tx, query: RawBuilder<R>): Promise<R[]> {
  const { rows } = await connectionOf(tx).executeQuery<R>(query.compile(tx))
  return rows
}

/** Inserts now what was to be inserted with the commit, for what reads it after all. */
export async function insertDeferred(tx: Tx): Promise<void> {
  await connectionIn(tx)?.sendKept()
}

function connectionOf(tx: Tx): TransactionConnection {
  const connection = connectionIn(tx)
  if (!connection) throw new Error('Not a transaction opened by inTransaction')
  return connection
}

/**
 * Runs the last query of a transaction with the commit behind it in the same write: for reads, which then cost two
 * round trips in all. Nothing may be asked of `tx` afterwards, and a throw afterwards undoes nothing.
 */
export async function readAndCommit<R>(tx: Tx, query: Compilable<R>): Promise<R[]> {
  const result = await connectionOf(tx).executeAndCommit<R>(query.compile())
  return result.rows
}
