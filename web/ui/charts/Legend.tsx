import { clsx } from 'clsx'
import { lazy, Suspense } from 'react'
import type { Series } from '#charts/data.ts'
import type { Looks } from '#charts/looks.ts'
import { Sample, type SampleShape } from './Sample.tsx'

// only where there are more series than a chart can show
const MoreSeries = lazy(() => import('./MoreSeries.tsx'))

type Props = {
  label: string
  /** Of the whole chart. */ all: readonly Series[]
  /** Those of the legend. */ series: readonly Series[]
  hidden: ReadonlySet<string>
  looks: Looks
  shape: SampleShape
  /** Below the drawing. */ isBelow: boolean
  className?: string
  onToggle: (key: string) => void
  /** Chooses which series are in the legend, by their keys. */ onChoose: (keys: ReadonlySet<string>) => void
}

// names are whole: a long one takes two lines
const row =
  'flex min-h-7 max-w-full items-center gap-1.5 px-1.5 py-0.5 text-left leading-tight [overflow-wrap:anywhere]'

/** Several series can be hidden one by one; a single one is only named. */
export function Legend({ label, all, series, hidden, looks, shape, isBelow, className, onToggle, onChoose }: Props) {
  const own = all.filter(({ comparedWith }) => comparedWith === undefined)
  const listed = new Set(series.map(({ key }) => key))
  return (
    <div className={clsx('-ml-1.5 flex min-w-0 text-sm', isBelow ? 'pt-2' : '', className)}>
      <ul aria-label={`${label}: legend`} className="flex min-w-0 flex-wrap gap-x-1 p-0.5">
        {series.map((one) => (
          <li key={one.key} className="min-w-0">
            {series.length === 1 ? (
              <span className={clsx(row, 'text-ink-muted')}>
                <Sample of={one} looks={looks} shape={shape} />
                <span className="min-w-0">{one.name}</span>
              </span>
            ) : (
              <button
                type="button"
                aria-pressed={!hidden.has(one.key)}
                onClick={() => onToggle(one.key)}
                className={clsx(
                  row,
                  'rounded-sm hover:bg-hover focus-visible:outline-offset-0',
                  hidden.has(one.key) ? 'text-ink-faint line-through' : 'text-ink-muted',
                )}
              >
                <Sample of={one} looks={looks} shape={shape} />
                <span className="min-w-0">{one.name}</span>
              </button>
            )}
          </li>
        ))}
        {own.some(({ key }) => !listed.has(key)) ? (
          <li>
            <Suspense fallback={null}>
              <MoreSeries
                label={label}
                words={`${own.filter(({ key }) => !listed.has(key)).length} more`}
                series={own}
                listed={listed}
                looks={looks}
                shape={shape}
                onChoose={onChoose}
              />
            </Suspense>
          </li>
        ) : null}
      </ul>
    </div>
  )
}
