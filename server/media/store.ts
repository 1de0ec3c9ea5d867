import type { Readable } from 'node:stream'

/** Where files' bytes are kept. Keys are made by this product: `org/asset`, lower-case letters, digits, dashes. */
export type MediaStore = {
  /** Keeps the bytes, whole or not at all. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Takes over a finished file of this machine. It is gone from its old place afterwards. */
  take(key: string, path: string): Promise<void>
  /** All bytes. Throws when there are none. */
  read(key: string): Promise<Uint8Array>
  /** The bytes as they come, from `start` up to `end` (exclusive) where a range is named. Throws when there are none. */
  stream(key: string, range?: { start: number; end: number }): Promise<Readable>
  /** Removes the bytes and the preview that was made of them; removing what isn't there succeeds. */
  delete(key: string): Promise<void>
}

const KEY = /^[0-9a-f-]+\/[0-9a-f-]+$/

/** Whether a name is a key of the media store. */
export const isKey = (name: string): boolean => KEY.test(name)

/** The key itself. Throws for what is no key of ours, before it becomes a path or the name of an object. */
export function mustBeKey(key: string): string {
  if (!isKey(key)) throw new Error(`not a key of the media store: ${key}`)
  return key
}

/** Where the preview of a picture is kept: beside it, made when someone looks first. */
export const previewKeyOf = (key: string): string => `${key}-0`
