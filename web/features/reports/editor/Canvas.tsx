import { clsx } from 'clsx'
import { Fragment, useId } from 'react'
import type { ReportBlock } from '#contract/reports/content.ts'
import { REPORTS } from '#contract/reports/limits.ts'
import { toast } from '#web/ui/toast.ts'
import { useIsPhone } from '#web/ui/useMedia.ts'
import { rowDragLook, useRowOrder } from '#web/ui/useRowOrder.ts'
import { BlockSettings } from '../settings/BlockSettings.tsx'
import { AddBlock } from './AddBlock.tsx'
import { BlockCard } from './BlockCard.tsx'
import { kindWords } from './blockWords.ts'
import { nameOf, useEditor } from './EditorContext.ts'
import { newBlockId } from './newBlock.ts'
import { placesOf } from './sizes.ts'

/** The blocks as they stand on the page, side by side; on a phone one below the other. The open one has its settings below it. */
export function Canvas() {
  const { state, dispatch, open, setOpen } = useEditor()
  const { blocks } = state.edited.content
  const isPhone = useIsPhone()
  const id = useId()
  const places = placesOf(blocks)
  const openRow = places[blocks.findIndex(({ blockId }) => blockId === open)]?.row
  const { list, said, row, button } = useRowOrder<HTMLOListElement>({
    ids: blocks.map(({ blockId }) => blockId),
    onMove: (from, to) => dispatch({ type: 'blockMoved', from, to }),
    place: 'place',
    isGrid: !isPhone,
  })
  const remove = (block: ReportBlock, at: number) => {
    dispatch({ type: 'blockRemoved', blockId: block.blockId })
    if (open === block.blockId) setOpen(undefined)
    // the next card, or what adds one
    const cards = list.current?.querySelectorAll<HTMLElement>('[data-row]')
    const next = cards?.[at + 1] ?? cards?.[at - 1]
    const other = next?.querySelector<HTMLElement>('[data-block]')
    ;(other ?? list.current?.closest('section')?.querySelector<HTMLElement>('[data-add]'))?.focus()
    toast.undo(`Deleted ${nameOf(block, kindWords[block.kind].name)}`, () =>
      dispatch({ type: 'blockAdded', block, after: blocks[at - 1]?.blockId }),
    )
  }
  const duplicate = (block: ReportBlock) => {
    if (blocks.length >= REPORTS.blocks) return toast.error(`A report has at most ${REPORTS.blocks} blocks.`)
    const newId = newBlockId(blocks)
    dispatch({ type: 'blockDuplicated', blockId: block.blockId, newId })
    setOpen(newId)
  }
  return (
    <section aria-label="Blocks" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ol
        ref={list}
        aria-label="Blocks of the report"
        className={clsx('grid gap-3', isPhone ? 'grid-cols-[minmax(0,1fr)]' : 'grid-cols-6')}
      >
        {blocks.map((block, i) => {
          const place = places[i]
          const settingsId = `${id}-${block.blockId}`
          const isOpen = open === block.blockId
          return (
            <li key={block.blockId} className="contents">
              <Fragment>
                {/* dragging is an alternative; keys and buttons do the same */}
                {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
                <div
                  {...row(i)}
                  style={
                    isPhone || !place
                      ? undefined
                      : {
                          // the settings take a row of their own
                          gridRow: place.row + 1 + (openRow !== undefined && place.row > openRow ? 1 : 0),
                          gridColumn: `${place.column} / span ${place.width}`,
                        }
                  }
                  className={clsx(
                    'group/card relative flex min-w-0 rounded-lg border bg-surface',
                    block.kind === 'pageBreak' ? 'border-dashed' : '',
                    isOpen ? 'border-accent ring ring-accent' : 'border-line hover:border-line-strong',
                    rowDragLook,
                  )}
                >
                  <BlockCard
                    block={block}
                    inGrid={!isPhone}
                    settingsId={settingsId}
                    move={{ up: button(i, 'up'), down: button(i, 'down') }}
                    onDuplicate={() => duplicate(block)}
                    onRemove={() => remove(block, i)}
                  />
                </div>
                {isOpen ? (
                  <div
                    id={settingsId}
                    style={isPhone || !place ? undefined : { gridRow: place.row + 2, gridColumn: '1 / -1' }}
                    className="min-w-0 rounded-lg border border-line bg-raised p-3.5"
                  >
                    <BlockSettings key={block.blockId} block={block} />
                  </div>
                ) : null}
              </Fragment>
            </li>
          )
        })}
      </ol>
      <p role="status" className="sr-only">
        {said}
      </p>
      <AddBlock wide />
    </section>
  )
}
