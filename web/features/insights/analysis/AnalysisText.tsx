import type { Analysis } from '#contract/analytics/analysis.ts'
import { count } from '#web/lib/format.ts'
import { paperClass } from '#web/ui/Panel.tsx'
import type { InsightsFilters } from '../insightsSearch.ts'
import { FactLink } from './FactLink.tsx'

/** What the model wrote, as far as it holds: each number, channel and post leads to its figure. */
export function AnalysisText({ analysis, filters }: { analysis: Analysis; filters: InsightsFilters }) {
  const { sentences, leftOut, facts, creditsLeft } = analysis
  const byId = new Map(facts.map((fact) => [fact.id, fact]))
  return (
    <section aria-label="Analysis" className={`${paperClass} grid gap-3 px-4 py-4`}>
      <ul className="grid max-w-prose gap-2">
        {sentences.map(({ runs }, place) => (
          // the order of a text that doesn't change
          // oxlint-disable-next-line react/no-array-index-key
          <li key={place} className="leading-relaxed [overflow-wrap:anywhere]">
            {runs.map((run, at) => {
              const fact = run.kind === 'words' ? undefined : byId.get(run.factId)
              return fact ? (
                // oxlint-disable-next-line react/no-array-index-key
                <FactLink key={at} fact={fact} found={analysis} filters={filters}>
                  <span className={run.kind === 'number' ? 'tnum' : ''}>{run.text}</span>
                </FactLink>
              ) : (
                run.text
              )
            })}
          </li>
        ))}
      </ul>
      <p role="status" className="text-sm text-pretty text-ink-muted">
        Written by AI. Every number was checked against your figures
        {leftOut === 0
          ? '.'
          : `; ${count(leftOut, 'sentence')} ${leftOut === 1 ? 'was' : 'were'} left out because something in ${leftOut === 1 ? 'it' : 'them'} didn't match.`}{' '}
        <span className="tnum">{count(creditsLeft, 'AI credit')} left this month.</span>
      </p>
    </section>
  )
}
