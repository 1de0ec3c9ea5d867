import { allChannels } from '#contract/channels.ts'
import { plan } from '#contract/organizations.ts'
import { DraftsNote } from '#web/features/ai/DraftsNote.tsx'
import { InviteForm } from '#web/features/invites/InviteForm.tsx'
import { OneSeat } from '#web/features/onboarding/OneSeat.tsx'
import { useStep } from '#web/features/onboarding/useStep.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { Card } from '#web/ui/StandalonePage.tsx'
import { Frame } from './Frame.tsx'

/** Wizard page 3. */
export function AddUsers({ ids, ai }: { ids: ProjectIds; /** Whether a model is set up. */ ai: boolean }) {
  const channels = useCall(allChannels, { params: ids }, { handles: true })
  const seats = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true })
  const step = useStep(ids)
  const finish = () => step.go('done')
  const rows = channels.data?.channels ?? []
  return (
    <Frame
      step="addUsers"
      title="Add Users"
      lead="Invite the people who work on this project, or do it later."
      logout
      onBack={() => step.go('addChannels')}
    >
      <div className="grid gap-4">
        <DraftsNote ids={ids} channels={rows} ai={ai} />
        <Loaded query={seats} skeleton={<SkeletonLines lines={4} />}>
          {({ maxUsers }) =>
            maxUsers !== null && maxUsers <= 1 ? (
              <OneSeat onContinue={finish} moving={step.to === 'done'} />
            ) : (
              <Card>
                <InviteForm
                  ids={ids}
                  channels={rows}
                  compact
                  onDone={finish}
                  beside={
                    <Button size="l" loading={step.to === 'done'} onClick={finish}>
                      Skip
                    </Button>
                  }
                />
              </Card>
            )
          }
        </Loaded>
      </div>
    </Frame>
  )
}
