import { fairQueue } from './fairQueue.ts'
import { squarePicture } from './image.ts'
import { squareKeyOf, type MediaStore, type SquareSide } from './store.ts'

/** The most pixels of a picture that a copy is drawn from, as many as an uploaded image may have. */
const PIXELS = 64_000_000

/** Copies being drawn: a page's visitors request the same ones. */
const drawing = new Map<string, Promise<Uint8Array>>()
/** One at a time, and organizations take turns. Lines have no limit, because each copy is drawn once. */
const inTurn = fairQueue(Infinity)

/** A square copy of a stored image as WebP, drawn when it's first asked for. Throws if the image is gone or can't be drawn. */
export function readSquare(
  store: MediaStore,
  { key, orgId }: { key: string; orgId: string },
  side: SquareSide,
): Promise<Uint8Array> {
  const kept = squareKeyOf(key, side)
  const begun = drawing.get(kept)
  if (begun) return begun
  return store.read(kept).catch(() => {
    const other = drawing.get(kept)
    if (other) return other
    const work = inTurn(orgId, () => draw(store, { key, orgId }, side)).finally(() => drawing.delete(kept))
    drawing.set(kept, work)
    return work
  })
}

async function draw(store: MediaStore, { key, orgId }: { key: string; orgId: string }, side: SquareSide) {
  const drawn = await squarePicture(await store.read(key), side, { firstFrame: true, pixels: PIXELS, whose: orgId })
  if (drawn.kind === 'refused') throw new Error(drawn.reason)
  await store.put(squareKeyOf(key, side), drawn.bytes)
  return drawn.bytes
}
