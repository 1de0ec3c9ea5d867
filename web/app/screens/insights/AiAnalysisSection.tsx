import Sparkles from 'lucide-react/icons/sparkles'
import { AiFailure, aiFailureText, isWorthRetrying } from '#contract/aiFailure.ts'
import { ANALYSIS_CREDITS, insightsAnalysisFacts, type AnalysisFacts } from '#contract/analytics/analysis.ts'
import { AnalysisText } from '#web/features/insights/analysis/AnalysisText.tsx'
import { FactTables } from '#web/features/insights/analysis/FactTables.tsx'
import { finalUntil } from '#web/features/insights/analysis/factWords.ts'
import { useAnalysis } from '#web/features/insights/analysis/useAnalysis.ts'
import { CardsToCome } from '#web/features/insights/CardsToCome.tsx'
import { FilteredAway } from '#web/features/insights/FilteredAway.tsx'
import { spanText } from '#web/features/insights/insightsSearch.ts'
import { useFilters } from '#web/features/insights/useFigures.ts'
import { dayText } from '#web/lib/dates.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import { count } from '#web/lib/format.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useHome, useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { GateNotice } from '#web/ui/GateNotice.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'

/** A text about the figures of these days, in which every number is one of them, and the figures that it's written from. */
export default function AiAnalysisSection() {
  const ids = useProjectIds()
  const { filters, query } = useFilters()
  const found = useCall(insightsAnalysisFacts, { params: ids, query }, { handles: true })
  return (
    <Loaded
      query={found}
      skeleton={<CardsToCome />}
      isEmpty={({ facts }) => facts.length === 0}
      empty={
        <FilteredAway
          icon={<Sparkles size={20} />}
          title="No figures in these days"
          text="There's nothing to write about."
        />
      }
    >
      {(facts) => (
        <>
          <Panel title={spanText(facts.range)} className="gap-3!">
            <Written facts={facts} />
          </Panel>
          <Panel title="Based on these figures" className="gap-3!">
            <Caveats facts={facts} />
            <FactTables found={facts} filters={filters} />
          </Panel>
        </>
      )}
    </Loaded>
  )
}

/** The text, or the way to it. */
function Written({ facts }: { facts: AnalysisFacts }) {
  const ids = useProjectIds()
  const { filters, query } = useFilters()
  const { analysis, isPending, error, write } = useAnalysis(ids, query)
  const mayWrite = useMay([['insights', 'create']]) === 'yes'
  const isSetUp = useHome().data?.capabilities.ai ?? true
  if (isPending) return <SkeletonLines lines={5} label="Writing the analysis" />
  return (
    <>
      {analysis ? <AnalysisText analysis={{ ...analysis, apart: facts.apart }} filters={filters} /> : null}
      {error ? <Problem error={error} /> : null}
      {!isSetUp ? (
        <p className="text-sm text-pretty text-ink-muted">
          AI isn't set up on this server, so no text can be written. The figures below are those that it would be
          written from. Your Rookery administrator can set it up.
        </p>
      ) : !mayWrite ? (
        <p className="text-sm text-pretty text-ink-muted">
          Your role can see the figures below, but not spend AI credits on insights. Ask a project admin.
        </p>
      ) : error && !isRepeatable(error) ? null : (
        <div className="grid justify-items-start gap-2">
          {analysis ? null : (
            <p className="max-w-prose text-sm text-pretty text-ink-muted">
              AI writes up to a dozen sentences about the figures below. Each number is checked against them, and
              sentences with any other number aren't shown. It reads figures only: no posts, messages or names.
            </p>
          )}
          <Button tone={analysis ? 'default' : 'primary'} icon={<Sparkles size={16} aria-hidden />} onClick={write}>
            {analysis ? 'Write again' : 'Write analysis'} ({count(ANALYSIS_CREDITS, 'credit')})
          </Button>
        </div>
      )}
    </>
  )
}

const whyOf = (error: ApiFailure) => AiFailure.safeParse(error.meta['why']).data

const isRepeatable = (error: ApiFailure): boolean => {
  const why = whyOf(error)
  return error.code !== 'PLAN_LIMIT' && (why === undefined || isWorthRetrying(why))
}

/** Why there's no text. */
function Problem({ error }: { error: ApiFailure }) {
  if (error.code === 'PLAN_LIMIT')
    return <GateNotice gate={error.meta['gate'] === 'ai_credits' ? 'ai_credits' : 'plan_expired'} />
  const why = whyOf(error)
  const text =
    why === undefined
      ? (error.detail ?? "The analysis couldn't be written. Try again.")
      : why === 'unusable'
        ? 'Nothing that the AI model wrote matched your figures, so nothing is shown.'
        : why === 'declined'
          ? 'The AI model declined this request.'
          : aiFailureText[why]
  return (
    <p role="status" className="text-sm text-pretty text-ink-muted">
      {why === undefined ? text : `${text} No credits were used.`}
    </p>
  )
}

/** What to know about the figures. */
function Caveats({ facts }: { facts: AnalysisFacts }) {
  const until = finalUntil(facts)
  const apart = new Intl.ListFormat('en').format(facts.apart.map(platformName))
  const notes = [
    until === undefined ? '' : `Some figures are only final until ${dayText(until)} and can still change.`,
    apart && `${apart} isn't included: its terms don't allow working anything out of its figures.`,
    facts.range.compare
      ? `Changes compare the same channels and as many days with ${spanText(facts.range.compare)}. Where days are missing, Before has only those that are compared, and says what they're compared against.`
      : '',
  ].filter(Boolean)
  return notes.length > 0 ? <p className="text-sm text-pretty text-ink-muted">{notes.join(' ')}</p> : null
}
