import { clsx } from 'clsx'
import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import type { BlockOf, ReportBlock } from '#contract/reports/content.ts'
import { blockWidths } from '#contract/reports/layout.ts'
import { heights, heightWords, widthText } from './blockWords.ts'
import { useEditor } from './EditorContext.ts'
import { nextWidth, snapped } from './sizes.ts'

/** Pixels per step of a chart's height. */
const STEP = 36

const look =
  'group/edge absolute z-2 touch-none outline-none focus-visible:[&>span]:bg-accent hover:[&>span]:bg-accent data-sizing:[&>span]:bg-accent'

/** A block's right edge: dragged, or moved with the arrow keys, it snaps to a third, half, two thirds or all of the width. */
export function WidthHandle({ block, name }: { block: ReportBlock; name: string }) {
  const { dispatch } = useEditor()
  const drag = useRef<{ left: number; whole: number; id: number }>(undefined)
  const set = (width: ReportBlock['width'], run?: string) =>
    width === block.width
      ? undefined
      : dispatch({ type: 'blockChanged', blockId: block.blockId, part: { width }, ...(run ? { run } : {}) })
  const begin = (event: PointerEvent<HTMLElement>) => {
    const card = event.currentTarget.closest('[data-row]')
    const grid = card?.parentElement?.closest('ol')
    if (!card || !grid || event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    event.currentTarget.dataset['sizing'] = 'true'
    drag.current = {
      left: card.getBoundingClientRect().left,
      whole: grid.getBoundingClientRect().width,
      id: event.pointerId,
    }
  }
  const follow = (event: PointerEvent) => {
    if (drag.current?.id !== event.pointerId) return
    set(snapped((event.clientX - drag.current.left) / drag.current.whole), 'width')
  }
  const end = (event: PointerEvent<HTMLElement>) => {
    if (!drag.current) return
    drag.current = undefined
    delete event.currentTarget.dataset['sizing']
    dispatch({ type: 'paused' })
  }
  const onKey = (event: KeyboardEvent) => {
    const to = widthKeys[event.key]?.(block.width)
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    set(to)
  }
  return (
    // a separator that can be moved is a control
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="separator"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${name}`}
      aria-valuemin={1}
      aria-valuemax={blockWidths.length}
      aria-valuenow={blockWidths.indexOf(block.width) + 1}
      aria-valuetext={widthText(block.width)}
      onPointerDown={begin}
      onPointerMove={follow}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={onKey}
      className={clsx(look, 'inset-y-0 -right-2 grid w-4 cursor-ew-resize place-items-center')}
    >
      <span className="h-8 w-1 rounded-full bg-line-strong opacity-0 transition-opacity group-hover/card:opacity-100 group-focus-visible/edge:opacity-100 group-data-sizing/edge:opacity-100 pointer-coarse:opacity-100" />
    </div>
  )
}

const widthKeys: Record<string, (width: ReportBlock['width']) => ReportBlock['width']> = {
  ArrowLeft: (width) => nextWidth(width, -1),
  ArrowRight: (width) => nextWidth(width, 1),
  Home: () => 2,
  End: () => 6,
}

/** A chart's lower edge: low, medium or high. */
export function HeightHandle({ block, name }: { block: BlockOf<'chart'>; name: string }) {
  const { dispatch } = useEditor()
  const drag = useRef<{ from: number; y: number; id: number }>(undefined)
  const at = heights.indexOf(block.height)
  const set = (to: number, run?: string) => {
    const height = heights[Math.max(0, Math.min(heights.length - 1, to))]
    if (height === undefined || height === block.height) return
    dispatch({ type: 'blockChanged', blockId: block.blockId, part: { height }, ...(run ? { run } : {}) })
  }
  const begin = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    event.currentTarget.dataset['sizing'] = 'true'
    drag.current = { from: at, y: event.clientY, id: event.pointerId }
  }
  const end = (event: PointerEvent<HTMLElement>) => {
    if (!drag.current) return
    drag.current = undefined
    delete event.currentTarget.dataset['sizing']
    dispatch({ type: 'paused' })
  }
  const onKey = (event: KeyboardEvent) => {
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: heights.length - 1 }[event.key]
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    set(to)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="separator"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={`Height of ${name}`}
      aria-valuemin={1}
      aria-valuemax={heights.length}
      aria-valuenow={at + 1}
      aria-valuetext={heightWords[block.height]}
      onPointerDown={begin}
      onPointerMove={(event) =>
        drag.current?.id === event.pointerId
          ? set(drag.current.from + Math.round((event.clientY - drag.current.y) / STEP), 'height')
          : undefined
      }
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={onKey}
      className={clsx(look, 'inset-x-0 -bottom-2 grid h-4 cursor-ns-resize place-items-center')}
    >
      <span className="h-1 w-8 rounded-full bg-line-strong opacity-0 transition-opacity group-hover/card:opacity-100 group-focus-visible/edge:opacity-100 group-data-sizing/edge:opacity-100 pointer-coarse:opacity-100" />
    </div>
  )
}
