import type { Readable } from 'node:stream'

/** Where files' bytes are stored. Keys are generated: `org/asset`, lower-case letters, digits, dashes. */
export type MediaStore = {
  /** Stores the bytes, completely or not at all. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Takes over a complete local file, which is then gone from its old place. */
  take(key: string, path: string): Promise<void>
  /** All bytes. Throws if there are none. */
  read(key: string): Promise<Uint8Array>
  /** The bytes as a stream, from `start` up to `end` (exclusive) if a range is given. Throws if there are none. */
  stream(key: string, range?: { start: number; end: number }): Promise<Readable>
  /** Removes the bytes and their small copies; succeeds if there are none. */
  delete(key: string): Promise<void>
}

const KEY = /^[0-9a-f-]+\/[0-9a-f-]+$/

/** Whether a name is a key of the media store. */
export const isKey = (name: string): boolean => KEY.test(name)

/** The key itself. Throws for anything that isn't a key of ours, before it becomes a path or an object's name. */
export function mustBeKey(key: string): string {
  if (!isKey(key)) throw new Error(`not a key of the media store: ${key}`)
  return key
}

/** Where an image's preview is stored: next to it, created on first use. */
export const previewKeyOf = (key: string): string => `${key}-0`

/** Sides of the square copies that public pages show, in pixels. */
const squareSides = [128, 256, 512] as const
export type SquareSide = (typeof squareSides)[number]

/** Where an image's square copy is stored: next to it, created on first use. */
export const squareKeyOf = (key: string, side: SquareSide): string => `${key}-${side}`

/** All that may be stored next to a file, and goes with it. */
export const copyKeysOf = (key: string): string[] => [
  previewKeyOf(key),
  ...squareSides.map((side) => squareKeyOf(key, side)),
]
