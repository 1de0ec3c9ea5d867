import { clsx } from 'clsx'
import { figureBases } from '#contract/analytics/names.ts'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { cardGrid, firstFigures } from './cardOrder.ts'
import { cardHeight } from './FigureCard.tsx'

/** The cards and the chart while they load, in their own size: those of one platform are lower. */
export function CardsToCome({ isOnePlatform = false }: { isOnePlatform?: boolean }) {
  return (
    <Skeletons label="Loading figures" className="grid gap-5">
      {figureBases.map((base) => (
        <div key={base} className={cardGrid[base]}>
          {firstFigures[base].map((name) => (
            <Skeleton key={name} className={clsx('rounded-lg', cardHeight(isOnePlatform))} />
          ))}
        </div>
      ))}
      <ChartToCome />
    </Skeletons>
  )
}

export const ChartToCome = () => <Skeleton className="h-68 rounded-lg" />

/** A group's cards before they're drawn. */
export const EmptyCards = ({ count, isOnePlatform }: { count: number; isOnePlatform: boolean }) =>
  Array.from({ length: count }, (_, i) => (
    <li key={i} aria-hidden className={clsx('rounded-lg border border-line bg-surface', cardHeight(isOnePlatform))} />
  ))
