import type { QueryClient } from '@tanstack/react-query'
import type { EndpointShape } from '#contract/endpoint.ts'
import type { LiveEvent } from '#contract/live.ts'
import { organization } from '#contract/orgSettings.ts'

export type Kind = LiveEvent['kind']
/** A change of something of a kind; without `ref`, of any of them. */
export type Change = { kind: Kind; ref?: string }

/** Which cached calls a kind of change makes old: by a part of their paths, or that call alone. What counts a thing belongs here as well as what shows it. */
const touches: Record<Kind, readonly (string | EndpointShape)[]> = {
  post: [
    '/post',
    '/queue',
    '/filter',
    '/dashboard/post',
    '/dashboard/draftPosts',
    '/dashboard/channels',
    '/social',
    '/workflow',
    '/campaign',
    '/label',
    '/report/',
    '/ai/',
    '/asset',
  ],
  channel: [
    '/social',
    '/channels',
    '/projects',
    '/users',
    '/filter',
    '/dashboard/channels',
    '/post',
    '/plan',
    '/billing',
    '/pricing',
    '/home',
    '/ai/',
    '/queue',
  ],
  notice: ['/notices'],
  plan: ['/plan', '/billing', '/pricing', '/social', '/channels', '/home'],
  member: [
    '/users',
    '/roles',
    '/invites',
    '/projects',
    '/home',
    '/filter',
    '/social',
    '/plan',
    '/billing',
    '/pricing',
    '/workflow',
    '/approval',
  ],
  organization: ['/home', organization],
  project: ['/home', '/project', '/channels', '/users', '/plan', '/billing', '/pricing'],
  asset: ['/asset', '/media'],
  presence: ['/presence'],
  taxonomy: ['/label', '/campaign', '/hashtag', '/filter', '/post', '/workflow'],
  note: ['/note', '/audit/post'],
  queue: ['/queue'],
  bulk: ['/post/bulk-schedule'],
}
/** The names by which a kind's own id stands among the parameters of a detail call. */
const idNames: Record<Kind, readonly string[]> = {
  post: ['postId'],
  channel: ['channelId'],
  notice: ['noticeId'],
  plan: [],
  member: ['userId'],
  organization: [],
  project: ['projectId'],
  asset: ['assetId'],
  presence: ['postId'],
  taxonomy: [],
  note: ['postId'],
  queue: ['channelId'],
  bulk: ['importId'],
}

/** Whether the cached call with this key shows something that the change touched. */
export function isTouched(key: readonly unknown[], { kind, ref }: Change): boolean {
  const [path, params] = key
  if (
    typeof path !== 'string' ||
    !touches[kind].some((part) => (typeof part === 'string' ? path.includes(part) : path === part.path))
  )
    return false
  // the detail of another thing of the same kind stays as it is
  const named = idNames[kind]
    .map((name) => (typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined))
    .find((id) => id !== undefined)
  return ref === undefined || named === undefined || named === ref || kind === 'project'
}

/** Makes old what the changes touched; what is on screen is read again at once, the rest when it is next shown. */
export function refreshTouched(queries: Pick<QueryClient, 'invalidateQueries'>, changes: readonly Change[]): void {
  void queries.invalidateQueries({ predicate: (query) => changes.some((change) => isTouched(query.queryKey, change)) })
}
