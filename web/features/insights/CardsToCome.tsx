import { clsx } from 'clsx'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { cardGrid } from './Cards.tsx'
import { CARD } from './FigureCard.tsx'

/** The cards and the chart while they load, in their own size. */
export function CardsToCome({ count = 8 }: { count?: number }) {
  return (
    <Skeletons label="Loading figures" className="grid gap-5">
      <div className={cardGrid}>
        {Array.from({ length: count }, (_, i) => (
          <Skeleton key={i} className={clsx('rounded-lg', CARD)} />
        ))}
      </div>
      <Skeleton className="h-68 rounded-lg" />
    </Skeletons>
  )
}
