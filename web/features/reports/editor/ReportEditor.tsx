import Redo from 'lucide-react/icons/redo-2'
import Undo from 'lucide-react/icons/undo-2'
import { useEffect, useEffectEvent, useState, type ComponentType } from 'react'
import { flushSync } from 'react-dom'
import type { BlockKind } from '#contract/reports/content.ts'
import type { Report } from '#contract/reports/reports.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { LeaveQuestion } from '#web/ui/LeaveQuestion.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { useMedia } from '#web/ui/useMedia.ts'
import { Canvas } from './Canvas.tsx'
import { DaysFilter } from './DaysFilter.tsx'
import type { ContentPart } from './edited.ts'
import { EditorContext, type Editor, type Sources } from './EditorContext.ts'
import { newBlock } from './newBlock.ts'
import { Preview } from './Preview.tsx'
import { SaveBar } from './SaveBar.tsx'
import { useEditorKeys } from './useEditorKeys.ts'
import { usePreview } from './usePreview.ts'
import { useReportEditor } from './useReportEditor.ts'

type ReportFilters = Omit<ContentPart, 'days'>
/** What narrows a report down. The screen brings it: features don't know each other. */
export type FiltersChoice = ComponentType<{ value: ReportFilters; onChange: (change: Partial<ReportFilters>) => void }>

type Props = {
  report: Report
  sources: Sources
  Filters: FiltersChoice
  /** It was deleted elsewhere, so nothing can be saved anymore. */
  isGone: boolean
  /** Told whether there are unsaved changes. */ onUnsaved: (unsaved: boolean) => void
}

/** A report: its days and filters, its blocks as they stand on the page, and the pages themselves. */
export function ReportEditor({ report, sources, Filters, isGone, onUnsaved }: Props) {
  const isWide = useMedia('(min-width: 1024px)')
  const [side, setSide] = useState<'blocks' | 'preview'>('blocks')
  const [open, setOpen] = useState<string>()
  /** Brings a field into view, and the focus into it. */
  const show = (field: string) => {
    const blockId = /^(\w+)\./.exec(field)?.[1]
    flushSync(() => {
      setSide('blocks')
      if (blockId !== undefined && blockId !== 'days') setOpen(blockId)
    })
    const invalid = document.querySelector<HTMLElement>('main [aria-invalid=true]')
    const target = invalid ?? document.querySelector<HTMLElement>(`[data-block="${blockId}"]`)
    target?.scrollIntoView({ block: 'center' })
    target?.focus({ preventScroll: true })
  }
  const editing = useReportEditor(report, show)
  const { state, dispatch, problems } = editing
  const { edited } = state
  const preview = usePreview(edited, problems.size === 0)
  const add = (kind: BlockKind) => {
    const block = newBlock(kind, edited.content, sources.pages[0]?.pageId ?? '')
    flushSync(() => {
      dispatch({ type: 'blockAdded', block, after: open })
      setOpen(block.blockId)
    })
    document.querySelector(`[data-row="${block.blockId}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const undo = () => dispatch({ type: 'undone' })
  const redo = () => dispatch({ type: 'redone' })
  useEditorKeys({ save: () => (editing.edited && !isGone ? editing.save() : undefined), undo, redo })
  const tell = useEffectEvent(onUnsaved)
  useEffect(() => tell(editing.edited), [editing.edited])
  const editor: Editor = {
    state,
    dispatch,
    problems,
    notes: new Map(preview.drawn?.blocks.map(({ blockId, notes }) => [blockId, notes])),
    open,
    setOpen,
    add,
    sources,
  }
  const pages = <Preview preview={preview} edited={edited} blocked={problems.size > 0} open={open} />
  return (
    <EditorContext value={editor}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] xl:gap-x-8">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <div className="flex items-end gap-2">
            <Field label="Name" labelHidden error={problems.get('reportName')} className="grow">
              <TextInput
                size="l"
                value={edited.reportName}
                autoComplete="off"
                onChange={({ target }) => dispatch({ type: 'renamed', reportName: target.value })}
                onBlur={() => dispatch({ type: 'paused' })}
              />
            </Field>
            <span className="flex h-10 items-center">
              <IconButton
                label="Undo"
                shortcut="Ctrl Z"
                icon={<Undo size={16} />}
                aria-disabled={state.past.length === 0}
                onClick={undo}
              />
              <IconButton
                label="Redo"
                shortcut="Ctrl Shift Z"
                icon={<Redo size={16} />}
                aria-disabled={state.future.length === 0}
                onClick={redo}
              />
            </span>
          </div>
          <div role="group" aria-label="Days and filters" className="flex flex-wrap items-center gap-1.5">
            <DaysFilter />
            <Filters value={edited.content} onChange={(part) => dispatch({ type: 'contentChanged', part })} />
          </div>
          {isWide ? null : (
            <Segmented
              label="Side"
              className="w-full"
              options={[
                { value: 'blocks', label: 'Blocks' },
                { value: 'preview', label: 'Preview' },
              ]}
              value={side}
              onChange={setSide}
            />
          )}
          <div className={side === 'preview' && !isWide ? 'hidden' : 'contents'}>
            <Canvas />
          </div>
          {side === 'preview' && !isWide ? pages : null}
          {isGone ? <GoneReport unsaved={editing.edited} /> : <SaveBar editing={editing} />}
        </div>
        {isWide ? (
          <div
            className="sticky top-0 max-h-dvh overflow-y-auto px-1 pt-1 pb-18"
            // what scrolls can be reached by keyboard
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            role="region"
            data-pages
            aria-label="Pages"
          >
            {pages}
          </div>
        ) : null}
      </div>
      <LeaveQuestion unsaved={editing.edited && !isGone} of="report" />
    </EditorContext>
  )
}

/** A report that was deleted elsewhere: what was written can still be copied. */
function GoneReport({ unsaved }: { unsaved: boolean }) {
  return (
    <div className="sticky bottom-3 z-10 rounded-md shadow-2 max-md:bottom-[calc(64px+env(safe-area-inset-bottom))]">
      <Banner live tone="bad" title="This report was deleted">
        Someone else, or another tab of yours, deleted it.
        {unsaved ? " Your changes can't be saved anymore, so copy what you need before you leave." : null}
      </Banner>
    </div>
  )
}
