import { createContext, use, type Dispatch } from 'react'
import type { BioAction, BioState } from './bioReducer.ts'

/** What the editor's parts share. */
export type Editor = {
  state: BioState
  dispatch: Dispatch<BioAction>
  /** The role only views it, or the plan has no room for it. */
  readOnly: boolean
  /** The message at a field, once someone left it or tried to save. */
  problemOf: (field: string) => string | undefined
  /** Someone left a field: from now on it says what's wrong with it. */
  leave: (field: string) => void
  now: Date
}

export const EditorContext = createContext<Editor | undefined>(undefined)

export function useEditor(): Editor {
  const editor = use(EditorContext)
  if (!editor) throw new Error('Outside of the editor')
  return editor
}
