import { useParams } from '@tanstack/react-router'
import type { ReplyOf } from '#contract/endpoint.ts'
import { myPermissions } from '#contract/organizations.ts'
import {
  allows,
  onChannel,
  type Action,
  type Permissions,
  type PermissionLevel,
  type Resource,
} from '#contract/permissions.ts'
import { viewOnlyText } from '#contract/plans.ts'
import { useProjectIds, type ProjectIds } from './project.ts'
import { useCall } from './queries.ts'

export type May = 'loading' | 'yes' | 'no'
export type Wanted = readonly [Resource, Action]
/** The reply of roles/me. */
export type MyPermissions = ReplyOf<typeof myPermissions>

/** Where the actions are wanted: in the project by default; on one channel; in the organization as such. */
export type At = { level?: Exclude<PermissionLevel, 'channel'>; channelId?: string }
type Options = At & { mode?: 'any' | 'all' }

/** Whether the permissions allow any, or all, of the wanted actions. */
export function mayDo(permissions: Permissions, wanted: readonly Wanted[], mode: 'any' | 'all'): boolean {
  const test = ([resource, action]: Wanted) => allows(permissions, resource, action)
  return mode === 'any' ? wanted.some(test) : wanted.every(test)
}

/** What roles/me allows at a level. A channel outside of the person's own allows nothing. */
export function permissionsAt(mine: MyPermissions, { level = 'project', channelId }: At = {}): Permissions {
  if (channelId === undefined) return mine[level]
  // a channel connected since then isn't listed yet
  return mine.channel[channelId] ?? onChannel(mine.project, mine.channelIds, channelId)
}

/**
 * What the person may do in the current project, on one of its channels, or in its organization:
 * `useMay([['post', 'create']])`, `useMay([['project', 'edit']], { level: 'organization' })`. For showing and hiding
 * only; the server checks every call again.
 */
export function useMay(wanted: readonly Wanted[], options: Options = {}): May {
  const answer = useCall(myPermissions, { params: useProjectIds() })
  if (!answer.data) return answer.isError ? 'no' : 'loading'
  return mayDo(permissionsAt(answer.data, options), wanted, options.mode ?? 'any') ? 'yes' : 'no'
}

/** Why the person is view-only although their role allows more, and whom to ask; undefined for everyone else. */
export function useViewOnlyReason(): string | undefined {
  const { orgId, projectId } = useParams({ strict: false })
  const mine = useCall(
    myPermissions,
    { params: { orgId: orgId ?? '', projectId: projectId ?? '' } },
    { handles: true, enabled: orgId !== undefined && projectId !== undefined },
  ).data
  const reader = mine?.viewOnlyByPlan
  return reader ? viewOnlyText(reader.members, reader.admins) : undefined
}

/** Whether the person is an organization admin. False until that is known. */
export function useIsOrgAdmin(ids: ProjectIds): boolean {
  return useCall(myPermissions, { params: ids }, { handles: true }).data?.isOrgAdmin === true
}
