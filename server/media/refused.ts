import type { MediaProblem } from '#contract/mediaProblems.ts'
import { problem, type PostProblem } from '#contract/postProblems.ts'
import { fail, type Failure } from '../errors.ts'
import type { AssetRow } from './access.ts'

/** A file that can't be used; `meta.problem` names its problem. */
export const mediaRefused = (why: MediaProblem): Failure =>
  fail('MEDIA_REFUSED', { problem: problem('file-unusable', { problem: why }), meta: { problem: why } })

/** Why a file can't be used yet or at all; null for one that is ready. */
export function whyNotReady({ state, problem: why }: Pick<AssetRow, 'state' | 'problem'>): PostProblem | null {
  if (state === 'ready') return null
  return state === 'uploading' ? problem('file-uploading') : problem('file-unusable', { problem: why })
}

/** Throws MEDIA_REFUSED for a file that isn't ready. */
export function mustBeReady(asset: AssetRow): void {
  const why = whyNotReady(asset)
  if (why) throw fail('MEDIA_REFUSED', { problem: why })
}
