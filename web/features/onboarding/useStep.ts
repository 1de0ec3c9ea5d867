import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { home, setOnboardingStep } from '#contract/organizations.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { keyOf, useSend } from '#web/lib/queries.ts'

type Step = 'addChannels' | 'addUsers' | 'done'

/** Advances the wizard. The server stores the step, and reloading home shows it, here and on any other device. */
export function useStep(ids: ProjectIds) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const send = useSend(setOnboardingStep, {
    refreshes: [],
    onSuccess: async () => {
      // this page's URL state doesn't belong to the next; /onboarding reads home again
      await navigate({ to: '/onboarding', search: {}, replace: true })
      await queries.invalidateQueries({ queryKey: keyOf(home) })
    },
  })
  const move = async (step: Step, then: (() => void) | undefined) => {
    try {
      await send.mutateAsync({ params: ids, body: { step } })
    } catch {
      // the global handling shows it; the page stays as it is
      return
    }
    then?.()
  }
  return {
    /** The step being moved to. */
    to: send.isPending ? send.variables.body.step : undefined,
    /** `then` also runs if the page is gone by then. */
    go: (step: Step, then?: () => void) => void move(step, then),
  }
}
