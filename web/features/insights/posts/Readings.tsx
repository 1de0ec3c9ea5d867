import { useState } from 'react'
import Download from 'lucide-react/icons/download'
import { platformFigure } from '#contract/analytics/catalog/catalog.ts'
import { FigureName } from '#contract/analytics/catalog/names.ts'
import { columnTitle, figureText, shownValue, termOf } from '#contract/analytics/labels.ts'
import { FigureKey } from '#contract/analytics/names.ts'
import type { PostInsights } from '#contract/analytics/posts.ts'
import { writeCsv } from '#contract/csv.ts'
import { momentOf } from '#web/lib/format.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { saveFile } from '#web/lib/saveFile.ts'
import { Button } from '#web/ui/Button.tsx'
import { Table } from '#web/ui/Table.tsx'

/** So many are shown first, the newest. */
const FIRST = 8

type Reading = PostInsights['readings'][number]

/** Every value that the platform gave us, when, and under which name: what our figures can be checked against. */
export function Readings({ post: { postId, platformName: platform, readings } }: { post: PostInsights }) {
  const zone = useProjectZone()
  const [all, setAll] = useState(false)
  const names = FigureKey.options.filter((name) => readings.some(({ figures }) => figures[name] !== undefined))
  const newest = readings.toReversed()
  const shown = all ? newest : newest.slice(0, FIRST)
  const file = () =>
    `\uFEFF${writeCsv([
      ['Read (UTC)', ...names.map((name) => columnTitle(termOf(platform, 'post', name), name))],
      ...readings.map(({ readAt, figures }) => [
        readAt,
        ...names.map((name) => String(shownValue(name, figures[name] ?? null) ?? '')),
      ]),
    ])}`
  if (readings.length === 0) return <p className="text-ink-muted">The first reading is an hour after publishing.</p>
  return (
    <div className="grid gap-2">
      <Table
        label="Readings"
        slim
        rows={shown}
        rowKey={({ readAt }) => readAt}
        columns={[
          {
            key: 'at',
            header: 'Read',
            className: 'tnum whitespace-nowrap',
            cell: ({ readAt }) => momentOf(readAt, zone),
          },
          ...names.map((name) => ({
            key: name,
            header: (
              <span className="grid">
                {termOf(platform, 'post', name)}
                <span className="font-mono text-xs font-normal">{sourceOf(platform, name)}</span>
              </span>
            ),
            align: 'end' as const,
            className: 'tnum text-right whitespace-nowrap',
            cell: (reading: Reading) => <Value name={name} reading={reading} />,
          })),
        ]}
      />
      <span className="flex flex-wrap gap-2">
        {readings.length > FIRST ? (
          <Button size="s" tone="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer readings' : `Show all ${readings.length} readings`}
          </Button>
        ) : null}
        <Button
          size="s"
          tone="quiet"
          icon={<Download size={14} aria-hidden />}
          onClick={() => saveFile(`post-${postId}.csv`, file(), 'text/csv;charset=utf-8')}
        >
          Download readings as CSV
        </Button>
      </span>
    </div>
  )
}

/** The value, and what came since the reading before. */
function Value({ name, reading: { figures, gains } }: { name: FigureKey; reading: Reading }) {
  const gain = gains[name]
  return (
    <>
      {figureText(name, figures[name])}
      {gain === undefined || gain === 0 ? null : (
        <span className="ml-1.5 text-xs text-ink-muted">
          {gain > 0 ? '+' : '\u2212'}
          {figureText(name, Math.abs(gain))}
        </span>
      )}
    </>
  )
}

/** The platform's own name of the figure in its API. */
function sourceOf(platform: PostInsights['platformName'], name: FigureKey): string {
  const known = FigureName.safeParse(name)
  return known.success ? (platformFigure(platform, 'post', known.data)?.source ?? '') : ''
}
