import { Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { allChannels } from '#contract/channels.ts'
import { home as homeEndpoint, type Home } from '#contract/organisations.ts'
import { ConnectPanel } from '#web/features/channels/ConnectPanel.tsx'
import { ChannelsStep } from '#web/features/onboarding/ChannelsStep.tsx'
import { FinishQuietly } from '#web/features/onboarding/FinishQuietly.tsx'
import { OrganisationForm } from '#web/features/onboarding/OrganisationForm.tsx'
import { ProjectForm } from '#web/features/onboarding/ProjectForm.tsx'
import { Steps, type WizardPage } from '#web/features/onboarding/Steps.tsx'
import { whereTo } from '#web/features/onboarding/whereTo.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { Card, StandalonePage } from '#web/ui/StandalonePage.tsx'
import { EmptyState, ErrorState } from '#web/ui/states.tsx'
import { useLogOut } from '../useLogOut.ts'

/** The switch after every login: an unfinished step stays here, anybody else goes on to the last project. */
export default function OnboardingScreen() {
  const home = useCall(homeEndpoint, {}, { staleTime: 0, handles: true })
  // an answer from before arriving may lead to a project that is gone
  const fresh = home.isFetchedAfterMount ? home.data : undefined
  return (
    <Loaded
      query={{ ...home, data: fresh }}
      skeleton={
        <main id="main" className="mx-auto w-full max-w-160 px-4 pt-[20vh]">
          <SkeletonLines lines={3} />
        </main>
      }
      onError={(error) => (
        <Frame title="Welcome" logout>
          <ErrorState error={error} onRetry={() => void home.refetch()} retrying={home.isFetching} />
        </Frame>
      )}
    >
      {(data) => <Step home={data} />}
    </Loaded>
  )
}

function Step({ home }: { home: Home }) {
  const to = whereTo(home)
  switch (to.kind) {
    case 'addOrganization':
      return (
        <Frame step="addOrganization" title="Add Organization" lead="The people and projects that belong together. Your 14-day trial starts with it." logout={home.organisations.length === 0}>
          <Card>
            <OrganisationForm user={home.user} />
          </Card>
        </Frame>
      )
    case 'setupProject':
      return (
        <Frame step="setupProject" title="Create Project" lead="Channels, posts and the calendar live in a project. You can have several." logout>
          <Card>
            <ProjectForm orgId={to.orgId} />
          </Card>
        </Frame>
      )
    case 'addChannels':
      return <AddChannels ids={to} />
    case 'addUsers':
      return (
        <Frame title="Almost there" logout>
          <FinishQuietly ids={to} />
        </Frame>
      )
    case 'waiting':
      return (
        <Frame title="Welcome" logout>
          <EmptyState title={`You are a member of ${to.orgName}`}>You are in none of its projects yet. Ask an admin of the organization to add you to one.</EmptyState>
        </Frame>
      )
    case 'project':
    default:
      return <Navigate to="/$orgId/project/$projectId/dashboard" params={{ orgId: to.orgId, projectId: to.projectId }} replace />
  }
}

function AddChannels({ ids: { orgId, projectId } }: { ids: ProjectIds }) {
  const ids = { orgId, projectId }
  const channels = useCall(allChannels, { params: ids })
  return (
    <Frame step="addChannels" title="Add Channels" lead="The social accounts that this project publishes to." logout>
      <ChannelsStep ids={ids} hasChannel={(channels.data?.channels.length ?? 0) > 0}>
        <ConnectPanel ids={ids} returnTo="onboarding" />
      </ChannelsStep>
    </Frame>
  )
}

type FrameProps = { title: string; lead?: string; step?: WizardPage; logout?: boolean; children: ReactNode }

function Frame({ title, lead, step, logout = false, children }: FrameProps) {
  const { logOut, leaving } = useLogOut()
  return (
    <StandalonePage
      wide
      title={title}
      lead={lead}
      aside={
        logout ? (
          <Button tone="quiet" loading={leaving} onClick={logOut}>
            Logout
          </Button>
        ) : null
      }
    >
      {step ? <Steps current={step} /> : null}
      {/* the steps differ in height: this keeps their head in place */}
      <div className="min-h-108">{children}</div>
    </StandalonePage>
  )
}
