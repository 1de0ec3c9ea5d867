import { memo } from 'react'
import { useComposer } from '#web/features/compose/ComposerContext.ts'
import { useInsert, useTextOf } from '#web/features/compose/useInsert.ts'
import { TextTools } from '#web/features/compose/TextTools.tsx'
import { PickFiles } from '#web/features/media/PickFiles.tsx'
import { AiHelpButton } from './AiHelp.tsx'
import { useComposerFiles } from './FilesContext.tsx'
import { FromAddress } from './FromAddress.tsx'
import { FromLibrary } from './FromLibrary.tsx'

/** The buttons that put files or text into an item. */
export const ItemTools = memo(function ItemTools({ itemKey }: { itemKey: string }) {
  const { ids } = useComposer()
  const files = useComposerFiles()
  const textOf = useTextOf(itemKey)
  const insert = useInsert(itemKey)
  return (
    <>
      <PickFiles onFiles={(chosen) => files.add(itemKey, chosen)} />
      <FromLibrary onPick={(picked) => files.attach(itemKey, picked)} />
      <FromAddress ids={ids} onPick={(file) => files.attach(itemKey, [file])} />
      <TextTools ids={ids} textOf={textOf} onInsert={insert} />
      <AiHelpButton itemKey={itemKey} />
    </>
  )
})
