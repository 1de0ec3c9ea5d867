import { Fragment, useState, type ReactNode } from 'react'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'

export type Section = {
  key: string
  /** Whether its height isn't known yet. */ isPending: boolean
  shows: ReactNode
}

/**
 * Sections below each other, each shown once all above it have loaded, so that late data never pushes one down. What
 * was shown stays.
 */
export function InOrder({ sections }: { sections: readonly Section[] }) {
  const [shown, setShown] = useState(0)
  const pending = sections.findIndex(({ isPending }) => isPending)
  const ready = pending === -1 ? sections.length : pending
  if (ready > shown) setShown(ready)
  return (
    <>
      {sections.slice(0, Math.max(ready, shown)).map(({ key, shows }) => (
        <Fragment key={key}>{shows}</Fragment>
      ))}
      {Math.max(ready, shown) < sections.length ? (
        // the one of the next section, which is below what is shown: it doesn't move there
        <Skeletons key={Math.max(ready, shown)} className="grid gap-2.5">
          <Skeleton className="h-5 w-36" />
          <Skeleton className="h-40 rounded-lg" />
        </Skeletons>
      ) : null}
    </>
  )
}
