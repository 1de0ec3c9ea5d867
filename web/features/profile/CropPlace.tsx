import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { pushed, zoomed, type Crop } from './crop.ts'
import { drawCrop } from './picture.ts'

/** A key moves the picture by this part of the square. */
const STEP = 0.05
const ZOOM_STEP = 0.25
/** A pointer that moved less was a tap. Pixels. */
const TAP = 4

const arrows: Record<string, readonly [right: number, down: number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

/**
 * The square in which the picture is moved, by pointer or keys. The area outside the circle is shaded: people's
 * pictures are round.
 */
export function CropPlace({
  picture,
  crop,
  onCrop,
}: {
  picture: ImageBitmap
  crop: Crop
  onCrop: (crop: Crop) => void
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drag = useRef<{ x: number; y: number; way: number }>(null)
  useEffect(() => {
    if (canvas.current) drawCrop(canvas.current, picture, crop)
  }, [picture, crop])

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, y: event.clientY, way: 0 }
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const last = drag.current
    if (!last) return
    const [right, down] = [event.clientX - last.x, event.clientY - last.y]
    drag.current = { x: event.clientX, y: event.clientY, way: last.way + Math.hypot(right, down) }
    const side = event.currentTarget.clientWidth
    onCrop(pushed(picture, crop, right / side, down / side))
  }
  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    const tapped = drag.current !== null && drag.current.way < TAP
    drag.current = null
    if (!tapped) return
    const box = event.currentTarget.getBoundingClientRect()
    onCrop(
      pushed(picture, crop, 0.5 - (event.clientX - box.left) / box.width, 0.5 - (event.clientY - box.top) / box.height),
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = arrows[event.key]
    const zoom = event.key === '+' || event.key === '=' ? ZOOM_STEP : event.key === '-' ? -ZOOM_STEP : 0
    if (!arrow && zoom === 0) return
    event.preventDefault()
    onCrop(arrow ? pushed(picture, crop, ...arrow) : zoomed(picture, crop, crop.zoom + zoom))
  }

  return (
    // an application, like a map: arrow keys and the pointer belong to it
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="application"
      aria-label="Your picture. Arrow keys move it, plus and minus zoom."
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => (drag.current = null)}
      onKeyDown={onKeyDown}
      className="relative size-72 max-w-full cursor-move touch-none overflow-hidden rounded-md border border-line bg-sunken select-none"
    >
      <canvas ref={canvas} width={576} height={576} aria-hidden className="size-full" />
      <div
        aria-hidden
        className="pointer-events-none absolute inset-0 rounded-full shadow-[0_0_0_200px_var(--veil)] ring-1 ring-white/70"
      />
    </div>
  )
}
