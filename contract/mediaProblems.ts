import { z } from 'zod'
import { unsupported } from './checkPost.ts'

const Kind = z.enum(['image', 'video', 'document'])

/** Why a file can't be used: stored as a code with parameters and worded by `describeMediaProblem` where it's shown. */
export const MediaProblem = z.discriminatedUnion('code', [
  /** `types` are the content types that can be used. */
  z.object({ code: z.literal('unsupported-type'), kind: Kind, types: z.array(z.string()) }),
  /** More than `bytes`. */
  z.object({ code: z.literal('too-large'), kind: Kind, bytes: z.int() }),
  z.object({ code: z.literal('too-many-pixels'), pixels: z.int() }),
  z.object({ code: z.literal('damaged'), kind: Kind }),
  z.object({ code: z.literal('password-protected') }),
  z.object({ code: z.literal('no-video-track') }),
])
export type MediaProblem = z.infer<typeof MediaProblem>

/** A sentence that was stored before problems had codes. Nothing new is written with it. */
const Stored = z.union([MediaProblem, z.object({ code: z.literal('text'), text: z.string() })])

/** A problem as it was stored, in words; of one that this version doesn't know, the general words. */
export function describeMediaProblem(stored: unknown): string {
  const { data: problem } = Stored.safeParse(stored)
  switch (problem?.code) {
    case 'unsupported-type':
      return unsupported(problem.kind, problem.types)
    case 'too-large':
      return `${problem.kind} size cannot exceed ${problem.bytes / 1_000_000} MB`
    case 'too-many-pixels':
      return `This image has more than ${problem.pixels / 1_000_000} million pixels.`
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
