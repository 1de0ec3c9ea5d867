import { createHash } from 'node:crypto'
import sharp from 'sharp'

/** Cells of a portrait per side; the right half mirrors the left. */
const CELLS = 5
const CELL = 40
const MARGIN = 28
const SIDE = 2 * MARGIN + CELLS * CELL

/** A unique picture for each name: a mirrored pattern in one color, PNG of 256 by 256. */
export async function portrait(name: string): Promise<Buffer> {
  const hash = createHash('sha256').update(name).digest()
  const hue = Math.round((hash.readUInt16BE(0) / 65_536) * 360)
  const cells = Array.from({ length: CELLS * CELLS }, (_, i) => {
    const [row, column] = [Math.floor(i / CELLS), i % CELLS]
    const bit = row * 3 + Math.min(column, CELLS - 1 - column)
    const isFilled = ((hash[2 + (bit >> 3)] ?? 0) >> (bit & 7)) & 1
    return isFilled
      ? `<rect x="${MARGIN + column * CELL}" y="${MARGIN + row * CELL}" width="${CELL}" height="${CELL}"/>`
      : ''
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}"><rect width="100%" height="100%" fill="hsl(${hue} 45% 90%)"/><g fill="hsl(${hue} 55% 42%)" shape-rendering="crispEdges">${cells.join('')}</g></svg>`
  return await sharp(Buffer.from(svg)).png().toBuffer()
}
