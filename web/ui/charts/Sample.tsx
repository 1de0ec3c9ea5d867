import type { Series } from '#charts/data.ts'
import type { Looks } from '#charts/looks.ts'
import { COMPARED_DASH, lookAt } from '#charts/style.ts'
import { token } from './Elements.tsx'
import type { FigureProps } from './figureProps.ts'

export type SampleShape = NonNullable<FigureProps['shape']>

type Props = { of: Series; looks: Looks; shape: SampleShape }

/** The line or the color of a series, beside its name. */
export function Sample({ of: { key, comparedWith }, looks, shape }: Props) {
  const { color, dash } = looks.get(comparedWith ?? key) ?? lookAt(0)
  const isLine = shape === 'line' || comparedWith !== undefined
  return (
    <svg width={18} height={10} aria-hidden className="shrink-0">
      {isLine ? (
        <line
          x1={1}
          x2={17}
          y1={5}
          y2={5}
          stroke={token(color)}
          strokeWidth={comparedWith === undefined ? 2.5 : 1.5}
          strokeDasharray={comparedWith === undefined ? dash : COMPARED_DASH}
          strokeLinecap="round"
        />
      ) : (
        <rect x={4} width={10} height={10} rx={3} fill={token(color)} />
      )}
    </svg>
  )
}
