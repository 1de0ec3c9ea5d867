import { bulkColumnNames, bulkColumns, type BulkColumn } from '#contract/bulk.ts'
import { writeCsv } from '#contract/csv.ts'
import { addDays, wallOf } from '#web/lib/dates.ts'

/** The template: every column, and two rows that could be scheduled as they are, on a channel of this project. */
export function templateOf(handle: string, zone: string, now: Date): string {
  const { day } = wallOf(now, zone)
  const rows: Partial<Record<BulkColumn, string>>[] = [
    {
      text: 'Write your post here. A cell can have\nseveral lines.',
      channel: handle,
      date: addDays(day, 7),
      time: '09:30',
    },
    {
      text: 'You can leave the time zone and all columns to its right empty.',
      channel: handle,
      date: addDays(day, 8),
      time: '18:00',
      timezone: zone,
    },
  ]
  // the mark tells spreadsheets that this is UTF-8
  return `\uFEFF${writeCsv([bulkColumns.map((column) => bulkColumnNames[column]), ...rows.map((row) => bulkColumns.map((column) => row[column] ?? ''))])}`
}
