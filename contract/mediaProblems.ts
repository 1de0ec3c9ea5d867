import { z } from 'zod'

export const FileKind = z.enum(['image', 'video', 'document'])
export type FileKind = z.infer<typeof FileKind>

/** The kind of a content type. */
export const fileKindOf = (type: string): FileKind =>
  type.startsWith('image/') ? 'image' : type.startsWith('video/') ? 'video' : 'document'

/** As people know them from file extensions. */
const endings: Partial<Record<string, string>> = {
  'video/quicktime': 'mov',
  'video/x-msvideo': 'avi',
  'video/x-ms-wmv': 'wmv',
  'video/3gpp': '3gp',
}
/** What people call a content type: "jpeg", "mov". */
export const fileTypeName = (type: string): string => endings[type] ?? type.replace(/^\w+\//, '')

/** For a file whose type can't be used. */
export const unsupported = (kind: FileKind, types: readonly string[]): string =>
  `unsupported ${kind} type. Supported: ${types.map(fileTypeName).join(', ')}`

/** For a file with more bytes. Never names more than is accepted: servers have odd limits, such as 16777216 bytes. */
export const tooLarge = (kind: FileKind, bytes: number): string =>
  `${kind} size cannot exceed ${Math.floor(bytes / 100_000) / 10} MB`

/** Why a file can't be used: stored as a code with parameters and worded by `describeMediaProblem` where it's shown. */
export const MediaProblem = z.discriminatedUnion('code', [
  /** `types` are the content types that can be used. */
  z.object({ code: z.literal('unsupported-type'), kind: FileKind, types: z.array(z.string()) }),
  /** More than `bytes`. */
  z.object({ code: z.literal('too-large'), kind: FileKind, bytes: z.int() }),
  z.object({ code: z.literal('too-many-pixels'), pixels: z.int() }),
  z.object({ code: z.literal('too-many-frames'), frames: z.int() }),
  z.object({ code: z.literal('damaged'), kind: FileKind }),
  z.object({ code: z.literal('password-protected') }),
  z.object({ code: z.literal('no-video-track') }),
])
export type MediaProblem = z.infer<typeof MediaProblem>

/** A sentence that was stored before problems had codes. Nothing new is written with it. */
const Stored = z.union([MediaProblem, z.object({ code: z.literal('text'), text: z.string() })])

/** A stored problem as a sentence; a general one if this version doesn't know it. */
export function describeMediaProblem(stored: unknown): string {
  const { data: problem } = Stored.safeParse(stored)
  switch (problem?.code) {
    case 'unsupported-type':
      return unsupported(problem.kind, problem.types)
    case 'too-large':
      return tooLarge(problem.kind, problem.bytes)
    case 'too-many-pixels':
      return `This image has more than ${problem.pixels / 1_000_000} million pixels.`
    case 'too-many-frames':
      return `This image has more than ${problem.frames.toLocaleString('en')} frames.`
    case 'damaged':
      return `This ${problem.kind} is damaged and can't be read.`
    case 'password-protected':
      return 'This document is password-protected. Save it without a password and attach it again.'
    case 'no-video-track':
      return "This file doesn't contain a video."
    case 'text':
      return problem.text
    case undefined:
      break
  }
  return "This file can't be used."
}
