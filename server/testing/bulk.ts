import {
  changeBulkRows,
  checkBulk,
  confirmBulk,
  getBulk,
  undoBulk,
  type BulkCells,
  type BulkImportDetail,
} from '#contract/bulk.ts'
import { writeCsv } from '#contract/csv.ts'
import { bulkJobs } from '../bulk/jobs.ts'
import type { TestHome, TestPerson } from './people.ts'
import { runJobs } from './runJobs.ts'
import type { TestApp } from './startApp.ts'

/** Puts an organization on a paid plan. */
export async function onPlan(app: TestApp, { orgId }: TestHome, planId: 'free' | 'individual' | 'team'): Promise<void> {
  await app.database.owner.query(
    "update plan set plan_id = $2, status = 'ACTIVE', trial_ends_at = null where org_id = $1",
    [orgId, planId],
  )
}

const header = [
  'Text',
  'Channel',
  'Date',
  'Time',
  'Time zone',
  'Media URLs',
  'Labels',
  'Campaign',
  'First comment',
  'Title',
  'Post type',
]

/** One row of a file, for 1 December 2026 at half past nine. */
export function bulkRow(text: string, more: Partial<BulkCells> = {}): string[] {
  const {
    channel = '@harbour.example',
    date = '2026-12-01',
    time = '09:30',
    timezone = '',
    media = '',
    labels = '',
    campaign = '',
    firstComment = '',
    title = '',
    postType = '',
  } = more
  return [text, channel, date, time, timezone, media, labels, campaign, firstComment, title, postType]
}

export const bulkFile = (rows: readonly string[][]): string => writeCsv([header, ...rows])

/** A person's actions on an import, through the API; `land` does the worker's part. */
export function bulkOn(app: TestApp) {
  const at = (home: TestHome, { importId }: { importId: string }) => ({ ...home.params, importId })
  return {
    check: (
      home: TestHome,
      rows: string[][],
      { as = home.person, source = bulkFile(rows) }: { as?: TestPerson; source?: string } = {},
    ): Promise<BulkImportDetail> =>
      app.call(checkBulk, { params: home.params, body: { name: 'december.csv', source } }, { as }),
    read: (home: TestHome, found: { importId: string }, as: TestPerson = home.person): Promise<BulkImportDetail> =>
      app.call(getBulk, { params: at(home, found) }, { as }),
    confirm: (
      home: TestHome,
      found: BulkImportDetail,
      { as = home.person, workflowId }: { as?: TestPerson; workflowId?: string } = {},
    ) =>
      app.call(
        confirmBulk,
        {
          params: at(home, found),
          body: { version: found.version, rows: found.ready, ...(workflowId !== undefined && { workflowId }) },
        },
        { as },
      ),
    change: (
      home: TestHome,
      found: BulkImportDetail,
      rows: { row: number; cells?: Partial<BulkCells>; skip?: boolean }[],
      as: TestPerson = home.person,
    ) => app.call(changeBulkRows, { params: at(home, found), body: { version: found.version, rows } }, { as }),
    undo: (home: TestHome, found: { importId: string }, as: TestPerson = home.person) =>
      app.call(undoBulk, { params: at(home, found) }, { as }),
    land: () => runJobs(app, bulkJobs(app.parts)),
  }
}
