export type Rect = { x: number; y: number; width: number; height: number }
export type Sides = { width: number; height: number }

/** The shapes that platforms show. */
export const shapes = [
  { value: 'free', label: 'Free', ratio: null },
  { value: 'square', label: 'Square 1:1', ratio: 1 },
  { value: 'portrait', label: 'Portrait 4:5', ratio: 4 / 5 },
  { value: 'pin', label: 'Pin 2:3', ratio: 2 / 3 },
  { value: 'upright', label: 'Story 9:16', ratio: 9 / 16 },
  { value: 'wide', label: 'Wide 16:9', ratio: 16 / 9 },
  { value: 'link', label: 'Link 1.91:1', ratio: 1.91 },
] as const
export type Shape = (typeof shapes)[number]['value']

/** Anything smaller isn't a usable image. */
const SMALLEST = 16

/** The largest part of the shape, in the center. */
export function middleOf({ width, height }: Sides, ratio: number | null): Rect {
  if (ratio === null) return { x: 0, y: 0, width, height }
  const across = Math.min(width, height * ratio)
  const part = { width: Math.max(1, Math.round(across)), height: Math.max(1, Math.round(across / ratio)) }
  return { x: Math.round((width - part.width) / 2), y: Math.round((height - part.height) / 2), ...part }
}

/** The initial shape: free if the whole image is accepted, otherwise the accepted one that keeps most of it. */
export function shapeFor(all: Sides, isTaken: (part: Sides) => boolean): Shape {
  if (isTaken(all)) return 'free'
  const area = ({ width, height }: Sides) => width * height
  const taken = shapes
    .map(({ value, ratio }) => ({ value, part: middleOf(all, ratio) }))
    .filter(({ part }) => isTaken(part))
  return taken.toSorted((a, b) => area(b.part) - area(a.part))[0]?.value ?? 'free'
}

/** The part moved by this many pixels, as far as the image goes. */
export function moved(part: Rect, dx: number, dy: number, all: Sides): Rect {
  return {
    ...part,
    x: within(part.x + dx, 0, all.width - part.width),
    y: within(part.y + dy, 0, all.height - part.height),
  }
}

/** The part with its lower right corner moved, in its shape, as far as the image goes. */
export function sized(part: Rect, dx: number, dy: number, all: Sides, ratio: number | null): Rect {
  const [wide, high] = [all.width - part.x, all.height - part.y]
  if (ratio === null)
    return {
      ...part,
      width: within(part.width + dx, Math.min(SMALLEST, wide), wide),
      height: within(part.height + dy, Math.min(SMALLEST, high), high),
    }
  // the side that was dragged further leads
  const wanted = Math.abs(dx) >= Math.abs(dy) * ratio ? part.width + dx : (part.height + dy) * ratio
  const most = Math.min(wide, high * ratio)
  const width = within(wanted, Math.min(SMALLEST, most), Math.floor(most))
  return { ...part, width, height: Math.min(high, Math.max(1, Math.round(width / ratio))) }
}

const within = (value: number, least: number, most: number): number =>
  Math.round(Math.min(most, Math.max(least, value)))
