import { clsx } from 'clsx'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Copy from 'lucide-react/icons/copy'
import GripVertical from 'lucide-react/icons/grip-vertical'
import Trash from 'lucide-react/icons/trash-2'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ComponentProps } from 'react'
import type { ReportBlock } from '#contract/reports/content.ts'
import { widthOf } from '#contract/reports/layout.ts'
import { count } from '#web/lib/format.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { gripLook } from '#web/ui/useRowOrder.ts'
import { kindWords, summaryOf, widthText } from './blockWords.ts'
import { nameOf, useEditor } from './EditorContext.ts'
import { KindIcon } from './kindIcons.tsx'
import { countOf } from './problems.ts'
import { HeightHandle, WidthHandle } from './ResizeHandles.tsx'
import { canBeSized } from './sizes.ts'

type Props = {
  block: ReportBlock
  /** Whether blocks are side by side here; else they have no edges to drag. */ inGrid: boolean
  /** The settings below it, by their ID. */ settingsId: string
  move: Record<'up' | 'down', ComponentProps<'button'>>
  onDuplicate: () => void
  onRemove: () => void
}

const heightLook = { s: '', m: 'min-h-30', l: 'min-h-38' } as const

/** One block of the canvas: its kind, its heading, what it shows, and what can be done with it. */
export function BlockCard({ block, inGrid, settingsId, move, onDuplicate, onRemove }: Props) {
  const { open, setOpen, problems, notes, sources } = useEditor()
  const { blockId, kind, heading } = block
  const isOpen = open === blockId
  const words = kindWords[kind]
  const name = nameOf(block, words.name)
  const wrong = countOf(problems, blockId)
  const said = notes.get(blockId) ?? []
  const isNarrow = inGrid && widthOf(block) === 2
  const summary = summaryOf(block, (pageId) => sources.pages.find((page) => page.pageId === pageId)?.name)
  return (
    <>
      <span data-grip aria-hidden className={clsx('grid w-5 shrink-0 place-items-center self-stretch', gripLook)}>
        <GripVertical size={14} />
      </span>
      <div
        className={clsx(
          'flex min-w-0 grow flex-col gap-1.5 py-2 pr-2.5',
          kind === 'chart' && inGrid ? heightLook[block.height] : '',
        )}
      >
        <button
          type="button"
          data-block={blockId}
          aria-expanded={isOpen}
          aria-controls={isOpen ? settingsId : undefined}
          onClick={() => setOpen(isOpen ? undefined : blockId)}
          className="grid min-w-0 grow content-start gap-0.5 rounded-sm text-left"
        >
          <span className="flex min-w-0 items-center gap-1.5 text-sm text-ink-muted">
            <KindIcon kind={kind} size={14} />
            <span dir="auto" className="truncate">
              {words.name}
            </span>
            {inGrid || !canBeSized(block) || block.width === 6 ? null : <span>· {widthText(block.width)}</span>}
          </span>
          {heading.trim() === '' ? null : (
            <span dir="auto" className="font-semibold wrap-anywhere">
              {heading}
            </span>
          )}
          <span
            dir="auto"
            className={clsx('line-clamp-2 text-sm', heading.trim() === '' ? 'text-ink' : 'text-ink-muted')}
          >
            {summary}
          </span>
          {wrong > 0 ? (
            <span className="flex items-center gap-1 text-sm font-semibold text-bad">
              <TriangleAlert size={13} aria-hidden />
              {count(wrong, 'field')} to correct
            </span>
          ) : null}
        </button>
        {said.length > 0 ? (
          <ul aria-label={`Notes on ${name}`} className="grid gap-0.5 text-sm text-ink-muted">
            {said.slice(0, isOpen ? said.length : 1).map((note) => (
              <li dir="auto" key={note} className={isOpen ? 'text-pretty' : 'line-clamp-2'}>
                {note}
              </li>
            ))}
          </ul>
        ) : null}
        <div
          className={clsx(
            'flex flex-wrap transition-opacity group-focus-within/card:opacity-100 group-hover/card:opacity-100 pointer-coarse:opacity-100',
            // a narrow card that stays open has its own row for them
            isOpen && isNarrow
              ? '-ml-1'
              : 'absolute top-1 right-2 z-1 rounded-md bg-surface pointer-coarse:static pointer-coarse:-ml-1',
            isOpen ? '' : 'opacity-0',
          )}
        >
          <IconButton {...move.up} size="s" label={`Move ${name} up`} icon={<ArrowUp size={14} />} />
          <IconButton {...move.down} size="s" label={`Move ${name} down`} icon={<ArrowDown size={14} />} />
          <IconButton size="s" label={`Duplicate ${name}`} icon={<Copy size={14} />} onClick={onDuplicate} />
          <IconButton
            data-remove
            size="s"
            tone="danger"
            label={`Delete ${name}`}
            icon={<Trash size={14} />}
            onClick={onRemove}
          />
        </div>
      </div>
      {inGrid && canBeSized(block) ? <WidthHandle block={block} name={name} /> : null}
      {inGrid && kind === 'chart' ? <HeightHandle block={block} name={name} /> : null}
    </>
  )
}
