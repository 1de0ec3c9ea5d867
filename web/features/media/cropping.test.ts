import { expect, it } from 'vitest'
import { middleOf, moved, shapeFor, shapes, sized, type Sides } from './cropping.ts'

const all = { width: 1000, height: 600 }

it('starts with the largest part of the shape, in the center', () => {
  expect(middleOf(all, null)).toEqual({ x: 0, y: 0, ...all })
  expect(middleOf(all, 1)).toEqual({ x: 200, y: 0, width: 600, height: 600 })
  expect(middleOf({ width: 600, height: 1000 }, 16 / 9)).toEqual({ x: 0, y: 331, width: 600, height: 338 })
})

it("stays inside the image and in its shape, however it's dragged", () => {
  for (const { ratio } of shapes) {
    let part = middleOf(all, ratio)
    for (const [dx, dy] of [
      [5000, 5000],
      [-5000, -5000],
      [37, -400],
      [-900, 20],
      [12, 900],
    ] as const) {
      part = sized(moved(part, dx, dy, all), dy, dx, all, ratio)
      expect(part.x).toBeGreaterThanOrEqual(0)
      expect(part.y).toBeGreaterThanOrEqual(0)
      expect(part.x + part.width).toBeLessThanOrEqual(all.width)
      expect(part.y + part.height).toBeLessThanOrEqual(all.height)
      expect(Math.min(part.width, part.height)).toBeGreaterThanOrEqual(1)
      if (ratio !== null) expect(Math.abs(part.width - part.height * ratio)).toBeLessThanOrEqual(1 + ratio)
    }
  }
})

it('starts in the accepted shape that leaves most of an image', () => {
  const isTaken = ({ width, height }: Sides) => width / height >= 0.795 && width / height <= 1.915
  expect(shapeFor({ width: 1200, height: 1000 }, isTaken)).toBe('free')
  expect(shapeFor({ width: 3000, height: 4000 }, isTaken)).toBe('portrait')
  expect(shapeFor({ width: 1080, height: 1920 }, isTaken)).toBe('portrait')
  expect(shapeFor({ width: 3000, height: 1000 }, isTaken)).toBe('link')
  expect(shapeFor({ width: 3000, height: 1000 }, () => false)).toBe('free')
})
