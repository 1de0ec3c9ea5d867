import type { ProjectContext } from '../http/route.ts'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import { BulkCells, BulkRowState } from '#contract/bulk.ts'
import { StoredBulkProblem } from '#contract/bulkProblems.ts'
import { Submit } from '#contract/submit.ts'
import type { Database } from '../db/schema.ts'
import { fail } from '../errors.ts'
import { mayPosts } from '../posts/access.ts'

export type ImportRow = Selectable<Database['bulk_import']>
/** A row with its JSON columns parsed with the schemas they were written with. */
export type StoredRow = Omit<Selectable<Database['bulk_row']>, 'state' | 'cells' | 'plan' | 'problems'> & {
  state: BulkRowState
  cells: BulkCells
  plan: Plan | null
  problems: StoredBulkProblem[]
}

/** What was confirmed: the submit without its files, and their URLs. */
export const Plan = z.object({ submit: Submit, urls: z.array(z.string()) })
export type Plan = z.infer<typeof Plan>

/** A row as it's stored, its JSON parsed. */
export const parseRow = (row: Selectable<Database['bulk_row']>): StoredRow => ({
  ...row,
  state: BulkRowState.parse(row.state),
  cells: BulkCells.parse(row.cells),
  plan: Plan.nullable().parse(row.plan),
  problems: StoredBulkProblem.array().parse(row.problems),
})

/**
 * Imports may contain channels outside of a role with specific channels, and text that is private until it's posted:
 * members with such a role only see their own, and so do those who can't edit others' posts.
 */
const seesAll = (c: Pick<ProjectContext, 'project'>): boolean => c.project.channelIds === null && mayPosts(c, 'edit')

export function importsOf(c: ProjectContext) {
  const all = c.tx
    .selectFrom('bulk_import')
    .selectAll()
    .where('org_id', '=', c.org.orgId)
    .where('project_id', '=', c.project.projectId)
  return seesAll(c) ? all : all.where('created_by', '=', c.caller.personId)
}

/** The import. Absent, of another project, or someone else's whose the caller doesn't see: NOT_FOUND. */
export async function findImport(c: ProjectContext, importId: string): Promise<ImportRow> {
  const row = await importsOf(c).where('id', '=', importId).executeTakeFirst()
  if (!row) throw fail('NOT_FOUND')
  return row
}

/** The same, locked: confirmations, changes and undoing of one import come one after the other. */
export async function loadImport(c: ProjectContext, importId: string): Promise<ImportRow> {
  const row = await importsOf(c).where('id', '=', importId).forUpdate().executeTakeFirst()
  if (!row) throw fail('NOT_FOUND')
  return row
}

/** The rows of an import, in the order of the file. */
export async function rowsOf({ tx, org }: Pick<ProjectContext, 'tx' | 'org'>, importId: string): Promise<StoredRow[]> {
  const rows = await tx
    .selectFrom('bulk_row')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('import_id', '=', importId)
    .orderBy('row')
    .execute()
  return rows.map(parseRow)
}

/** Throws STALE_VERSION when someone changed the import since the caller looked. */
export function mustBeVersion(found: ImportRow, version: number): void {
  if (found.version !== version)
    throw fail('STALE_VERSION', {
      detail: 'These rows were changed in another window. Review them again.',
      meta: { version: found.version },
    })
}

/** Throws POST_LOCKED while the job works on the import. */
export function mustRest(rows: readonly Pick<StoredRow, 'state'>[]): void {
  if (rows.some(({ state }) => state === 'waiting'))
    throw fail('POST_LOCKED', { detail: "These rows are being scheduled. Wait until that's done, or undo it." })
  if (rows.some(({ state }) => state === 'undoing'))
    throw fail('POST_LOCKED', { detail: "These rows are being undone. Wait until that's done." })
}
