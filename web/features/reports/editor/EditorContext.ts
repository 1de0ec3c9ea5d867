import { createContext, use, type Dispatch } from 'react'
import type { BlockKind, ReportBlock } from '#contract/reports/content.ts'
import type { NamedChannel } from '#web/ui/channelSelection.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Problems } from './problems.ts'
import type { ReportAction, ReportState } from './reportReducer.ts'

/** What the editor's parts share. */
export type Editor = {
  state: ReportState
  dispatch: Dispatch<ReportAction>
  problems: Problems
  /** What readers are told about each block, as of the last preview. */
  notes: ReadonlyMap<string, readonly string[]>
  /** The block whose settings are open. */
  open: string | undefined
  setOpen: (blockId: string | undefined) => void
  add: (kind: BlockKind) => void
  /** What can be chosen from. */
  sources: Sources
}
export type Sources = {
  channels: readonly NamedChannel[]
  platforms: readonly PlatformKey[]
  campaigns: readonly { campaignId: string; name: string }[]
  pages: readonly { pageId: string; name: string }[]
}

export const EditorContext = createContext<Editor | undefined>(undefined)

export function useEditor(): Editor {
  const editor = use(EditorContext)
  if (!editor) throw new Error('Outside of the editor')
  return editor
}

/** "Chart: Views": what a block is called for screen readers and in messages. */
export const nameOf = (block: ReportBlock, kindName: string): string =>
  block.heading.trim() === '' ? kindName : `${kindName}: ${block.heading.trim()}`
