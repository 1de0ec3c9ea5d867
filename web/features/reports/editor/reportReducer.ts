import type { ReportBlock } from '#contract/reports/content.ts'
import { REPORTS } from '#contract/reports/limits.ts'
import type { Report } from '#contract/reports/reports.ts'
import { moved } from '#web/ui/useRowOrder.ts'
import { blockOf, differences, editedOf, type ContentPart, type EditedReport } from './edited.ts'

/** So many steps can be undone. */
const MOST_STEPS = 200

export type ReportState = {
  /** The report as the server has it, as far as the edits know. */
  saved: Report
  edited: EditedReport
  /** What can be undone, and redone; the nearest last. */
  past: readonly EditedReport[]
  future: readonly EditedReport[]
  /** What is being changed continuously, such as a text while it's typed: all of it is one step. */
  run: string | undefined
  /** Saved elsewhere while there were edits: someone has to choose. */
  newer: Report | undefined
}

/** A part of a block, whatever its kind: the editor of each kind changes only what it has. */
export type BlockPart = {
  [K in ReportBlock['kind']]: Partial<Omit<Extract<ReportBlock, { kind: K }>, 'kind' | 'blockId'>>
}[ReportBlock['kind']]

type EditAction =
  | { type: 'renamed'; reportName: string }
  /** With a `run`, changes of the same run in a row are one step. */
  | { type: 'contentChanged'; part: Partial<ContentPart>; run?: string }
  | { type: 'blockChanged'; blockId: string; part: BlockPart; run?: string }
  /** Behind another block, or at the end. */
  | { type: 'blockAdded'; block: ReportBlock; after: string | undefined }
  | { type: 'blockDuplicated'; blockId: string; newId: string }
  | { type: 'blockMoved'; from: number; to: number }
  | { type: 'blockRemoved'; blockId: string }
  /** Back to what is saved. */
  | { type: 'discarded' }
export type ReportAction =
  | EditAction
  | { type: 'undone' }
  | { type: 'redone' }
  /** A field was left: what is typed next is a step of its own. */
  | { type: 'paused' }
  /** The server's report was read again. */
  | { type: 'read'; report: Report }
  /** `sent` was stored as this report. */
  | { type: 'saved'; report: Report; sent: EditedReport }
  | { type: 'mineKept' }
  | { type: 'theirsTaken' }

export const startOf = (report: Report): ReportState => ({
  saved: report,
  edited: editedOf(report),
  past: [],
  future: [],
  run: undefined,
  newer: undefined,
})

export const isEdited = ({ saved, edited }: ReportState): boolean => differences(editedOf(saved), edited).length > 0

/** What happens to a report while someone edits it. Pure. */
export function reportReducer(state: ReportState, action: ReportAction): ReportState {
  switch (action.type) {
    case 'undone':
      return undone(state)
    case 'redone':
      return redone(state)
    case 'paused':
      return state.run === undefined ? state : { ...state, run: undefined }
    case 'read':
      return read(state, action.report)
    case 'saved': {
      const { report, sent } = action
      // what was typed since it was sent stays
      const edited = state.edited === sent ? editedOf(report) : state.edited
      return { ...state, saved: report, edited, run: undefined, newer: undefined }
    }
    case 'mineKept':
      return state.newer ? { ...state, saved: state.newer, newer: undefined } : state
    case 'theirsTaken':
      return state.newer ? stepTo({ ...state, saved: state.newer, newer: undefined }, editedOf(state.newer)) : state
    case 'discarded':
    case 'renamed':
    case 'contentChanged':
    case 'blockChanged':
    case 'blockAdded':
    case 'blockDuplicated':
    case 'blockMoved':
    case 'blockRemoved':
    default:
      return stepTo(state, changed(state, action), runOf(action))
  }
}

/** One more step, or more of the last one. */
function stepTo(state: ReportState, next: EditedReport, run?: string): ReportState {
  if (next === state.edited) return state
  const goesOn = run !== undefined && run === state.run
  const past = goesOn ? state.past : [...state.past, state.edited].slice(-MOST_STEPS)
  return { ...state, edited: next, past, future: [], run }
}

function runOf(action: EditAction): string | undefined {
  switch (action.type) {
    case 'renamed':
      return 'name'
    case 'contentChanged':
      return action.run
    case 'blockChanged':
      return action.run === undefined ? undefined : `${action.blockId}.${action.run}`
    case 'discarded':
    case 'blockAdded':
    case 'blockDuplicated':
    case 'blockMoved':
    case 'blockRemoved':
    default:
      return undefined
  }
}

function changed({ saved, edited }: ReportState, action: EditAction): EditedReport {
  const { content } = edited
  const { blocks } = content
  const put = (next: readonly ReportBlock[]): EditedReport => ({
    ...edited,
    content: { ...content, blocks: [...next] },
  })
  switch (action.type) {
    case 'renamed':
      return action.reportName === edited.reportName ? edited : { ...edited, reportName: action.reportName }
    case 'contentChanged':
      return { ...edited, content: { ...content, ...action.part } }
    case 'blockChanged':
      if (!blockOf(edited, action.blockId)) return edited
      return put(
        blocks.map((block) =>
          // callers pass parts of the block's own kind
          block.blockId === action.blockId ? ({ ...block, ...action.part } as ReportBlock) : block,
        ),
      )
    case 'blockAdded': {
      if (blocks.length >= REPORTS.blocks || blockOf(edited, action.block.blockId)) return edited
      const at = blocks.findIndex(({ blockId }) => blockId === action.after)
      return put(blocks.toSpliced(at < 0 ? blocks.length : at + 1, 0, action.block))
    }
    case 'blockDuplicated': {
      const at = blocks.findIndex(({ blockId }) => blockId === action.blockId)
      const block = blocks[at]
      if (!block || blocks.length >= REPORTS.blocks || blockOf(edited, action.newId)) return edited
      return put(blocks.toSpliced(at + 1, 0, { ...block, blockId: action.newId }))
    }
    case 'blockMoved': {
      const { from, to } = action
      if (from === to || !blocks[from] || !blocks[to]) return edited
      return put(moved(blocks, from, to))
    }
    case 'blockRemoved':
      return blockOf(edited, action.blockId) ? put(blocks.filter(({ blockId }) => blockId !== action.blockId)) : edited
    case 'discarded':
    default: {
      const base = editedOf(saved)
      return differences(base, edited).length > 0 ? base : edited
    }
  }
}

function undone(state: ReportState): ReportState {
  const { past, future, edited } = state
  const before = past.at(-1)
  if (!before) return state
  return { ...state, edited: before, past: past.slice(0, -1), future: [...future, edited], run: undefined }
}

function redone(state: ReportState): ReportState {
  const { past, future, edited } = state
  const next = future.at(-1)
  if (!next) return state
  return { ...state, edited: next, past: [...past, edited], future: future.slice(0, -1), run: undefined }
}

/** What isn't edited follows the server. What was saved elsewhere waits if there are edits. */
function read(state: ReportState, report: Report): ReportState {
  // a read that began before the last save
  if (report.version < state.saved.version) return state
  if (report.version === state.saved.version) return { ...state, saved: report }
  if (isEdited(state)) return { ...state, newer: report }
  // steps of another version lead nowhere
  return startOf(report)
}
