import { clsx } from 'clsx'
import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import type { BlockOf, ReportBlock } from '#contract/reports/content.ts'
import { blockWidths } from '#contract/reports/layout.ts'
import { heights, heightWords, widthText } from './blockWords.ts'
import { useEditor } from './EditorContext.ts'
import { nextWidth, snapped } from './sizes.ts'

/** Pixels per step of a chart's height. */
const STEP = 36

/** A block's right edge: dragged, or moved with the arrow keys, it snaps to a third, half, two thirds or all of the width. */
export function WidthHandle({ block, name }: { block: ReportBlock; name: string }) {
  const { dispatch } = useEditor()
  const set = (width: ReportBlock['width'], run?: string) =>
    width === block.width
      ? undefined
      : dispatch({ type: 'blockChanged', blockId: block.blockId, part: { width }, ...(run ? { run } : {}) })
  return (
    <Edge
      orientation="vertical"
      name={`Width of ${name}`}
      sizes={blockWidths.length}
      at={blockWidths.indexOf(block.width)}
      text={widthText(block.width)}
      grab={({ currentTarget }) => {
        const card = currentTarget.closest('[data-row]')
        const grid = card?.parentElement?.closest('ol')
        if (!card || !grid) return undefined
        const { left } = card.getBoundingClientRect()
        const { width: whole } = grid.getBoundingClientRect()
        return ({ clientX }) => snapped((clientX - left) / whole)
      }}
      onDrag={(width) => set(width, 'width')}
      keys={{
        ArrowLeft: () => set(nextWidth(block.width, -1)),
        ArrowRight: () => set(nextWidth(block.width, 1)),
        Home: () => set(2),
        End: () => set(6),
      }}
    />
  )
}

/** A chart's lower edge: low, medium or high. */
export function HeightHandle({ block, name }: { block: BlockOf<'chart'>; name: string }) {
  const { dispatch } = useEditor()
  const at = heights.indexOf(block.height)
  const set = (to: number, run?: string) => {
    const height = heights[Math.max(0, Math.min(heights.length - 1, to))]
    if (height === undefined || height === block.height) return
    dispatch({ type: 'blockChanged', blockId: block.blockId, part: { height }, ...(run ? { run } : {}) })
  }
  return (
    <Edge
      orientation="horizontal"
      name={`Height of ${name}`}
      sizes={heights.length}
      at={at}
      text={heightWords[block.height]}
      grab={({ clientY: from }) =>
        ({ clientY }) =>
          at + Math.round((clientY - from) / STEP)
        }
      onDrag={(to) => set(to, 'height')}
      keys={{
        ArrowUp: () => set(at - 1),
        ArrowDown: () => set(at + 1),
        Home: () => set(0),
        End: () => set(heights.length - 1),
      }}
    />
  )
}

type EdgeProps<Size> = {
  /** Of the line itself, as ARIA has it. */
  orientation: 'vertical' | 'horizontal'
  name: string
  /** How many sizes there are, and which one it has. */
  sizes: number
  at: number
  text: string
  /** Begins a drag: the size for where the pointer goes; undefined if it can't be dragged. */
  grab: (event: PointerEvent<HTMLElement>) => ((event: PointerEvent) => Size) | undefined
  onDrag: (size: Size) => void
  keys: Readonly<Record<string, () => void>>
}

const looks = {
  vertical: { edge: 'inset-y-0 -right-2 w-4 cursor-ew-resize', line: 'h-8 w-1' },
  horizontal: { edge: 'inset-x-0 -bottom-2 h-4 cursor-ns-resize', line: 'h-1 w-8' },
}

/** An edge that is dragged, or moved with keys. */
function Edge<Size>({ orientation, name, sizes, at, text, grab, onDrag, keys }: EdgeProps<Size>) {
  const { dispatch } = useEditor()
  const drag = useRef<{ sizeAt: (event: PointerEvent) => Size; id: number }>(undefined)
  const begin = (event: PointerEvent<HTMLElement>) => {
    const sizeAt = event.button === 0 ? grab(event) : undefined
    if (!sizeAt) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    event.currentTarget.dataset['sizing'] = 'true'
    drag.current = { sizeAt, id: event.pointerId }
  }
  const follow = (event: PointerEvent) => {
    if (drag.current?.id === event.pointerId) onDrag(drag.current.sizeAt(event))
  }
  const end = (event: PointerEvent<HTMLElement>) => {
    if (!drag.current) return
    drag.current = undefined
    delete event.currentTarget.dataset['sizing']
    dispatch({ type: 'paused' })
  }
  const onKey = (event: KeyboardEvent) => {
    const act = keys[event.key]
    if (!act || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const { edge, line } = looks[orientation]
  return (
    // a separator that can be moved is a control
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="separator"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-orientation={orientation}
      aria-label={name}
      aria-valuemin={1}
      aria-valuemax={sizes}
      aria-valuenow={at + 1}
      aria-valuetext={text}
      onPointerDown={begin}
      onPointerMove={follow}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={onKey}
      className={clsx(
        'group/edge absolute z-2 grid touch-none place-items-center outline-none focus-visible:[&>span]:bg-accent hover:[&>span]:bg-accent data-sizing:[&>span]:bg-accent',
        edge,
      )}
    >
      <span
        className={clsx(
          'rounded-full bg-line-strong opacity-0 transition-opacity group-hover/card:opacity-100 group-focus-visible/edge:opacity-100 group-data-sizing/edge:opacity-100 pointer-coarse:opacity-100',
          line,
        )}
      />
    </div>
  )
}
