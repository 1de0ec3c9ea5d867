import { useCallback, type ComponentProps } from 'react'
import type { MediaFacts } from '#contract/checkMedia.ts'
import { useVersion } from '#web/features/compose/ComposerContext.ts'
import { fileNotes } from '#web/features/compose/fileNotes.ts'
import { AttachmentTray } from '#web/features/media/AttachmentTray.tsx'
import { useCopies } from './useCopies.ts'

type Props = Omit<ComponentProps<typeof AttachmentTray>, 'notes' | 'unfit'>

/** The attached files of an item with what each channel gets of them. Loaded with the first file. */
export function FilesTray(props: Props) {
  const { taken } = useVersion()
  const notes = useCallback((file: MediaFacts) => fileNotes(taken, file), [taken])
  const unfit = useCopies(props.attachments.list)
  return <AttachmentTray {...props} notes={notes} unfit={unfit} />
}
