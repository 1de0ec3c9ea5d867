import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { userDetails, type User } from '#contract/identity.ts'
import { home as homeEndpoint, type Home } from '#contract/organizations.ts'
import { call } from './client.ts'
import { localZone } from './dates.ts'
import { isFailure } from './failure.ts'
import { useCall } from './queries.ts'

export type ProjectIds = { orgId: string; projectId: string }

/** The organization and project in the current URL: path segments 1 and 3. Only for components on project pages. */
export function useProjectIds(): ProjectIds {
  const { orgId, projectId } = useParams({ strict: false })
  if (!orgId || !projectId) throw new Error('Organization or Project ID is missing')
  return { orgId, projectId }
}

/** Where the person is: user, organizations, projects, onboarding. */
export function useHome(options: { enabled?: boolean } = {}) {
  return useCall(homeEndpoint, {}, options)
}

/**
 * Who is logged in, or null: for pages that are open to everyone, where having no session leads nobody to the login.
 */
export function useVisitor() {
  return useQuery<User | null>({
    queryKey: ['visitor'],
    queryFn: ({ signal }) =>
      call(userDetails, { signal }).catch((error: unknown) => {
        if (isFailure(error, 'UNAUTHORIZED')) return null
        throw error
      }),
    staleTime: 0,
    meta: { handles: true },
  })
}

/**
 * Whom the server says is logged in, asked again when the page opens; undefined until it has answered. For pages that
 * send a logged-in person on: what an earlier page learned may be over since.
 */
export function useCurrentVisitor(): User | null | undefined {
  const { data, isFetchedAfterMount } = useVisitor()
  return isFetchedAfterMount ? data : undefined
}

/** The project of these ids within the home answer. */
export function findProject(home: Home | undefined, ids: ProjectIds) {
  const organization = home?.organizations.find((org) => org.orgId === ids.orgId)
  const project = organization?.projects.find((one) => one.projectId === ids.projectId)
  return organization && project ? { organization, project } : undefined
}

/**
 * Whether the person doesn't belong to the project; false while it isn't known. An organization that requires a second
 * factor names no projects before it was used.
 */
export function isOutside(home: Home | undefined, ids: ProjectIds): boolean {
  if (!home || findProject(home, ids)) return false
  return !home.organizations.some((org) => org.orgId === ids.orgId && org.needsSecondFactor)
}

/** Whether the person is an admin of the URL's organization, or of their only one; undefined while it isn't known. */
export function useIsAdminHere(): boolean | undefined {
  const { orgId } = useParams({ strict: false })
  // without an organization in the URL, what is known already is enough
  const organizations = useHome({ enabled: orgId !== undefined }).data?.organizations
  if (!organizations) return undefined
  return (
    (organizations.find((one) => one.orgId === orgId) ?? (organizations.length === 1 ? organizations[0] : undefined))
      ?.isOrgAdmin ?? false
  )
}

/** The current project's zone; the browser's own until home has loaded. */
export function useProjectZone(): string {
  const ids = useProjectIds()
  const home = useHome()
  return findProject(home.data, ids)?.project.zone ?? localZone()
}
