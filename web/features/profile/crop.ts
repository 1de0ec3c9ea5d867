/** A square of a picture: its center in the picture's own pixels, and how far it is zoomed in; 1 shows the whole shorter side. */
export type Crop = { x: number; y: number; zoom: number }
export type Size = { width: number; height: number }

export const MOST_ZOOM = 5

/** The center of the picture, as large as a square can be. */
export function wholeOf({ width, height }: Size): Crop {
  return { x: width / 2, y: height / 2, zoom: 1 }
}

/** The side of the square in the picture's pixels. */
export function sideOf(picture: Size, crop: Crop): number {
  return Math.min(picture.width, picture.height) / crop.zoom
}

/** The nearest crop within the picture. */
export function within(picture: Size, crop: Crop): Crop {
  const zoom = clamp(crop.zoom, 1, MOST_ZOOM)
  const half = sideOf(picture, { ...crop, zoom }) / 2
  return { zoom, x: clamp(crop.x, half, picture.width - half), y: clamp(crop.y, half, picture.height - half) }
}

/** The crop after the picture was moved by this part of the square's side: 0.1 to the right shows more of its left. */
export function pushed(picture: Size, crop: Crop, right: number, down: number): Crop {
  const side = sideOf(picture, crop)
  return within(picture, { ...crop, x: crop.x - right * side, y: crop.y - down * side })
}

export function zoomed(picture: Size, crop: Crop, zoom: number): Crop {
  return within(picture, { ...crop, zoom })
}

/** The side of the file that is sent: at most `most`, and at most as many pixels as the crop has. At least 1. */
export function fileSide(picture: Size, crop: Crop, most: number): number {
  return Math.max(1, Math.min(most, Math.round(sideOf(picture, crop))))
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
