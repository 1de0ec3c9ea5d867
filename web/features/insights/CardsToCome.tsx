import { clsx } from 'clsx'
import { figureBases } from '#contract/analytics/names.ts'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { cardGrid, firstFigures } from './cardOrder.ts'
import { CARD } from './FigureCard.tsx'

/** The cards and the chart while they load, in their own size. */
export function CardsToCome() {
  return (
    <Skeletons label="Loading figures" className="grid gap-5">
      {figureBases.map((base) => (
        <div key={base} className={cardGrid[base]}>
          {firstFigures[base].map((name) => (
            <Skeleton key={name} className={clsx('rounded-lg', CARD)} />
          ))}
        </div>
      ))}
      <ChartToCome />
    </Skeletons>
  )
}

export const ChartToCome = () => <Skeleton className="h-68 rounded-lg" />

/** A group's cards before they're drawn. */
export const EmptyCards = ({ count }: { count: number }) =>
  Array.from({ length: count }, (_, i) => (
    <li key={i} aria-hidden className={clsx('rounded-lg border border-line bg-surface', CARD)} />
  ))
