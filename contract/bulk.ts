import { z } from 'zod'
import { Done, Id, Instant, ProjectParams } from './common.ts'
import { can, endpoint } from './endpoint.ts'
import { TEXT_LIMIT_DEFAULT } from './constants.ts'

/** How many rows one import may have. */
export const BULK_ROWS_MOST = 500

/** The template's columns in order. A file may have them in any order, and leave out optional ones. */
export const bulkColumns = [
  'text',
  'channel',
  'date',
  'time',
  'timezone',
  'media',
  'labels',
  'campaign',
  'firstComment',
  'title',
  'postType',
] as const
export const BulkColumn = z.enum(bulkColumns)
export type BulkColumn = z.infer<typeof BulkColumn>

/** The columns' names in the template and on screen. */
export const bulkColumnNames: Record<BulkColumn, string> = {
  text: 'Text',
  channel: 'Channel',
  date: 'Date',
  time: 'Time',
  timezone: 'Time zone',
  media: 'Media URLs',
  labels: 'Labels',
  campaign: 'Campaign',
  firstComment: 'First comment',
  title: 'Title',
  postType: 'Post type',
}

const short = z.string().max(2000, 'This cell is too long')
const cells = {
  text: z.string().max(TEXT_LIMIT_DEFAULT, 'This text is too long'),
  channel: short,
  date: short,
  time: short,
  timezone: short,
  media: z.string().max(20_000, 'This cell is too long'),
  labels: short,
  campaign: short,
  firstComment: z.string().max(8000, 'This cell is too long'),
  title: short,
  postType: short,
} satisfies Record<BulkColumn, z.ZodString>
/** What a person wrote into one row; an empty cell is an empty text. */
export const BulkCells = z.object(cells)
export type BulkCells = z.infer<typeof BulkCells>

/** A message about one row: at a column, or about the row as a whole. It says what to do. */
export const BulkRemark = z.object({ column: BulkColumn.nullable(), message: z.string() })
export type BulkRemark = z.infer<typeof BulkRemark>

/**
 * `open` rows wait for the confirmation; `skipped` ones were left out by a person; `waiting` ones are confirmed and
 * being scheduled; `made` ones have their posts; `failed` ones were confirmed and couldn't be scheduled; `undoing` and
 * `undone` ones were taken back, a row that kept something says what.
 */
export const bulkRowStates = ['open', 'skipped', 'waiting', 'made', 'failed', 'undoing', 'undone'] as const
export const BulkRowState = z.enum(bulkRowStates)
export type BulkRowState = z.infer<typeof BulkRowState>

export const BulkRow = z.object({
  /** As in a spreadsheet: the header is row 1. */
  row: z.int(),
  state: BulkRowState,
  cells: BulkCells,
  /** Why it can't be scheduled as it is: checked on every read, and once more at the confirmation. */
  errors: z.array(BulkRemark),
  /** Warnings about what may be intended. */
  warnings: z.array(BulkRemark),
  /** When it will be published; null while that isn't known. */
  dueAt: Instant.nullable(),
  /** The zone of its time. */
  timezone: z.string().nullable(),
  channels: z.array(z.object({ channelId: Id, handle: z.string(), platformName: z.string() })),
  postIds: z.array(Id),
})
export type BulkRow = z.infer<typeof BulkRow>

const Count = z.int().min(0)
export const BulkImport = z.object({
  importId: Id,
  /** The file's name, or a name for pasted rows. */
  name: z.string(),
  createdAt: Instant,
  author: z.object({ userId: Id, name: z.string() }),
  /** Increases with every change by a person; a confirmation names the one that was seen. */
  version: z.int(),
  /** `scheduling` and `undoing` while the job is running. */
  state: z.enum(['open', 'scheduling', 'done', 'undoing', 'undone']),
  counts: z.record(BulkRowState, Count),
})
export type BulkImport = z.infer<typeof BulkImport>

export const BulkImportDetail = BulkImport.extend({
  rows: z.array(BulkRow),
  /** Open rows without errors, which a confirmation schedules. */
  ready: Count,
  /** Open rows that can't be scheduled as they are. */
  wrong: Count,
  /** The file's unknown columns, which were ignored. */
  unknownColumns: z.array(z.string()),
  /** Why a confirmation would be refused as a whole, such as the cap of scheduled posts; otherwise null. */
  refusal: z.object({ code: z.string(), message: z.string(), channels: z.array(z.string()) }).nullable(),
})
export type BulkImportDetail = z.infer<typeof BulkImportDetail>

const ImportParams = ProjectParams.extend({ importId: Id })
const Version = z.int().min(1)

export const checkBulk = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/bulk-schedule',
  summary:
    'Check rows from a CSV file or a spreadsheet; lists each error with row, column and reason. Nothing is scheduled until confirmed',
  access: can('post', 'create'),
  cost: 'bulk',
  changes: ['bulk'],
  params: ProjectParams,
  body: z.object({
    name: z.string().trim().max(255).default(''),
    /** The file's text as it is: commas, semicolons or tabs, with or without the template's header. */
    source: z.string().min(1, 'Choose a file or paste rows').max(4_000_000, 'This is too large'),
  }),
  reply: BulkImportDetail,
  errors: ['BAD_INPUT', 'IDEMPOTENCY_MISMATCH'],
  audit: { none: 'nothing is scheduled before the confirmation, which is audited' },
  // each of its quotation marks, tabs and line breaks takes two bytes in JSON
  bodyLimit: 8_100_000,
  idempotent: true,
})
export const listBulk = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/post/bulk-schedule',
  summary: 'List imports, newest first',
  access: can('post', 'create'),
  cost: 'light',
  reads: ['bulk', 'post', 'channel', 'taxonomy'],
  params: ProjectParams,
  reply: z.object({ imports: z.array(BulkImport) }),
  audit: null,
})
export const getBulk = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/post/bulk-schedule/:importId',
  summary: 'Get an import with its rows and their current errors',
  access: can('post', 'create'),
  cost: 'light',
  reads: ['bulk', 'post', 'channel', 'taxonomy'],
  params: ImportParams,
  reply: BulkImportDetail,
  errors: ['NOT_FOUND'],
  audit: null,
})
export const changeBulkRows = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project/:projectId/post/bulk-schedule/:importId',
  summary: 'Edit cells, skip rows, or include rows again that failed or were undone',
  access: can('post', 'create'),
  cost: 'post',
  changes: ['bulk'],
  params: ImportParams,
  body: z.object({
    version: Version,
    rows: z
      .array(
        z.object({
          row: z.int().min(1),
          cells: BulkCells.partial().optional(),
          /** Skipped; false includes it again. */ skip: z.boolean().default(false),
        }),
      )
      .min(1)
      .max(BULK_ROWS_MOST),
  }),
  reply: BulkImportDetail,
  errors: ['NOT_FOUND', 'STALE_VERSION', 'POST_LOCKED'],
  audit: { none: 'nothing is scheduled before the confirmation, which is audited' },
})
export const confirmBulk = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/bulk-schedule/:importId/confirm',
  summary: 'Schedule the rows without errors in the background; each row succeeds or fails on its own',
  access: can('post', 'create'),
  cost: 'bulk',
  changes: ['bulk', 'post'],
  params: ImportParams,
  body: z.object({
    version: Version,
    /** How many rows would be scheduled according to the screen. Refused if the number has changed. */
    rows: z.int().min(1),
    /** Sends the posts for approval in this workflow instead. */
    workflowId: Id.optional(),
  }),
  reply: BulkImportDetail.extend({ message: z.string() }),
  errors: ['NOT_FOUND', 'STALE_VERSION', 'POST_LOCKED', 'SCHEDULE_CAP', 'PLAN_LIMIT', 'FORBIDDEN', 'BAD_INPUT'],
  audit: { action: 'confirmed', entity: 'bulk_schedule' },
})
export const undoBulk = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/bulk-schedule/:importId/undo',
  summary: 'Undo an import in the background: deletes unpublished posts and gives a reason for each post that remains',
  access: can('post', 'create', 'delete'),
  cost: 'bulk',
  changes: ['bulk', 'post'],
  params: ImportParams,
  reply: BulkImportDetail.extend({ message: z.string() }),
  errors: ['NOT_FOUND', 'POST_LOCKED'],
  audit: { action: 'undone', entity: 'bulk_schedule' },
})
export const removeBulk = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/post/bulk-schedule/:importId',
  summary: 'Remove an import from the list; its posts remain',
  access: can('post', 'create'),
  cost: 'light',
  changes: ['bulk'],
  params: ImportParams,
  reply: Done,
  errors: ['NOT_FOUND', 'POST_LOCKED'],
  audit: { action: 'removed', entity: 'bulk_schedule' },
})
