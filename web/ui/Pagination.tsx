import { FIRST_PAGE } from '#contract/constants.ts'
import { Button } from './Button.tsx'

/** Next and Back; nothing for a single page. Keep `page` in the search params. */
export function Pagination({
  page,
  totalPages,
  onPage,
  loading = false,
}: {
  page: number
  totalPages: number
  onPage: (page: number) => void
  loading?: boolean
}) {
  if (totalPages <= 1) return null
  return (
    <nav aria-label="Pages" className="tnum flex items-center justify-end gap-2">
      <span className="mr-2 text-sm text-ink-muted" aria-live="polite">
        Page {page} of {totalPages}
      </span>
      <Button size="s" disabled={page <= FIRST_PAGE || loading} onClick={() => onPage(page - 1)}>
        Back
      </Button>
      <Button size="s" disabled={page >= totalPages || loading} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  )
}
