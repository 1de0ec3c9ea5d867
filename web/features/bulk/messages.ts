import type { BulkImport, BulkImportDetail, BulkRow, BulkRowState } from '#contract/bulk.ts'
import type { Tone } from '#web/ui/tones.ts'

const counted = (n: number, one: string, many: string) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`
export const rowsInWords = (n: number): string => counted(n, 'row', 'rows')

/** An import's content in a few words: only what exists. */
export function summaryOf(
  counts: Record<BulkRowState, number>,
  checked?: Pick<BulkImportDetail, 'ready' | 'wrong'>,
): string {
  const parts = [
    checked
      ? counted(checked.ready, 'row ready', 'rows ready')
      : counted(counts.open, 'row not scheduled', 'rows not scheduled'),
    checked ? counted(checked.wrong, 'with an error', 'with errors') : '0',
    `${counts.waiting.toLocaleString('en')} waiting`,
    `${counts.made.toLocaleString('en')} scheduled`,
    `${counts.failed.toLocaleString('en')} failed`,
    `${counts.undoing.toLocaleString('en')} being undone`,
    `${counts.undone.toLocaleString('en')} undone`,
    `${counts.skipped.toLocaleString('en')} skipped`,
  ]
  const told = parts.filter((part) => !part.startsWith('0'))
  return told.length > 0 ? told.join(', ') : 'No rows'
}

type Look = { word: string; tone: Tone }

export function lookOfRow({
  state,
  errors,
  warnings,
  postIds,
}: Pick<BulkRow, 'state' | 'errors' | 'warnings' | 'postIds'>): Look {
  if (state === 'open') {
    if (errors.length > 0) return { word: counted(errors.length, 'error', 'errors'), tone: 'bad' }
    return warnings.length > 0 ? { word: 'Ready, with a warning', tone: 'wait' } : { word: 'Ready', tone: 'ok' }
  }
  if (state === 'undone' && postIds.length > 0) return { word: 'Stays', tone: 'wait' }
  return rowLooks[state]
}

const rowLooks: Record<Exclude<BulkRowState, 'open'>, Look> = {
  skipped: { word: 'Skipped', tone: 'neutral' },
  waiting: { word: 'Waiting', tone: 'info' },
  made: { word: 'Scheduled', tone: 'ok' },
  failed: { word: 'Failed', tone: 'bad' },
  undoing: { word: 'Undoing', tone: 'info' },
  undone: { word: 'Undone', tone: 'neutral' },
}

export function lookOfImport({ state, counts }: Pick<BulkImport, 'state' | 'counts'>): Look {
  if (state === 'scheduling') return { word: 'Scheduling', tone: 'info' }
  if (state === 'undoing') return { word: 'Undoing', tone: 'info' }
  if (state === 'undone') return { word: 'Undone', tone: 'neutral' }
  if (state === 'open') return { word: 'Not scheduled', tone: 'neutral' }
  return counts.failed > 0
    ? { word: counts.made > 0 ? 'Partly scheduled' : 'Failed', tone: 'bad' }
    : { word: 'Scheduled', tone: 'ok' }
}
