import { randomUUIDv7 } from 'node:crypto'
import { BulkCells, bulkColumns, type BulkImportDetail, type changeBulkRows, type checkBulk } from '#contract/bulk.ts'
import { insertMany } from '../db/insertMany.ts'
import { fail } from '../errors.ts'
import type { Context, ProjectContext } from '../http/route.ts'

import { loadImport, mustBeVersion, mustRest, rowsOf, type ImportRow, type StoredRow } from './access.ts'
import type { LinkHosts } from '../links/hosts.ts'
import { look, present } from './look.ts'
import { readRows, tidy } from './readRows.ts'

/** Stores the rows of a file or of pasted cells and checks them; nothing is scheduled. Throws BAD_INPUT at `source`. */
export async function takeIn(c: Context<typeof checkBulk>, hosts: LinkHosts): Promise<BulkImportDetail> {
  const { name, source } = c.body
  const { rows, unknownColumns } = readRows(source)
  const importId = randomUUIDv7()
  const found = await c.tx
    .insertInto('bulk_import')
    .values({
      org_id: c.org.orgId,
      id: importId,
      project_id: c.project.projectId,
      name: name || 'Pasted rows',
      unknown_columns: unknownColumns,
      created_at: c.now,
      created_by: c.caller.personId,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await insertMany(
    c.tx,
    'bulk_row',
    rows.map(({ row, cells }) => ({
      org_id: c.org.orgId,
      import_id: importId,
      row,
      state: 'open',
      cells,
      problems: [],
      post_ids: [],
      tries: 0,
    })),
  )
  return await present(c, await look(c, found, hosts))
}

/**
 * Changes cells, removes rows, or reopens failed or undone ones. Throws STALE_VERSION; POST_LOCKED for rows that have
 * posts, and while the job works.
 */
export async function changeRows(c: Context<typeof changeBulkRows>, hosts: LinkHosts): Promise<BulkImportDetail> {
  const found = await loadImport(c, c.params.importId)
  mustBeVersion(found, c.body.version)
  const rows = await rowsOf(c, found.id)
  mustRest(rows)
  const byRow = new Map(rows.map((row) => [row.row, row]))
  for (const wanted of c.body.rows) {
    const row = byRow.get(wanted.row)
    if (!row) throw fail('NOT_FOUND', { detail: `There's no row ${wanted.row} in this import.` })
    mustBeFree(row)
    const written = { ...row.cells, ...wanted.cells }
    const cells = BulkCells.parse(
      Object.fromEntries(bulkColumns.map((column) => [column, tidy(column, written[column])])),
    )
    await c.tx
      .updateTable('bulk_row')
      .set({
        cells: JSON.stringify(cells),
        state: wanted.skip ? 'skipped' : 'open',
        problems: '[]',
        plan: null,
        tries: 0,
        asked_by: null,
      })
      .where('org_id', '=', c.org.orgId)
      .where('import_id', '=', found.id)
      .where('row', '=', row.row)
      .execute()
  }
  return await present(c, await look(c, await raise(c, found), hosts))
}

/** What has posts stays as it was confirmed: the posts themselves are edited. */
function mustBeFree({ row, state, post_ids }: StoredRow): void {
  if (state === 'made' || post_ids.length > 0)
    throw fail('POST_LOCKED', { detail: `Row ${row} is already scheduled. Edit its post instead.` })
}

/** Increases the version and notifies open screens. */
export async function raise(c: ProjectContext, found: ImportRow): Promise<ImportRow> {
  const raised = { ...found, version: found.version + 1 }
  await c.tx
    .updateTable('bulk_import')
    .set({ version: raised.version })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', found.id)
    .execute()
  await c.emit({ kind: 'bulk', ref: found.id })
  return raised
}
