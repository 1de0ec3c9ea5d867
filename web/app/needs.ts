import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { redirect, useLocation, useMatches, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { myPermissions } from '#contract/organizations.ts'
import { mayDo, type MyPermissions, type Wanted } from '#web/lib/permissions.ts'
import { isOutside, useHome, useProjectIds, type ProjectIds } from '#web/lib/project.ts'
import { callOptions, useCall } from '#web/lib/queries.ts'
import type { AccessDenied } from './search.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Any of these actions lets a person see the page. */
    needs?: readonly Wanted[]
    /** Of the organization: only its admins see the page, and only with these actions. */
    needsOrgAdmin?: Wanted
  }
}

/**
 * Route options for a project page that needs one of these actions: without it, the page leads to /access-denied, on
 * arrival and, through `useStillAllowed`, when the action is lost while it's open.
 */
export function needs(...wanted: Needed) {
  return { staticData: { needs: wanted }, beforeLoad: (entering: Entering) => enter(entering, wanted) }
}

/**
 * The same for an organization page: people who aren't its admins, or lack the action there, are led to /access-denied.
 */
export function needsOrgAdmin(wanted: Wanted) {
  return {
    staticData: { needsOrgAdmin: wanted },
    beforeLoad: async ({ context: { queries }, params: { orgId, projectId } }: Entering) => {
      const mine = await queries
        .fetchQuery(callOptions(myPermissions, { params: { orgId, projectId } }))
        .catch(() => undefined)
      if (!mine || administers(mine, wanted)) return
      forgetAnswer(queries)
      throw redirect({ to: '/access-denied', search: whyDenied(mine, true), replace: true })
    },
  }
}

const administers = (mine: MyPermissions, wanted: Wanted): boolean =>
  mine.isOrgAdmin && mayDo(mine.organization, [wanted], 'all')

type Needed = readonly [Wanted, ...Wanted[]]
type Entering = { context: { queries: QueryClient }; params: ProjectIds }

/** The same check for a route whose path has parameters of its own, which `needs` would hide from its types. */
export async function enter(
  { context: { queries }, params: { orgId, projectId } }: Entering,
  wanted: Needed,
): Promise<void> {
  // the page's own calls show a failure
  const mine = await queries
    .fetchQuery(callOptions(myPermissions, { params: { orgId, projectId } }))
    .catch(() => undefined)
  if (!mine || mayDo(mine.project, wanted, 'any')) return
  forgetAnswer(queries)
  throw redirect({ to: '/access-denied', search: whyDenied(mine, false), replace: true })
}

/**
 * Whose admins can help, as /access-denied says: a plan that doesn't include the person comes first if their role would
 * allow it.
 */
function whyDenied({ viewOnlyByPlan: reader }: MyPermissions, isForAdmins: boolean): AccessDenied {
  if (reader && (!isForAdmins || reader.wasOrgAdmin)) return { of: 'plan', members: reader.members }
  return isForAdmins ? { of: 'organization' } : {}
}

/**
 * Keeps the open page correct when the person's access changes: leaves what they may no longer see, reloads the rest.
 */
export function useStillAllowed(): void {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { projectId } = useProjectIds()
  const mine = useCall(myPermissions, { params: useProjectIds() }).data
  const wanted = useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.needs)?.staticData.needs,
  })
  const ofAdmins = useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.needsOrgAdmin)?.staticData.needsOrgAdmin,
  })
  const isForAdmins = mine !== undefined && ofAdmins !== undefined && !administers(mine, ofAdmins)
  const denied = isForAdmins || (mine !== undefined && wanted !== undefined && !mayDo(mine.project, wanted, 'any'))
  useEffect(() => {
    if (!denied) return
    forgetAnswer(queries)
    const search = mine ? whyDenied(mine, isForAdmins) : {}
    void navigate({ to: '/access-denied', search, replace: true })
  }, [denied, isForAdmins, mine, navigate, queries])

  const before = useRef({ projectId, mine })
  useEffect(() => {
    const known = before.current
    before.current = { projectId, mine }
    // an equal reply keeps its identity: another one means other permissions, and other lists
    if (known.projectId === projectId && known.mine && mine && known.mine !== mine)
      void queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => path !== myPermissions.path })
  }, [projectId, mine, queries])
}

/**
 * Leaves a project that the person no longer belongs to. Its calls are refused and lead away too (onFailure.ts), but not
 * if that navigation was replaced by a later one of the page, or if no call comes.
 */
export function useStillMember(): void {
  const navigate = useNavigate()
  const ids = useProjectIds()
  const home = useHome()
  // where the person is going, if they are leaving
  const isHere = useLocation({
    select: ({ pathname }) => pathname.startsWith(`/${ids.orgId}/project/${ids.projectId}`),
  })
  const isLost = isHere && !home.isFetching && isOutside(home.data, ids)
  useEffect(() => {
    if (isLost) void navigate({ to: '/onboarding', replace: true })
  }, [isLost, navigate])
}

/** Nothing notifies /access-denied about a new role: the next page of the project checks again. */
function forgetAnswer(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: [myPermissions.path], refetchType: 'none' })
}
