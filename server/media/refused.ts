import { describeMediaProblem, type MediaProblem } from '#contract/mediaProblems.ts'
import { fail, type Failure } from '../errors.ts'
import type { AssetRow } from './access.ts'

/** A file that can't be used, with its problem in words and, in `meta.problem`, as a code. */
export const mediaRefused = (problem: MediaProblem): Failure =>
  fail('MEDIA_REFUSED', { detail: describeMediaProblem(problem), meta: { problem } })

/** Why a file can't be used yet or at all, in words; null for one that is ready. */
export function whyNotReady({ state, problem }: Pick<AssetRow, 'state' | 'problem'>): string | null {
  if (state === 'ready') return null
  return state === 'uploading' ? 'This file is still uploading.' : describeMediaProblem(problem)
}

/** Throws MEDIA_REFUSED for a file that isn't ready. */
export function mustBeReady(asset: AssetRow): void {
  const detail = whyNotReady(asset)
  if (detail !== null) throw fail('MEDIA_REFUSED', { detail })
}
