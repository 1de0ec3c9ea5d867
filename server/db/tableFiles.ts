import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Client } from 'pg'
import { copyOut } from './copy.ts'
import type { DumpedTable } from './tables.ts'

/** One table of a dump: its file in the dump's folder, and what has to be in it. */
export type TableFile = {
  name: string
  file: string
  columns: string[]
  rows: number
  /** Of the bytes that the database sent, in hex. Dumps of earlier versions don't have it. */
  sha256?: string | undefined
}

/** Writes a table's rows as COPY's text into the dump's folder and reads them back. Throws if they differ. */
export async function writeTable(client: Client, folder: string, table: DumpedTable): Promise<TableFile> {
  const { name, columns } = table
  const file = `tables/${name.replaceAll('"', '')}.copy`
  const stream = createWriteStream(join(folder, file), { mode: 0o600 })
  // a partitioned table is only copied as a query
  const sent = await copyOut(client, `copy (select ${columns.join(', ')} from ${name}) to stdout`, stream)
  stream.end()
  await finished(stream)
  const written = { name, file, columns, ...sent }
  await assertTable(folder, written)
  return written
}

/** Throws a sentence that names the file if it's missing, or isn't what the database sent. */
export async function assertTable(folder: string, table: TableFile): Promise<void> {
  const damaged = (how: string): Error => new Error(`${table.file} of the dump is damaged: ${how}`)
  const found = await readRows(join(folder, table.file), table.columns.length).catch((error: unknown) => {
    throw damaged(error instanceof Error ? error.message : "it can't be read")
  })
  if (found.uneven)
    throw damaged(`row ${found.uneven.row} has ${found.uneven.columns} columns instead of ${table.columns.length}`)
  if (found.rows !== table.rows) throw damaged(`it has ${found.rows} rows instead of ${table.rows}`)
  if (table.sha256 !== undefined && found.sha256 !== table.sha256)
    throw damaged("its rows aren't those that the database sent")
}

type Found = { rows: number; sha256: string; uneven: { row: number; columns: number } | undefined }

const LINE = 0x0a
const TAB = 0x09

/** In COPY's text a row is a line, and a tab is between two columns: those in values are escaped. */
async function readRows(path: string, columns: number): Promise<Found> {
  const hash = createHash('sha256')
  let rows = 0
  let tabs = 0
  let uneven: Found['uneven']
  let last = LINE
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    for (const byte of chunk) {
      if (byte === TAB) tabs++
      if (byte !== LINE) continue
      rows++
      // a table without columns has empty lines
      if (tabs + 1 !== columns && columns > 0) uneven ??= { row: rows, columns: tabs + 1 }
      tabs = 0
    }
    last = chunk.at(-1) ?? last
  }
  if (last !== LINE) uneven ??= { row: rows + 1, columns: tabs + 1 }
  return { rows, sha256: hash.digest('hex'), uneven }
}
