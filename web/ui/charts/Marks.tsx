import type { Mark } from '#charts/data.ts'
import { COMPARED_DASH, dashOf, hatchOf } from '#charts/style.ts'
import type { Looks } from './figureProps.ts'

/** Lines, areas, dots and bars in the looks of their series. */
export function Marks({ marks, looks, id }: { marks: readonly Mark[]; looks: Looks; id: string }) {
  return (
    <>
      <defs>
        {[...looks.values()].map(({ order, color }) => {
          const angle = hatchOf(order)
          return angle === null ? null : (
            <pattern
              key={order}
              id={hatchId(id, order)}
              width={6}
              height={6}
              patternUnits="userSpaceOnUse"
              patternTransform={`rotate(${angle})`}
            >
              <rect width={6} height={6} fill={color} fillOpacity={0.45} />
              <rect width={3} height={6} fill={color} />
            </pattern>
          )
        })}
      </defs>
      {marks.map((mark) => {
        const { order, color } = looks.get(mark.series) ?? { order: 0, color: 'var(--accent)' }
        switch (mark.kind) {
          case 'area':
            return <path key={`area ${mark.d}`} d={mark.d} fill={color} fillOpacity={0.14} />
          case 'line':
            return (
              <path
                key={`line ${mark.series} ${mark.d}`}
                d={mark.d}
                fill="none"
                stroke={color}
                strokeWidth={mark.dashed ? 1.5 : 2}
                strokeOpacity={mark.dashed ? 0.75 : 1}
                strokeDasharray={mark.dashed ? COMPARED_DASH : dashOf(order)}
                strokeLinecap="round"
                strokeLinejoin="round"
              />
            )
          case 'dot':
            return <circle key={`dot ${mark.series} ${mark.x}`} cx={mark.x} cy={mark.y} r={2.5} fill={color} />
          case 'bar':
          default:
            return (
              <rect
                key={`bar ${mark.series} ${mark.x} ${mark.y}`}
                x={mark.x}
                y={mark.y}
                width={mark.width}
                height={mark.height}
                rx={Math.min(2, mark.width / 4)}
                fill={hatchOf(order) === null ? color : `url(#${hatchId(id, order)})`}
              />
            )
        }
      })}
    </>
  )
}

/** React's ids contain characters that url() doesn't accept. */
const hatchId = (id: string, order: number): string => `hatch${id.replaceAll(/\W/g, '')}${order}`
