import type { ComparisonReason } from './filter.ts'

/** Why a figure isn't compared, in few words. */
export const comparisonWords: Record<ComparisonReason, string> = {
  notFinal: 'Not final yet',
  break: 'Counted differently before',
  forgotten: 'Earlier days deleted',
  differentChannels: 'Other channels before',
  nothingBefore: 'Nothing to compare',
}
