import { factGroups, type AnalysisFact, type AnalysisFacts } from '#contract/analytics/analysis.ts'
import { figureText } from '#contract/analytics/labels.ts'
import { FigureChange } from '#web/ui/Change.tsx'
import { FoldedPanel } from '#web/ui/FoldedPanel.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { FigureCell } from '../FigureCell.tsx'
import { thanText, type InsightsFilters } from '../insightsSearch.ts'
import { FactLink } from './FactLink.tsx'
import { beforeTexts, factCoverage, factSubject, factTitle, groupTitles, workedText } from './factWords.ts'

/** All facts, a table for each group. Each leads to its figure. */
export function FactTables({ found, filters }: { found: AnalysisFacts; filters: InsightsFilters }) {
  const { facts, range } = found
  const than = thanText(range.compare)
  return (
    <div className="grid gap-4">
      {factGroups.map((group) => {
        const rows = facts.filter((fact) => fact.group === group)
        if (rows.length === 0) return null
        const table = (
          <Table
            slim
            label={groupTitles[group]}
            rows={rows}
            rowKey={({ id }) => id}
            columns={columnsOf(group !== 'total', group !== 'post' && group !== 'worked' && range.compare !== null)}
          />
        )
        return group === 'total' ? (
          <section key={group} className="grid min-w-0 gap-2" aria-labelledby={`facts-${group}`}>
            <h3 id={`facts-${group}`} className="text-base font-bold">
              {groupTitles[group]}
            </h3>
            {table}
          </section>
        ) : (
          <FoldedPanel key={group} title={groupTitles[group]} level={3} name={`facts-${group}`}>
            {table}
          </FoldedPanel>
        )
      })}
    </div>
  )

  function columnsOf(hasSubject: boolean, isCompared: boolean): Column<AnalysisFact>[] {
    return [
      {
        key: 'figure',
        header: 'Figure',
        names: true,
        cell: (fact) => {
          const covered = factCoverage(fact, found)
          return (
            <span className="grid justify-items-start">
              <FactLink fact={fact} found={found} filters={filters}>
                {hasSubject ? `${factSubject(fact)}: ${factTitle(fact, found)}` : factTitle(fact, found)}
              </FactLink>
              {covered === undefined ? null : <span className="text-xs text-pretty text-ink-muted">{covered}</span>}
            </span>
          )
        },
      },
      {
        key: 'value',
        header: 'Value',
        align: 'end',
        cell: (fact) => (
          <FigureCell
            value={fact.worked ? workedText(fact.name, fact.worked) : figureText(fact.name, fact.value)}
            change={isCompared ? <FigureChange figure={fact} than={than} /> : undefined}
          />
        ),
      },
      ...(isCompared
        ? [
            {
              key: 'before',
              header: 'Before',
              align: 'end' as const,
              className: 'text-ink-muted',
              cell: (fact: AnalysisFact) => {
                const { before, against } = beforeTexts(fact)
                return <FigureCell value={<span className="font-normal">{before}</span>} note={against} />
              },
            },
          ]
        : []),
    ]
  }
}
