import type { Home, OnboardingStep } from '#contract/organizations.ts'

type Standing = Pick<Home, 'organizations' | 'onboarding'>
type Ids = { orgId: string; projectId: string }

/** Where /onboarding leads: to an unfinished step, to a project, or nowhere yet. */
export type Destination =
  | { kind: 'addOrganization' }
  | { kind: 'setupProject'; orgId: string }
  | ({ kind: 'addChannels' } & Ids)
  | ({ kind: 'addUsers' } & Ids)
  | ({ kind: 'project' } & Ids)
  /** All of the person's organizations require a second factor, which the session hasn't used. */
  | { kind: 'secondFactor'; orgName: string }
  /** A member of an organization, but of none of its projects. */
  | { kind: 'waiting'; orgName: string }

/**
 * Without an organization, a project, or with an unfinished step, people stay in the wizard; others continue to the
 * last project that still exists. Organizations being deleted don't count: nobody is led into one.
 */
export function whereTo({ organizations, ...rest }: Home): Destination {
  const living = organizations.filter((org) => org.deletesAt === null)
  const home = { ...rest, organizations: living.filter((org) => !org.needsSecondFactor) }
  const [first] = home.organizations
  const [closed] = living
  if (!first) return closed ? { kind: 'secondFactor', orgName: closed.orgName } : { kind: 'addOrganization' }
  const unfinished = stepAt(home, home.onboarding.step)
  if (unfinished) return unfinished
  const project = known(home, home.lastProject) ?? anyProject(home)
  if (project) return { kind: 'project', ...project }
  const own = home.organizations.find((org) => org.isOrgAdmin)
  return own ? { kind: 'setupProject', orgId: own.orgId } : { kind: 'waiting', orgName: first.orgName }
}

/** The wizard's step with what it needs; undefined if it's done or its subject was deleted. */
function stepAt(home: Standing, step: OnboardingStep): Destination | undefined {
  const { orgId, projectId } = home.onboarding
  switch (step) {
    case 'addOrganization':
      return { kind: step }
    case 'setupProject':
      return orgId && home.organizations.some((org) => org.orgId === orgId) ? { kind: step, orgId } : undefined
    case 'addChannels':
    case 'addUsers': {
      const ids = orgId && projectId ? known(home, { orgId, projectId }) : undefined
      return ids && { kind: step, ...ids }
    }
    case 'done':
    default:
      return undefined
  }
}

function known(home: Standing, ids: Ids | null): Ids | undefined {
  const organization = home.organizations.find((org) => org.orgId === ids?.orgId)
  return ids && organization?.projects.some((project) => project.projectId === ids.projectId)
    ? { orgId: ids.orgId, projectId: ids.projectId }
    : undefined
}

function anyProject(home: Standing): Ids | undefined {
  for (const { orgId, projects } of home.organizations) {
    const [project] = projects
    if (project) return { orgId, projectId: project.projectId }
  }
  return undefined
}
