import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { home, setOnboardingStep } from '#contract/organisations.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { keyOf, useSend } from '#web/lib/queries.ts'
import { ErrorState } from '#web/ui/states.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'

/** A step that has nothing to ask yet (Add Users, until people can be invited): it ends the wizard by itself. */
export function FinishQuietly({ ids }: { ids: ProjectIds }) {
  const queries = useQueryClient()
  const finish = useSend(setOnboardingStep, { handles: true, onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(home) }) })
  const end = () => finish.mutate({ params: ids, body: { step: 'done' } })
  const start = useEffectEvent(end)
  useEffect(() => start(), [])
  return finish.isError ? <ErrorState title="The setup could not be finished" error={finish.error} onRetry={end} retrying={finish.isPending} /> : <SkeletonLines lines={2} />
}
