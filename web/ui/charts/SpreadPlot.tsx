import { useMemo } from 'react'
import type { ChartData } from '#charts/data.ts'
import { drawSpread, spreadElements, spreadSummary } from '#charts/spread.ts'
import { Elements, token } from './Elements.tsx'
import { useSize } from './useSize.ts'

/** The middle half of each name's values, with the median, written beside it, so that it needs no pointer. */
export function SpreadPlot({ label, data }: { label: string; data: ChartData }) {
  const [measure, size] = useSize()
  const width = size?.width ?? 0
  const drawing = useMemo(() => (width === 0 ? undefined : drawSpread(data, width)), [data, width])
  return (
    <div ref={measure} className="min-w-0">
      {drawing ? (
        <svg
          width={drawing.width}
          height={drawing.height}
          role="img"
          aria-label={spreadSummary(label, data)}
          className="tnum block text-[12px]"
        >
          <g aria-hidden>
            <Elements of={spreadElements(drawing, { paint: token })} />
          </g>
        </svg>
      ) : null}
    </div>
  )
}
