import type { MediaProblem } from '#contract/mediaProblems.ts'
import { cleanInWorker, inspectInWorker } from './inWorker.ts'
import { kindOf, typeOf, videoTypes, type ImageType, type VideoType } from './fileType.ts'
import { inspectImage, NOT_AN_IMAGE } from './image.ts'
import { withoutMetadata } from './metadata.ts'
import { mediaRefused } from './refused.ts'

/** What a file is, by its bytes. Null for what doesn't apply or isn't known. */
export type FileFacts = {
  contentType: ImageType | VideoType | 'application/pdf'
  width: number | null
  height: number | null
  seconds: number | null
  pages: number | null
  rotation: number | null
  videoCodec: string | null
  audioCodec: string | null
  frameRate: number | null
  bitDepth: number | null
  chroma: string | null
  /** Of a picture that moves; null for one that doesn't. */
  frames: number | null
  /** Of an image: `srgb`, `cmyk`, `b-w` and others. */
  colorSpace: string | null
}
export type InspectedFile = { kind: 'file'; facts: FileFacts } | { kind: 'refused'; problem: MediaProblem }

/** For a file that is only an image of some size. */
export const NOTHING = {
  width: null,
  height: null,
  seconds: null,
  pages: null,
  rotation: null,
  videoCodec: null,
  audioCodec: null,
  frameRate: null,
  bitDepth: null,
  chroma: null,
  frames: null,
  colorSpace: null,
}

/** Increased when a file's facts become more, so that files from before are read again (inspectAgain.ts). */
export const FACTS_VERSION = 1

/** Why a file that isn't what it was announced as can't be attached. */
export function notTaken(announced: string): MediaProblem {
  const kind = kindOf(announced)
  if (kind === 'video') return { code: 'unsupported-type', kind, types: [...videoTypes] }
  return announced === 'application/pdf'
    ? { code: 'unsupported-type', kind: 'document', types: ['application/pdf'] }
    : NOT_AN_IMAGE
}

/**
 * Identifies a complete file in place: never by its name or by what it was `announced` as, which only chooses the
 * message of a refusal. `whose`: the organization that waits for it.
 */
export async function inspectFile(path: string, announced: string, whose: string): Promise<InspectedFile> {
  const type = await typeOf(path)
  if (!type) return { kind: 'refused', problem: notTaken(announced) }
  if (type !== 'application/pdf' && !isVideo(type)) {
    const picture = await inspectImage(path, whose)
    return picture.kind === 'refused' ? picture : { kind: 'file', facts: { ...NOTHING, ...picture.facts } }
  }
  const inspected = (await inspectInWorker({ path, type }, whose)) ?? {
    kind: 'refused',
    problem: { code: 'damaged', kind: type === 'application/pdf' ? 'document' : 'video' },
  }
  if (inspected.kind === 'document')
    return { kind: 'file', facts: { ...NOTHING, contentType: 'application/pdf', pages: inspected.pages } }
  return inspected.kind === 'refused' ? inspected : { kind: 'file', facts: { ...NOTHING, ...inspected.facts } }
}

/**
 * Removes where and when an image or video was taken. Returns the path of the clean file, which is the same or next to
 * it, with its facts. Throws MEDIA_REFUSED for a video that can't be read through. `whose`: the organization that waits
 * for it.
 */
export async function cleanFile(
  path: string,
  { facts, bytes }: { facts: FileFacts; bytes: number },
  whose: string,
): Promise<{ path: string; facts: FileFacts & { bytes: number } }> {
  const { contentType } = facts
  const untouched = { path, facts: { ...facts, bytes } }
  if (contentType === 'application/pdf') return untouched
  if (isVideo(contentType)) {
    if (await cleanInWorker({ path, type: contentType }, whose)) return untouched
    throw mediaRefused({ code: 'damaged', kind: 'video' })
  }
  const { redrawn, ...clean } = await withoutMetadata(path, contentType)
  // an animation whose structure nobody knows has other frames then
  const again = redrawn ? await inspectImage(clean.path, whose) : undefined
  if (again?.kind === 'refused') throw mediaRefused(again.problem)
  return { path: clean.path, facts: { ...facts, ...again?.facts, bytes: clean.bytes } }
}

const isVideo = (type: ImageType | VideoType): type is VideoType => kindOf(type) === 'video'
