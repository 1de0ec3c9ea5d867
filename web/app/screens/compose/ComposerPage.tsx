import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { BioLink } from '#web/features/compose/BioLink.tsx'
import { ChannelOptions } from '#web/features/compose/ChannelOptions.tsx'
import { ChannelPicker } from '#web/features/compose/ChannelPicker.tsx'
import { useCommands, useComposer, useComposerState } from '#web/features/compose/ComposerContext.ts'
import { itemsFor } from '#web/features/compose/doc.ts'
import { Editors } from '#web/features/compose/Editors.tsx'
import { ErrorList } from '#web/features/compose/ErrorList.tsx'
import { FirstComment } from '#web/features/compose/FirstComment.tsx'
import { LabelsAndCampaigns } from '#web/features/compose/LabelsAndCampaigns.tsx'
import { LinkCardEditor } from '#web/features/compose/LinkCardEditor.tsx'
import { NoChannels } from '#web/features/compose/NoChannels.tsx'
import { PostLinks } from '#web/features/compose/PostLinks.tsx'
import { PostProblem } from '#web/features/compose/PostProblem.tsx'
import { SaveIndicator } from '#web/features/compose/SaveIndicator.tsx'
import { Schedule } from '#web/features/compose/Schedule.tsx'
import { ScopeTabs } from '#web/features/compose/ScopeTabs.tsx'
import { SubmitLock } from '#web/features/compose/SubmitLock.tsx'
import { ThreadEditor } from '#web/features/compose/ThreadEditor.tsx'
import { VersionLine } from '#web/features/compose/VersionLine.tsx'
import { WorkflowChoice } from '#web/features/compose/WorkflowChoice.tsx'
import { FileTarget } from '#web/ui/FileTarget.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { useIsPhone } from '#web/ui/useMedia.ts'
import { ComposerDialogs } from './ComposerDialogs.tsx'
import { ComposerNotices } from './ComposerNotices.tsx'
import { useComposerFiles } from './FilesContext.tsx'
import { ItemTools } from './ItemTools.tsx'
import { ItemTray } from './ItemTray.tsx'
import { PostPreviews } from './PostPreviews.tsx'
import { SubmitBar } from './SubmitBar.tsx'

/**
 * Where a post is written: its channels, their versions, text and files, options, labels, time; next to it the preview.
 */
export function ComposerPage() {
  const { channels, edited, liveOn, rootRef } = useComposer()
  const phone = useIsPhone()
  const side = useComposerState(({ view }) => view.side)
  useSubmitKeys()
  useFocusOnText()
  return (
    <Page
      title={edited ? 'Edit post' : 'Create post'}
      controls={
        <>
          <Editors />
          <SaveIndicator />
        </>
      }
      bar={phone ? <SideChoice /> : undefined}
    >
      <DropZone>
        <div className={phone && side === 'preview' ? 'hidden' : 'grid gap-4'}>
          <ComposerNotices />
          <div ref={rootRef} className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4">
            <SubmitLock>
              {channels.length === 0 ? <NoChannels /> : <ChannelPicker />}
              <ScopeTabs />
              <VersionLine />
              <ThreadEditor Tools={ItemTools} Tray={ItemTray} />
              <ErrorList />
              <LinkCardEditor />
              <ChannelOptions />
              <PostLinks />
              {liveOn === undefined ? (
                <>
                  <FirstComment />
                  <div className="flex flex-wrap items-start gap-x-6 gap-y-2.5">
                    <LabelsAndCampaigns />
                    <WorkflowChoice />
                  </div>
                  <BioLink />
                </>
              ) : null}
              <PostProblem />
              {liveOn === undefined ? <Schedule /> : null}
            </SubmitLock>
            <SubmitBar />
          </div>
        </div>
        <div className={phone && side === 'write' ? 'hidden' : 'lg:sticky lg:top-4'}>
          <PostPreviews />
        </div>
      </DropZone>
      <ComposerDialogs />
    </Page>
  )
}

function SideChoice() {
  const { store } = useComposer()
  return (
    <Segmented
      label="Side"
      options={[
        { value: 'write', label: 'Write' },
        { value: 'preview', label: 'Preview' },
      ]}
      value={useComposerState(({ view }) => view.side)}
      onChange={(side) => store.dispatch({ type: 'sideShown', side })}
      className="grow"
    />
  )
}

/** Files that are dropped or pasted go to the item that was written in last. */
function DropZone({ children }: { children: ReactNode }) {
  const { store, channels } = useComposer()
  const files = useComposerFiles()
  const addFiles = (chosen: readonly File[]) => {
    const { doc, view, sending } = store.state()
    const items = itemsFor(doc, store.version(channels).channelId)
    const target = items.find(({ key }) => key === view.item) ?? items[0]
    if (target && sending.phase === 'writing') files.add(target.key, chosen)
  }
  return (
    <FileTarget
      words="Drop files here"
      onFiles={addFiles}
      className="grid items-start gap-x-8 gap-y-5 lg:grid-cols-[minmax(0,42rem)_minmax(20rem,26rem)]"
    >
      {children}
    </FileTarget>
  )
}

/** Ctrl or Cmd with Enter, wherever someone writes. */
function useSubmitKeys(): void {
  const { rootRef } = useComposer()
  const { submitByKeys } = useCommands()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submitByKeys()
  })
  useEffect(() => {
    const { current: root } = rootRef
    const listen = (event: KeyboardEvent) => onKey(event)
    root?.addEventListener('keydown', listen)
    return () => root?.removeEventListener('keydown', listen)
  }, [rootRef])
}

/** The text is what people come for; on a phone the keyboard would hide everything else. */
function useFocusOnText(): void {
  const { textRef } = useComposer()
  const phone = useIsPhone()
  useEffect(() => {
    if (!phone) textRef.current?.focus()
  }, [phone, textRef])
}
