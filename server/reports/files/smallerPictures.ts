import { jpegInside, pictureInside } from '../../media/image.ts'

/** In pixels: a preview's pages are half as large as paper. */
const SIDE = 320
/** In bytes: what is smaller stays as it is. */
const SMALL = 15_000

/** A picture that is previewed again after each change isn't redrawn as long as it's kept. */
const redrawn = new WeakMap<Uint8Array, Uint8Array>()

/** Pictures for screens: they're most of a preview's bytes. One that can't be redrawn stays as it is. */
export async function smallerPictures(
  pictures: ReadonlyMap<string, Uint8Array>,
  whose: string,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const smaller = new Map<string, Uint8Array>()
  for (const [key, bytes] of pictures) smaller.set(key, bytes.byteLength > SMALL ? await redraw(bytes, whose) : bytes)
  return smaller
}

async function redraw(bytes: Uint8Array, whose: string): Promise<Uint8Array> {
  const known = redrawn.get(bytes)
  if (known) return known
  // a logo can be transparent
  const draw = bytes[0] === 0x89 ? pictureInside : jpegInside
  const drawn = await draw(bytes, { width: SIDE, height: SIDE }, { whose })
  const smaller = drawn.kind === 'picture' && drawn.bytes.byteLength < bytes.byteLength ? drawn.bytes : bytes
  redrawn.set(bytes, smaller)
  return smaller
}
