import { ANALYSIS_CREDITS } from '#contract/analytics/analysis.ts'
import type { ReportContent } from '#contract/reports/content.ts'
import { askCharged, type ModelDeps } from '../../ai/charge.ts'
import { readFacts } from '../../analysis/facts.ts'
import { questionOf } from '../../analysis/write.ts'
import { fail } from '../../errors.ts'
import { openReading, type ReadDeps, type ReportReader } from './reading.ts'

/** What an AI block's text is about, as the block keeps it. */
export type WrittenText = {
  text: string
  about: { from: string; to: string; channelIds: string[] }
  creditsLeft: number
}

/** Only people who read facts see posts' pictures. */
const noPictures = { link: () => null, mayOpen: false }

/**
 * Has the text of an AI block written from the figures of a report's days and filters, for one AI credit. `inTenant` opens short
 * transactions of the person who pays and whose role decides what it's about. Every number in it is one of the insights'. Throws
 * PLAN_LIMIT, NO_POSTS_FOUND without figures, AI_NOT_SET_UP, AI_PROMPT_GENERATION_ERROR.
 */
export async function writeText(
  inTenant: <T>(fn: (c: ReportReader) => Promise<T>) => Promise<T>,
  report: { content: ReportContent; today?: string | undefined },
  { accepted, ...model }: ReadDeps & ModelDeps,
): Promise<WrittenText> {
  const { found, about } = await inTenant(async (c) => {
    // its blocks don't matter: the text is about what the report covers as a whole
    const { scope, range } = await openReading(
      c,
      { ...report, content: { ...report.content, blocks: [] } },
      { accepted },
    )
    return {
      found: await readFacts(c, scope, noPictures),
      about: { from: range.from, to: range.to, channelIds: scope.channels.map(({ channelId }) => channelId) },
    }
  })
  if (found.facts.length === 0)
    throw fail('NO_POSTS_FOUND', { detail: 'There are no figures in these days to write about.' })
  const question = questionOf(found)
  const written = await askCharged({ inTenant }, model, {
    ask: question,
    credits: ANALYSIS_CREDITS,
    read: (answer) => {
      const { sentences } = question.read(answer)
      const text = sentences.map(({ runs }) => runs.map((run) => run.text).join('')).join(' ')
      return { found: text === '' ? undefined : text, declined: 0 }
    },
  })
  return { text: written.found, about, creditsLeft: written.creditsLeft }
}
