import type { ReactNode } from 'react'
import type { ApiFailure } from '#web/lib/failure.ts'
import type { Reading } from '#web/lib/queries.ts'
import { SkeletonRows } from './Skeleton.tsx'
import { DeniedState, ErrorState } from './states.tsx'

type Props<T> = {
  /** What useCall returns. */
  query: Reading<T>
  skeleton?: ReactNode
  /** True for an empty reply; then `empty` is shown. */
  isEmpty?: (data: T) => boolean
  empty?: ReactNode
  /** For "the list hides on error": what to show instead of the error. */
  onError?: (error: ApiFailure) => ReactNode
  children: (data: T) => ReactNode
}

/**
 * The four states that every list, detail and form has: loading, denied or failed, empty, loaded. Old data stays while
 * a refresh fails.
 */
export function Loaded<T>({ query, skeleton = <SkeletonRows />, isEmpty, empty, onError, children }: Props<T>) {
  if (query.data !== undefined) return isEmpty?.(query.data) ? empty : children(query.data)
  if (query.error) {
    if (onError) return onError(query.error)
    if (query.error.code === 'FORBIDDEN') return <DeniedState>{query.error.detail}</DeniedState>
    // retrying doesn't bring back what was deleted
    if (query.error.code === 'NOT_FOUND')
      return <ErrorState title="Not found" error={{ detail: "It was deleted, or you don't have access to it." }} />
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
  }
  return skeleton
}
