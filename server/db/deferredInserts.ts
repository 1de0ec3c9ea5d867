import { CompiledQuery } from 'kysely'
import type { Database } from './schema.ts'

/** Column values by name, JSON columns as objects. All rows that one table is given carry the same columns. */
export type DeferredInsert<T extends keyof Database> = Partial<Record<keyof Database[T] & string, unknown>>

/** An insert that isn't of given rows, under a name that `last` may select from; both are sent with the other inserts. */
export type DeferredQuery = { name: string; insert: CompiledQuery; last?: CompiledQuery }

/** A post has two entries in its history from the start. */
const PLAIN_ROWS = 2

/** The columns are never arrays of PostgreSQL's, as which pg would send one, but JSON. */
const valueOf = (value: unknown): unknown => (Array.isArray(value) ? JSON.stringify(value) : value)

/** Rows that are inserted when their transaction commits, all tables by one statement, in no promised order. */
export class DeferredInserts {
  readonly #rows = new Map<string, Record<string, unknown>[]>()
  readonly #queries: DeferredQuery[] = []

  add<T extends keyof Database>(table: T, rows: readonly DeferredInsert<T>[]): void {
    const kept = this.#rows.get(table)
    if (kept) kept.push(...rows)
    else this.#rows.set(table, [...rows])
  }

  addQuery(query: DeferredQuery): void {
    this.#queries.push(query)
  }

  /** Takes what was kept as one statement; undefined when there is nothing. */
  take(): CompiledQuery | undefined {
    const parameters: unknown[] = []
    const inserts: { name: string; text: string }[] = []
    const renumbered = (query: CompiledQuery) => {
      const before = parameters.length
      parameters.push(...query.parameters)
      return query.sql.replaceAll(/\$(\d+)/g, (_, n: string) => `$${before + Number(n)}`)
    }
    for (const [table, rows] of this.#rows) {
      const [first] = rows
      if (!first) continue
      const columns = Object.keys(first)
      const into = `insert into ${table} (${columns.join(', ')})`
      // one row is the rule; many come as JSON, so that the text doesn't depend on how many they are
      const values =
        rows.length <= PLAIN_ROWS
          ? `values ${rows.map((row) => `(${columns.map((column) => `$${parameters.push(valueOf(row[column]))}`).join(', ')})`).join(', ')}`
          : `select ${columns.join(', ')} from json_populate_recordset(null::${table}, $${parameters.push(JSON.stringify(rows))}::json)`
      inserts.push({ name: `kept_${inserts.length}`, text: `${into} ${values}` })
    }
    for (const { name, insert } of this.#queries) inserts.push({ name, text: renumbered(insert) })
    const wanted = this.#queries.flatMap(({ last }) => last ?? [])
    if (wanted.length > 1) throw new Error('only one of the deferred queries can be the last one')
    const last = wanted[0] ? renumbered(wanted[0]) : inserts.pop()?.text
    this.#rows.clear()
    this.#queries.length = 0
    if (last === undefined) return undefined
    const before = inserts.map(({ name, text }) => `${name} as (${text})`).join(', ')
    return CompiledQuery.raw(before ? `with ${before} ${last}` : last, parameters)
  }
}
