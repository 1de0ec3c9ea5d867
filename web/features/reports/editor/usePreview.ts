import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import { previewReport } from '#contract/reports/files.ts'
import { call } from '#web/lib/client.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import { useProjectIds } from '#web/lib/project.ts'
import type { CallKey } from '#web/lib/queries.ts'
import { waitIn } from '#web/lib/wait.ts'
import type { EditedReport } from './edited.ts'

/** So long after the last change it's drawn again. Milliseconds. */
const PAUSE = 500
/** So often it waits for a limit to end before it says so. */
const MOST_WAITS = 2
/** A drawing that isn't shown anymore is kept this long: undo shows it at once. Milliseconds. */
const KEPT = 60_000

export type Drawn = ReplyOf<typeof previewReport>

/**
 * The pages of a report as the PDF has them, drawn again once nothing was changed for a moment. The old pages stay meanwhile. What
 * the server would refuse isn't drawn.
 */
export function usePreview(edited: EditedReport, isValid: boolean) {
  const params = useProjectIds()
  const wanted = useSettled(isValid ? edited : undefined)
  const [last, setLast] = useState(wanted)
  if (wanted !== undefined && wanted !== last) setLast(wanted)
  const body = wanted ?? last
  const drawn = useQuery<Drawn, ApiFailure, Drawn, CallKey>({
    queryKey: [previewReport.path, params, body ?? {}],
    queryFn: ({ signal }) => call(previewReport, { params, body: body ?? edited, signal }),
    enabled: body !== undefined,
    staleTime: Infinity,
    gcTime: KEPT,
    // a limit says when it's worth another try
    retry: (failures, error) => failures < MOST_WAITS && waitIn(error) !== undefined,
    retryDelay: (_, error) => (waitIn(error) ?? 1) * 1000,
    meta: { handles: true, reads: [] },
  })
  // the last pages stay, also if the next ones can't be drawn
  const [kept, setKept] = useState(drawn.data)
  if (drawn.data !== undefined && drawn.data !== kept) setKept(drawn.data)
  const shown = drawn.data ?? kept
  return {
    drawn: shown,
    /** Why the latest state couldn't be drawn. */
    error: drawn.error,
    /** Whether what is shown is older than what is edited. */
    isBehind: isValid && (drawn.isFetching || wanted !== edited),
    isPending: shown === undefined && drawn.error === null,
    retry: () => void drawn.refetch(),
  }
}

/** The value once it didn't change for a moment; the first one at once. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    if (settled === value) return undefined
    const timer = setTimeout(() => setSettled(value), PAUSE)
    return () => clearTimeout(timer)
  }, [settled, value])
  return settled
}
