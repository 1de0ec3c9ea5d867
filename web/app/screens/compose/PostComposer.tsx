import { useMemo, useRef, useState, type ReactNode } from 'react'
import type { Channel } from '#contract/channels.ts'
import { ComposerContext, OptionsContext, type Composer } from '#web/features/compose/ComposerContext.ts'
import { openedComposer } from '#web/features/compose/composerReducer.ts'
import { createComposerStore } from '#web/features/compose/composerStore.ts'
import type { CopyPlace } from '#web/features/compose/localCopies.ts'
import { useSubmitOptions } from '#web/features/compose/useSubmitOptions.ts'
import { useProjectZone, type ProjectIds } from '#web/lib/project.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { ComposerEffects } from './ComposerEffects.tsx'
import { ComposerPage } from './ComposerPage.tsx'
import { FilesProvider } from './FilesContext.tsx'
import { beginWith, type Session } from './useSession.ts'

type Props = {
  ids: ProjectIds
  session: Session
  channels: readonly Channel[]
  scheduledCap: number | undefined
  place: CopyPlace
  onBegun: (draftId: string) => void
  onReload: () => void
}

/** A composer with everything around it: files, preview, saving, sending. One per draft or post. */
export function PostComposer({
  ids: { orgId, projectId },
  session: opened,
  channels,
  scheduledCap,
  place,
  onBegun,
  onReload,
}: Props) {
  const zone = useProjectZone()
  // what is being written wins over what is read again
  const [session] = useState(() => beginWith(opened, channels, zone))
  const [store] = useState(() => createComposerStore(openedComposer(session)))
  const rootRef = useRef<HTMLDivElement>(null)
  const textRef = useRef<HTMLTextAreaElement>(null)
  const workflowRef = useRef<HTMLSelectElement>(null)
  const composer = useMemo((): Composer => {
    const { id, post, editing, doc, began } = session
    const edited = editing && post ? { post, doc } : undefined
    return {
      store,
      ids: { orgId, projectId },
      postId: id,
      channels,
      scheduledCap,
      edited,
      liveOn:
        post && edited && post.status === 'PUBLISHED' && post.channel
          ? platformName(post.channel.platformName)
          : undefined,
      zone,
      began,
      rootRef,
      textRef,
      workflowRef,
    }
  }, [store, orgId, projectId, session, channels, scheduledCap, zone])
  return (
    <ComposerContext value={composer}>
      <OptionsProvider>
        <FilesProvider initial={session.attachments}>
          <ComposerEffects session={session} place={place} onBegun={onBegun} onReload={onReload}>
            <ComposerPage />
          </ComposerEffects>
        </FilesProvider>
      </OptionsProvider>
    </ComposerContext>
  )
}

function OptionsProvider({ children }: { children: ReactNode }) {
  return <OptionsContext value={useSubmitOptions()}>{children}</OptionsContext>
}
