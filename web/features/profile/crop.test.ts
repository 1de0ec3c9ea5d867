import { expect, test } from 'vitest'
import { fileSide, MOST_ZOOM, pushed, sideOf, wholeOf, within, zoomed } from './crop.ts'

const wide = { width: 4000, height: 1000 }

test('starts with the center of the shorter side', () => {
  expect(wholeOf(wide)).toEqual({ x: 2000, y: 500, zoom: 1 })
  expect(sideOf(wide, wholeOf(wide))).toBe(1000)
})

test('always stays within the picture', () => {
  for (const [right, down] of [
    [9, 9],
    [-9, -9],
    [0.3, -2],
    [-50, 0.1],
  ] as const) {
    for (const zoom of [0, 1, 2.5, 99]) {
      const crop = pushed(wide, zoomed(wide, wholeOf(wide), zoom), right, down)
      const half = sideOf(wide, crop) / 2
      expect(crop.zoom).toBeGreaterThanOrEqual(1)
      expect(crop.zoom).toBeLessThanOrEqual(MOST_ZOOM)
      expect(crop.x - half).toBeGreaterThanOrEqual(0)
      expect(crop.x + half).toBeLessThanOrEqual(wide.width)
      expect(crop.y - half).toBeGreaterThanOrEqual(0)
      expect(crop.y + half).toBeLessThanOrEqual(wide.height)
    }
  }
})

test('moves the picture with the pointer, and brings a crop at the edge back in when zooming out', () => {
  expect(pushed(wide, wholeOf(wide), 0.1, 0)).toEqual({ x: 1900, y: 500, zoom: 1 })
  expect(within(wide, { x: 100, y: 100, zoom: 5 })).toEqual({ x: 100, y: 100, zoom: 5 })
  expect(zoomed(wide, { x: 100, y: 100, zoom: 5 }, 1)).toEqual({ x: 500, y: 500, zoom: 1 })
})

test('sends a file no larger than requested, never enlarged', () => {
  expect(fileSide(wide, wholeOf(wide), 512)).toBe(512)
  expect(fileSide(wide, zoomed(wide, wholeOf(wide), 4), 512)).toBe(250)
  expect(fileSide({ width: 1, height: 1 }, { x: 0.5, y: 0.5, zoom: 5 }, 512)).toBe(1)
})
