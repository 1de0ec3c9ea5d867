import { figureText } from '#contract/analytics/labels.ts'
import { count } from '#web/lib/format.ts'
import { standingOf, type BenchmarkRow, type Median } from './benchmarks.ts'

const [WIDTH, HEIGHT, MARGIN] = [150, 18, 5]

type Props = {
  figure: BenchmarkRow['figure']
  median: Median
  /** The values at both ends of the drawing. */ extent: { from: number; to: number }
}

/** Where a channel is between those of its platform: the middle half as a band, the median as a line, the channel as a dot. */
export function Standing({ figure: { name, value }, median, extent: { from, to } }: Props) {
  const x = (one: number) => MARGIN + ((one - from) / (to - from)) * (WIDTH - 2 * MARGIN)
  const words = `${standingOf(value, median)} the median`
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-0.5">
      <svg width={WIDTH} height={HEIGHT} aria-hidden className="shrink-0">
        <title>{`Median ${figureText(name, median.value)}, middle half from ${figureText(name, median.q1)} to ${figureText(name, median.q3)}`}</title>
        <line x1={MARGIN} x2={WIDTH - MARGIN} y1={HEIGHT / 2} y2={HEIGHT / 2} stroke="var(--line-strong)" />
        <rect
          x={x(median.q1)}
          width={Math.max(2, x(median.q3) - x(median.q1))}
          y={HEIGHT / 2 - 4}
          height={8}
          rx={2}
          fill="var(--line-strong)"
        />
        <line
          x1={x(median.value)}
          x2={x(median.value)}
          y1={2}
          y2={HEIGHT - 2}
          stroke="var(--ink-muted)"
          strokeWidth={2}
        />
        <circle cx={x(value)} cy={HEIGHT / 2} r={4.5} fill="var(--accent)" stroke="var(--surface)" strokeWidth={1.5} />
      </svg>
      <span className="text-sm whitespace-nowrap text-ink-muted">
        {words}
        <span className="sr-only">
          {' '}
          of {count(median.channels, 'channel')}: {figureText(name, median.value)}
        </span>
      </span>
    </span>
  )
}
