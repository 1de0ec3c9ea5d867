import type { MediaFacts, PostError } from '#contract/checkMedia.ts'
import { getAsset, type Asset } from '#contract/media.ts'
import { call, isFailure } from '#web/lib/client.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { moved } from '#web/ui/useRowOrder.ts'

/** A file in the composer, from the moment it's dropped until it's a file of the project. */
export type Attachment = {
  /** Its key on this screen; the asset's id comes once the server has it. */
  key: string
  assetId: string | undefined
  /** `waiting` for earlier ones, `paused` by the person or a lost connection. */
  state: 'waiting' | 'uploading' | 'paused' | 'reading' | 'fitting' | 'ready' | 'failed'
  fileName: string
  contentType: string
  bytes: number
  width: number | null
  height: number | null
  /** For a video. */
  seconds: number | null
  /** For a document, once the server has read it. */
  pages: number | null
  /** As in its facts (contract/media.ts); some are only known once the server has read it. */
  videoCodec: string | null
  audioCodec: string | null
  frameRate: number | null
  chroma: string | null
  frames: number | null
  colorSpace: string | null
  /** The video's chosen thumbnail. */
  thumbnailUrl: string | null
  /** The displayed image: the browser's own copy, later the server's. */
  url: string
  altText: string
  /** Bytes that have arrived. */
  sent: number
  problem: string | undefined
  /** Refused because too many of the person's uploads are unfinished: removing some helps. */
  isOverLimit?: boolean
  /** Refused because it's larger than any upload may be: an image can be shrunk here. */
  isTooLarge?: boolean
}

/** What is only known once a file has been read, and not by everyone. */
export const UNREAD = {
  seconds: null,
  pages: null,
  videoCodec: null,
  audioCodec: null,
  frameRate: null,
  chroma: null,
  frames: null,
  colorSpace: null,
} as const satisfies Partial<Attachment>

export type AttachmentChange =
  | { type: 'added'; attachment: Attachment }
  | { type: 'changed'; key: string; change: Partial<Attachment> }
  | { type: 'removed'; key: string }
  /** To the other one's position. */
  | { type: 'moved'; key: string; over: string }

export function changeAttachments(list: readonly Attachment[], change: AttachmentChange): readonly Attachment[] {
  if (change.type === 'added') return [...list, change.attachment]
  if (change.type === 'changed') return list.map((one) => (one.key === change.key ? { ...one, ...change.change } : one))
  if (change.type === 'removed') return list.filter((one) => one.key !== change.key)
  const placeOf = (key: string) => list.findIndex((one) => one.key === key)
  return [change.key, change.over].some((key) => placeOf(key) < 0)
    ? list
    : moved(list, placeOf(change.key), placeOf(change.over))
}

/** It isn't on the server yet, and may still get there. */
export const isUnfinished = ({ state, assetId }: Attachment): boolean =>
  assetId === undefined && state !== 'ready' && state !== 'failed'

export function ofAsset(asset: Asset, altText: string): Attachment {
  return {
    key: asset.assetId,
    assetId: asset.assetId,
    state: asset.state === 'ready' ? 'ready' : 'failed',
    fileName: asset.displayName,
    contentType: asset.contentType,
    bytes: asset.bytes,
    width: asset.width,
    height: asset.height,
    seconds: asset.seconds,
    pages: asset.pages,
    videoCodec: asset.videoCodec,
    audioCodec: asset.audioCodec,
    frameRate: asset.frameRate,
    chroma: asset.chroma,
    frames: asset.frames,
    colorSpace: asset.colorSpace,
    thumbnailUrl: asset.thumbnailUrl,
    url: asset.url,
    altText,
    sent: asset.bytes,
    problem: asset.state === 'ready' ? undefined : (asset.problem ?? "This file can't be used."),
  }
}

/** What the composer needs to know about a file: the rules that it breaks on the chosen channels. */
export type CheckFile = (file: MediaFacts) => readonly PostError[]

/** What the rules need to know about it. A video's thumbnail counts once one can be chosen. */
export function factsOf(one: Attachment): MediaFacts {
  const { contentType, bytes, altText, width, height, seconds, pages } = one
  const { videoCodec, audioCodec, frameRate, chroma, frames, colorSpace } = one
  return {
    contentType,
    bytes,
    altText,
    width,
    height,
    seconds,
    pages,
    videoCodec,
    audioCodec,
    frameRate,
    chroma,
    frames,
    colorSpace,
    ...(one.state === 'ready' && { hasThumbnail: one.thumbnailUrl !== null }),
  }
}

export type Kind = 'image' | 'video' | 'document'
/** As people call it. */
export const kindOf = ({ contentType }: { contentType: string }): Kind =>
  contentType.startsWith('video/') ? 'video' : contentType.startsWith('image/') ? 'image' : 'document'
export const isOnItsWay = ({ state }: Attachment): boolean =>
  state === 'waiting' || state === 'uploading' || state === 'paused'

/**
 * A file of a saved draft or post, with the server's facts; undefined if it was permanently deleted. Throws every other
 * failure: a file that couldn't be loaded this time must not be treated as gone.
 */
export async function readAttachment(
  ids: ProjectIds,
  { assetId, altText = '' }: { assetId: string; altText?: string | undefined },
): Promise<Attachment | undefined> {
  try {
    const asset = await call(getAsset, { params: { ...ids, assetId } })
    const original = asset.originalId === null ? undefined : await readOriginal(ids, asset.originalId)
    return ofAsset(original ?? asset, altText)
  } catch (error) {
    if (isFailure(error, 'NOT_FOUND')) return undefined
    throw error
  }
}

/** What a copy was made of: other channels get it as it is. Undefined if only the copy is left. */
async function readOriginal(ids: ProjectIds, assetId: string): Promise<Asset | undefined> {
  try {
    const asset = await call(getAsset, { params: { ...ids, assetId } })
    return asset.state === 'ready' ? asset : undefined
  } catch (error) {
    if (isFailure(error, 'NOT_FOUND')) return undefined
    throw error
  }
}
