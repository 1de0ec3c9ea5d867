import { Navigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { home as homeEndpoint, type Home } from '#contract/organizations.ts'
import { Endings } from '#web/features/dataRights/Endings.tsx'
import { InviteOffers } from '#web/features/onboarding/InviteOffers.tsx'
import { EditOrganization } from '#web/features/onboarding/EditOrganization.tsx'
import { EditProject } from '#web/features/onboarding/EditProject.tsx'
import { OrganizationForm } from '#web/features/onboarding/OrganizationForm.tsx'
import { ProjectForm } from '#web/features/onboarding/ProjectForm.tsx'
import { whereTo } from '#web/features/onboarding/whereTo.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import { useCall } from '#web/lib/queries.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { focusHeading } from '#web/ui/Page.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { Card } from '#web/ui/StandalonePage.tsx'
import { EmptyState, ErrorState } from '#web/ui/states.tsx'
import { AddChannels } from './onboarding/AddChannels.tsx'
import { AddUsers } from './onboarding/AddUsers.tsx'
import { Frame } from './onboarding/Frame.tsx'
import ServerErrorScreen from './ServerErrorScreen.tsx'

/** Decides after every login: an unfinished step stays here, everyone else continues to the last project. */
export default function OnboardingScreen() {
  const home = useCall(homeEndpoint, {}, { staleTime: 0, handles: true })
  // a reply from before arriving may lead to a deleted project
  const fresh = home.isFetchedAfterMount ? home.data : undefined
  return (
    <Loaded
      query={{ ...home, data: fresh }}
      skeleton={
        <main id="main" className="mx-auto w-full max-w-160 px-4 pt-[20vh]">
          <SkeletonLines lines={3} />
        </main>
      }
      onError={(error) => <HomeFailed error={error} onRetry={() => void home.refetch()} retrying={home.isFetching} />}
    >
      {(data) => <Step home={data} />}
    </Loaded>
  )
}

function Step({ home }: { home: Home }) {
  const to = whereTo(home)
  const [own, setOwn] = useState(false)
  const [back, setBack] = useState<'organization' | 'project'>()
  const invited = home.invites.length > 0 && !own && (to.kind === 'addOrganization' || to.kind === 'waiting')
  useHeadingFocus(invited ? 'invited' : (back ?? to.kind))
  if (invited) {
    return (
      <Frame
        title="Welcome"
        lead={home.invites.length === 1 ? 'You have an invitation.' : 'You have invitations.'}
        logout
      >
        <Endings home={home} />
        <InviteOffers
          invites={home.invites}
          {...(to.kind === 'addOrganization' ? { onOwn: () => setOwn(true) } : {})}
        />
      </Frame>
    )
  }
  if (back === 'organization' && 'orgId' in to) {
    return (
      <Frame
        step="addOrganization"
        title="Add Organization"
        lead="It brings your team and projects together. Your 14-day trial starts when you add it."
        logout
      >
        <Card>
          <EditOrganization
            orgId={to.orgId}
            user={home.user}
            onDone={() => setBack('projectId' in to ? 'project' : undefined)}
          />
        </Card>
      </Frame>
    )
  }
  if (back === 'project' && 'projectId' in to) {
    return (
      <Frame
        step="setupProject"
        title="Create Project"
        lead="A project has its own channels, posts and calendar. You can have several."
        logout
        onBack={() => setBack('organization')}
      >
        <Card>
          <EditProject ids={{ orgId: to.orgId, projectId: to.projectId }} onDone={() => setBack(undefined)} />
        </Card>
      </Frame>
    )
  }
  switch (to.kind) {
    case 'addOrganization':
      return (
        <Frame
          step="addOrganization"
          title="Add Organization"
          lead="It brings your team and projects together. Your 14-day trial starts when you add it."
          logout
          {...(home.invites.length > 0 ? { onBack: () => setOwn(false) } : {})}
        >
          <Endings home={home} />
          <Card>
            <OrganizationForm user={home.user} />
          </Card>
        </Frame>
      )
    case 'setupProject':
      return (
        <Frame
          step="setupProject"
          title="Create Project"
          lead="A project has its own channels, posts and calendar. You can have several."
          logout
          onBack={() => setBack('organization')}
        >
          <Card>
            <ProjectForm orgId={to.orgId} />
          </Card>
        </Frame>
      )
    case 'addChannels':
      return (
        <AddChannels
          ids={{ orgId: to.orgId, projectId: to.projectId }}
          ai={home.capabilities.ai}
          onBack={() => setBack('project')}
        />
      )
    case 'addUsers':
      return <AddUsers ids={{ orgId: to.orgId, projectId: to.projectId }} ai={home.capabilities.ai} />
    case 'secondFactor':
      return <Navigate to="/second-step" replace />
    case 'waiting':
      return (
        <Frame title="Welcome" logout>
          <Endings home={home} />
          <EmptyState title={`You're a member of ${to.orgName}`}>
            You're not in any of its projects yet. Ask an organization admin to add you to one.
          </EmptyState>
        </Frame>
      )
    case 'project':
    default:
      return (
        <Navigate
          to="/$orgId/project/$projectId/dashboard"
          params={{ orgId: to.orgId, projectId: to.projectId }}
          replace
        />
      )
  }
}

/**
 * Nothing works without this reply: a server that failed twice shows the server error page, anything else its message.
 */
function HomeFailed({ error, onRetry, retrying }: { error: ApiFailure; onRetry: () => void; retrying: boolean }) {
  if (error.status >= 500) return <ServerErrorScreen onRetry={onRetry} retrying={retrying} />
  return (
    <Frame title="Welcome" logout>
      <ErrorState error={error} onRetry={onRetry} retrying={retrying} />
    </Frame>
  )
}

/** After a page change within the wizard, screen readers and keys start at its heading. */
function useHeadingFocus(page: string): void {
  const before = useRef(page)
  useEffect(() => {
    if (before.current !== page) focusHeading()
    before.current = page
  }, [page])
}
