import type { HeatData } from '#charts/data.ts'
import { HEAT_EDGE, heatScale, heatShades } from '#charts/heat.ts'
import { token } from './Elements.tsx'

/** What a heat map's shades and numbers mean. */
export function HeatScale({ heat, of }: { heat: HeatData; /** What the values are. */ of: string }) {
  const { ends, hasFew } = heatScale(heat)
  return (
    <ul className="tnum flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 py-1 text-sm text-ink-muted">
      {ends === null ? null : (
        <li className="flex items-center gap-1.5">
          {of}
          <span className="sr-only">from a weak color for</span>
          {ends.from}
          <svg width={18 * heatShades.length} height={14} aria-hidden className="shrink-0">
            {heatShades.map((opacity, i) => (
              <rect
                key={opacity}
                x={18 * i + 1}
                y={1}
                width={15}
                height={12}
                rx={2}
                fill={token('accent')}
                fillOpacity={opacity}
                stroke={token('accent')}
                strokeOpacity={HEAT_EDGE}
              />
            ))}
          </svg>
          <span className="sr-only">to a strong one for</span>
          {ends.to}
        </li>
      )}
      {heat.posts ? (
        <li className="flex items-center gap-1.5">
          <Cell isFilled /> Number of posts
        </li>
      ) : null}
      {hasFew ? (
        <li className="flex items-center gap-1.5">
          <Cell /> Too few posts
        </li>
      ) : null}
    </ul>
  )
}

/** A cell with a number in it. */
const Cell = ({ isFilled = false }: { isFilled?: boolean }) => (
  <svg width={16} height={14} aria-hidden className="shrink-0 text-[11px]">
    {isFilled ? (
      <rect
        x={1}
        y={1}
        width={14}
        height={12}
        rx={2}
        fill={token('accent')}
        fillOpacity={heatShades[0]}
        stroke={token('accent')}
        strokeOpacity={HEAT_EDGE}
      />
    ) : null}
    <text x={8} y={7} dy="0.36em" textAnchor="middle" fill={token('ink')}>
      {isFilled ? 5 : 1}
    </text>
  </svg>
)
