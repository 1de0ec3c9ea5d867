import { myPermissions } from '#contract/organisations.ts'
import { allows, type Action, type Permissions, type Resource } from '#contract/permissions.ts'
import { useProjectIds } from './project.ts'
import { useCall } from './queries.ts'

export type May = 'loading' | 'yes' | 'no'
type Wanted = readonly [Resource, Action]

/** Whether the permissions allow any, or all, of the wanted actions. */
export function mayDo(permissions: Permissions, wanted: readonly Wanted[], mode: 'any' | 'all'): boolean {
  const test = ([resource, action]: Wanted) => allows(permissions, resource, action)
  return mode === 'any' ? wanted.some(test) : wanted.every(test)
}

/**
 * What the person may do in the current project, or on one of its channels: `useMay([['post', 'create']])`. For showing
 * and hiding only; the server checks every call again.
 */
export function useMay(wanted: readonly Wanted[], options: { mode?: 'any' | 'all'; channelId?: string } = {}): May {
  const answer = useCall(myPermissions, { params: useProjectIds() })
  if (!answer.data) return answer.isError ? 'no' : 'loading'
  const permissions = options.channelId ? (answer.data.channel[options.channelId] ?? answer.data.project) : answer.data.project
  return mayDo(permissions, wanted, options.mode ?? 'any') ? 'yes' : 'no'
}
