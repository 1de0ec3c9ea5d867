import Repeat from 'lucide-react/icons/repeat'
import type { PostRow } from '#contract/postLists.ts'

/** Marks a post of a series wherever it's listed. */
export function SeriesMark({ series }: Pick<PostRow, 'series'>) {
  if (!series || series.count < 2) return null
  return (
    <span className="tnum inline-flex items-center gap-1 text-sm text-ink-muted">
      <Repeat size={12} aria-hidden /> {series.index + 1} of {series.count}
      <span className="sr-only"> of a series</span>
    </span>
  )
}
