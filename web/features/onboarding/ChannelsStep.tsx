import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { home, setOnboardingStep } from '#contract/organisations.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { keyOf, useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'

type Props = {
  ids: ProjectIds
  /** Whether a channel is connected already: then going on is no skipping. */
  hasChannel: boolean
  children: ReactNode
}

/** The wizard's third step around what connects channels. It is the last one until people can be invited. */
export function ChannelsStep({ ids, hasChannel, children }: Props) {
  const queries = useQueryClient()
  // the home answer, read again, leads on to the project
  const finish = useSend(setOnboardingStep, { onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(home) }) })
  return (
    <div className="grid gap-5">
      {children}
      <Button tone={hasChannel ? 'primary' : 'default'} size="l" loading={finish.isPending} onClick={() => finish.mutate({ params: ids, body: { step: 'done' } })} className="justify-self-start">
        {hasChannel ? 'Continue' : 'Skip for now'}
      </Button>
    </div>
  )
}
