import { CompiledQuery } from 'kysely'
import type { Database } from './schema.ts'

/** Column values by name, JSON columns as objects. All rows that one table is given carry the same columns. */
export type DeferredInsert<T extends keyof Database> = Partial<Record<keyof Database[T] & string, unknown>>

/** Rows that are inserted when their transaction commits, all tables by one statement, in no promised order. */
export class DeferredInserts {
  readonly #rows = new Map<string, Record<string, unknown>[]>()

  add<T extends keyof Database>(table: T, rows: readonly DeferredInsert<T>[]): void {
    const kept = this.#rows.get(table)
    if (kept) kept.push(...rows)
    else this.#rows.set(table, [...rows])
  }

  /** The statement for what was kept; undefined when there is nothing. */
  statement(): CompiledQuery | undefined {
    const parameters: unknown[] = []
    const inserts: string[] = []
    for (const [table, rows] of this.#rows) {
      const [first, ...more] = rows
      if (!first) continue
      const columns = Object.keys(first)
      const into = `insert into ${table} (${columns.join(', ')})`
      // one row is the rule; several come as JSON, so that the text doesn't depend on how many they are
      if (more.length === 0) {
        inserts.push(`${into} values (${columns.map((column) => `$${parameters.push(first[column])}`).join(', ')})`)
      } else {
        inserts.push(
          `${into} select ${columns.join(', ')} from json_populate_recordset(null::${table}, $${parameters.push(JSON.stringify(rows))}::json)`,
        )
      }
    }
    const last = inserts.pop()
    if (last === undefined) return undefined
    const before = inserts.map((insert, i) => `kept_${i} as (${insert})`).join(', ')
    return CompiledQuery.raw(before ? `with ${before} ${last}` : last, parameters)
  }
}
