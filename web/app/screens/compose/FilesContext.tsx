import { createContext, use, type ReactNode } from 'react'
import { FileFactsContext } from '#web/features/compose/ComposerContext.ts'
import type { Attachment } from '#web/features/media/attachments.ts'
import { useFiles, type ComposerFiles } from './useFiles.ts'

const FilesContext = createContext<ComposerFiles | undefined>(undefined)

/** Keeps the files of a composer; `initial` are those that it opens with. */
export function FilesProvider({ initial, children }: { initial: readonly Attachment[]; children: ReactNode }) {
  const files = useFiles(initial)
  return (
    <FilesContext value={files}>
      <FileFactsContext value={files.factsOf}>{children}</FileFactsContext>
    </FilesContext>
  )
}

export function useComposerFiles(): ComposerFiles {
  const files = use(FilesContext)
  if (!files) throw new Error('useComposerFiles outside of a composer')
  return files
}
