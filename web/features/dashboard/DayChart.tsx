import { scaleBand, scaleLinear, scalePoint } from 'd3-scale'
import { area, curveMonotoneX, line, stack, stackOffsetDiverging } from 'd3-shape'
import { useCallback, useState } from 'react'
import { shortNumber } from '#contract/format.ts'
import { longDay } from '#web/lib/dates.ts'
import { shortDay } from './ranges.ts'

export type Series = {
  key: string
  name: string
  /** A token, such as var(--ok). */ color: string
  /** One of each day. */ values: readonly number[]
}
type Props = { label: string; days: readonly string[]; series: readonly Series[]; shape: 'bars' | 'line' }
type Frame = Props & { width: number }

const HEIGHT = 176
const PAD = { top: 8, right: 4, bottom: 22, left: 34 }
/** The room that a day's label needs. */
const LABEL = 52

/** Numbers by day as stacked bars or as a line. Its name summarizes it; hovering over a day shows its numbers. */
export default function DayChart(props: Props) {
  const [width, setWidth] = useState(0)
  const measure = useCallback((element: HTMLDivElement) => {
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const { label, days, series } = props
  const sums = series.map(
    ({ name, values }) => `${name} ${values.reduce((sum, value) => sum + value, 0).toLocaleString('en')}`,
  )
  return (
    <div ref={measure} className="h-44 min-w-0">
      {width > 0 ? (
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={`${label}, ${shortDay(days[0] ?? '')} to ${shortDay(days.at(-1) ?? '')}: ${sums.join(', ')}`}
          className="block overflow-visible"
        >
          {props.shape === 'bars' ? <Bars {...props} width={width} /> : <Line {...props} width={width} />}
        </svg>
      ) : null}
    </div>
  )
}

function Bars({ days, series, width }: Frame) {
  const x = scaleBand()
    .domain(days)
    .range([PAD.left, width - PAD.right])
    .paddingInner(0.28)
    .paddingOuter(0.1)
  const rows = days.map((_, i) => Object.fromEntries(series.map(({ key, values }) => [key, values[i] ?? 0])))
  const layers = stack<Record<string, number>>()
    .keys(series.map(({ key }) => key))
    .offset(stackOffsetDiverging)(rows)
  const y = heightOf(layers.flat().flat())
  const bar = Math.min(x.bandwidth(), 36)
  return (
    <>
      <Lines y={y} width={width} />
      {layers.map((layer, which) => (
        <g key={layer.key} fill={series[which]?.color}>
          {layer.map(([from, to], i) =>
            from === to ? null : (
              <rect
                key={days[i]}
                x={(x(days[i] ?? '') ?? 0) + (x.bandwidth() - bar) / 2}
                width={bar}
                y={y(Math.max(from, to))}
                height={Math.max(1, Math.abs(y(from) - y(to)) - 1)}
                rx={Math.min(2, bar / 4)}
              />
            ),
          )}
        </g>
      ))}
      <Days days={days} series={series} width={width} at={(day) => (x(day) ?? 0) + x.bandwidth() / 2} />
    </>
  )
}

function Line({ days, series, width }: Frame) {
  const x = scalePoint()
    .domain(days)
    .range([PAD.left, width - PAD.right])
    .padding(0.4)
  const y = heightOf(series.flatMap(({ values }) => [...values]))
  const at = (day: string) => x(day) ?? 0
  return (
    <>
      <Lines y={y} width={width} />
      {series.map(({ key, color, values }) => {
        const points = days.map((day, i) => [at(day), y(values[i] ?? 0)] as const)
        return (
          <g key={key}>
            <path
              fill={color}
              fillOpacity={0.14}
              d={
                area<readonly [number, number]>()
                  .x(([px]) => px)
                  .y0(y(0))
                  .y1(([, py]) => py)
                  .curve(curveMonotoneX)(points) ?? ''
              }
            />
            <path
              fill="none"
              stroke={color}
              strokeWidth={2}
              strokeLinecap="round"
              strokeLinejoin="round"
              d={
                line<readonly [number, number]>()
                  .x(([px]) => px)
                  .y(([, py]) => py)
                  .curve(curveMonotoneX)(points) ?? ''
              }
            />
            {days.length <= 7
              ? points.map(([px, py]) => <circle key={px} cx={px} cy={py} r={2.5} fill={color} />)
              : null}
          </g>
        )
      })}
      <Days days={days} series={series} width={width} at={at} />
    </>
  )
}

type Height = ReturnType<typeof heightOf>

function heightOf(values: readonly number[]) {
  const [least, most] = [Math.min(0, ...values), Math.max(1, ...values)]
  return scaleLinear()
    .domain([least, most])
    .nice(3)
    .range([HEIGHT - PAD.bottom, PAD.top])
}

/** Whole numbers only: there are no half posts. */
function Lines({ y, width }: { y: Height; width: number }) {
  return (
    <g aria-hidden className="tnum text-[11px]">
      {y
        .ticks(3)
        .filter(Number.isInteger)
        .map((tick) => (
          <g key={tick} transform={`translate(0,${y(tick)})`}>
            <line x1={PAD.left} x2={width - PAD.right} stroke={tick === 0 ? 'var(--line-strong)' : 'var(--line)'} />
            <text x={PAD.left - 8} dy="0.32em" textAnchor="end" fill="var(--ink-muted)">
              {shortNumber(tick)}
            </text>
          </g>
        ))}
    </g>
  )
}

/** The days under the chart, as many as fit, counted back from the last; and each one's tooltip. */
function Days({
  days,
  series,
  width,
  at,
}: {
  days: readonly string[]
  series: readonly Series[]
  width: number
  at: (day: string) => number
}) {
  const step = Math.ceil((days.length * LABEL) / (width - PAD.left - PAD.right))
  const room = (width - PAD.left - PAD.right) / Math.max(1, days.length)
  return (
    <g aria-hidden className="tnum text-[11px]">
      {days.map((day, i) => (
        <g key={day} transform={`translate(${at(day)},0)`}>
          {(days.length - 1 - i) % step === 0 ? (
            <text
              y={HEIGHT - 5}
              x={i === days.length - 1 ? Math.min(0, width - at(day) - LABEL / 2 + 6) : 0}
              textAnchor="middle"
              fill="var(--ink-muted)"
            >
              {shortDay(day)}
            </text>
          ) : null}
          <rect
            x={-room / 2}
            width={room}
            y={PAD.top}
            height={HEIGHT - PAD.top - PAD.bottom}
            rx={3}
            fill="transparent"
            className="hover:fill-hover"
          >
            <title>{`${longDay(day)}\n${series.map(({ name, values }) => `${name}: ${(values[i] ?? 0).toLocaleString('en')}`).join('\n')}`}</title>
          </rect>
        </g>
      ))}
    </g>
  )
}
