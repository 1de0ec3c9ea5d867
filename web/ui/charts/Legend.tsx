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
  /** In as many rows as it needs. */ isBelow: boolean
  className?: string
  onToggle: (key: string) => void
  /** Chooses which series are in the legend, by their keys. */ onChoose: (keys: ReadonlySet<string>) => void
}

const row = 'flex h-7 max-w-full shrink-0 items-center gap-1.5 whitespace-nowrap px-1.5'

/** Several series can be hidden one by one; a single one is only named. */
export function Legend({ label, all, series, hidden, looks, shape, isBelow, className, onToggle, onChoose }: Props) {
  const own = all.filter(({ comparedWith }) => comparedWith === undefined)
  const listed = new Set(series.map(({ key }) => key))
  return (
    <div className={clsx('-ml-1.5 flex min-w-0 text-sm', isBelow ? 'pt-2' : '', className)}>
      <ul
        aria-label={`${label}: legend`}
        className={clsx('flex min-w-0 gap-x-1 p-0.5', isBelow ? 'flex-wrap' : 'no-scrollbar overflow-x-auto')}
      >
        {series.map((one, i) => (
          // beside the buttons, the first name is whole and the others are shortened
          <li key={one.key} className={isBelow || i > 0 ? 'min-w-0' : 'shrink-0'}>
            {series.length === 1 ? (
              <span className={clsx(row, 'text-ink-muted')}>
                <Sample of={one} looks={looks} shape={shape} />
                <span className="truncate">{one.name}</span>
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
                <span className="truncate">{one.name}</span>
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
