import { lazy, Suspense, type ComponentProps } from 'react'
import { Contained } from '#web/ui/Contained.tsx'
import { Progress } from '#web/ui/Progress.tsx'
import type { AttachmentTray as Tray } from './AttachmentTray.tsx'

const AttachmentTray = lazy(() => import('./AttachmentTray.tsx').then((file) => ({ default: file.AttachmentTray })))

/** The tray of attached files, whose code is loaded with the first one. */
export function AttachedFiles(props: ComponentProps<typeof Tray>) {
  const { list, opening } = props.attachments
  if (list.length + opening.length === 0) return null
  return (
    <Contained>
      <Suspense fallback={<Progress label="Reading the file" />}>
        <AttachmentTray {...props} />
      </Suspense>
    </Contained>
  )
}
