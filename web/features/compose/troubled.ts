import type { ProblemCode } from '#contract/postProblems.ts'
import type { ChannelErrors } from './checks.ts'

type Stage = {
  /** Something was written. Before that, nothing is missing yet. */
  isBegun: boolean
  /** The person tried to submit: missing parts are named, too. */
  tried: boolean
}

const missing = new Set<ProblemCode>(['text-missing', 'title-missing', 'file-missing', 'detail-missing'])
const isMissing = ({ problem }: ChannelErrors['errors'][number]): boolean =>
  problem !== undefined && missing.has(problem.code)
/** Shown at the file itself. */
const isOfFile = ({ field }: ChannelErrors['errors'][number]): boolean => /\.media\.\d/.test(field)

/**
 * The channels that would be refused as they are: with problems of their files, and with missing parts once something
 * was written.
 */
export function refusedOf(found: readonly ChannelErrors[], { isBegun, tried }: Stage): ChannelErrors[] {
  return found.filter(({ errors }) => errors.some((error) => isBegun || tried || !isMissing(error)))
}

/** The list of problems: an empty page isn't a mistake before someone tries to submit it. */
export function saidOf(found: readonly ChannelErrors[], { tried }: Pick<Stage, 'tried'>): ChannelErrors[] {
  return found
    .map(({ channel, errors }) => ({
      channel,
      errors: errors.filter((error) => (tried || !isMissing(error)) && !isOfFile(error)),
    }))
    .filter(({ errors }) => errors.length > 0)
}
