import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { harmless, writeCsv } from '#contract/csv.ts'
import { CHAIN_FILE, chainLines } from '../audit/exportedChain.ts'
import type { Tx } from '../db/kysely.ts'
import { exportedTables, rowsIn, type ExportedTable } from './exported.ts'

const PORTION = 1000
type Row = Record<string, unknown>

/**
 * Writes every table of the organization as JSON and as CSV into the folder, its members, and its sealed audit log. In
 * a transaction of `asOfOneMoment`. `onProgress` gets the number of finished tables and of all tables. Returns the
 * names of the files.
 */
export async function writeTables(
  tx: Tx,
  orgId: string,
  folder: string,
  onProgress: (done: number, of: number) => Promise<void>,
): Promise<string[]> {
  const tables = await exportedTables(tx)
  const files: string[] = []
  for (const [n, table] of tables.entries()) {
    files.push(...(await writeTable(table, folder, rowsOf(tx, table, orgId))))
    await onProgress(n + 1, tables.length)
  }
  // people who left haven't given this organization their new address
  const people = sql<Row>`select p.id, p.first_name, p.last_name, case when m.removed_at is null then p.email end as email from person p join member m on m.person_id = p.id where m.org_id = ${orgId} order by p.id`
  files.push(
    ...(await writeTable({ name: 'people', columns: ['id', 'first_name', 'last_name', 'email'] }, folder, [
      (await people.execute(tx)).rows,
    ])),
  )
  await writeLines(join(folder, CHAIN_FILE), chainLines(tx, orgId))
  return [...files, CHAIN_FILE]
}

async function writeLines(path: string, lines: AsyncIterable<string>): Promise<void> {
  await using file = await open(path, 'w')
  for await (const line of lines) await file.appendFile(line)
}

async function* rowsOf(tx: Tx, { name, columns }: ExportedTable, orgId: string): AsyncGenerator<Row[]> {
  // a name of its own: a statement that is prepared once can't answer other columns the next time
  const cursor = sql.ref(`copy_of_${name}`)
  await sql`declare ${cursor} no scroll cursor for select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)} where ${rowsIn(name, orgId)}`.execute(
    tx,
  )
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.raw(String(PORTION))} from ${cursor}`.execute(tx)
    yield rows
    if (rows.length < PORTION) break
  }
  await sql`close ${cursor}`.execute(tx)
}

async function writeTable(
  { name, columns }: ExportedTable,
  folder: string,
  portions: Iterable<Row[]> | AsyncIterable<Row[]>,
): Promise<string[]> {
  // handles instead of streams: a stream reports a full disk by an event that nobody receives between two chunks
  await using json = await open(join(folder, `${name}.json`), 'w')
  await using csv = await open(join(folder, `${name}.csv`), 'w')
  await json.appendFile('[')
  await csv.appendFile(`\uFEFF${writeCsv([columns])}`)
  let isFirst = true
  for await (const rows of portions) {
    if (rows.length === 0) continue
    await json.appendFile(`${isFirst ? '\n' : ',\n'}${rows.map((row) => JSON.stringify(row)).join(',\n')}`)
    await csv.appendFile(writeCsv(rows.map((row) => columns.map((column) => harmless(asCell(row[column]))))))
    isFirst = false
  }
  await json.appendFile('\n]\n')
  return [`${name}.json`, `${name}.csv`]
}

function asCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}
