import { keepPreviousData, useQuery, type QueryClient, type UseQueryResult } from '@tanstack/react-query'
import { PAGE_SIZE } from '#contract/constants.ts'
import type { CallOf, EndpointShape } from '#contract/endpoint.ts'
import { myPermissions } from '#contract/organizations.ts'
import {
  listPostChanges,
  listPosts,
  rowsOf,
  type PostChanges,
  type PostList,
  type PostRow,
} from '#contract/postLists.ts'
import { call, callIfChanged, type CallArgs } from './client.ts'
import type { ApiFailure } from './failure.ts'
import { keptPosts, type HeldPosts } from './keptPosts.ts'
import type { ProjectIds } from './project.ts'
import { cachingOf, callOptions, keyOf, type CallKey, type CallOptions } from './queries.ts'

type PostListEndpoint = EndpointShape & { reply: typeof PostList }
/**
 * Reads a list of posts and keeps it fresh, like `useCall`. One that this browser kept is shown at once (keptPosts.ts). Of
 * one that is held already only what changed is asked for: of a whole range the changed posts, of a page whether it changed
 * at all. A list that can't be read says so in place.
 */
export function usePostList<E extends PostListEndpoint>(
  endpoint: E,
  input: CallOf<E>,
  options: Omit<CallOptions, 'handles'> = {},
): UseQueryResult<HeldPosts> {
  return useQuery<HeldPosts, ApiFailure, HeldPosts, CallKey>({
    queryKey: keyOf(endpoint, input),
    ...cachingOf(endpoint, { ...options, handles: true }),
    ...(options.keepPrevious ? { placeholderData: keepPreviousData } : {}),
    queryFn: ({ signal, client }) => readPosts(client, endpoint, input, signal),
  })
}

/** The list as it is now, built on what the cache holds of it. */
export async function readPosts<E extends PostListEndpoint>(
  client: QueryClient,
  endpoint: E,
  input: CallOf<E>,
  signal?: AbortSignal,
): Promise<HeldPosts> {
  const list = await readOn(client, endpoint, input, signal)
  const { params, query } = questionOf(input)
  // what someone searched for is not written down, nor what is shown before it's certain
  if (query.q === undefined && client.isMutating() === 0)
    keptPosts.save(nameOf(endpoint, input), params.projectId, list)
  return list
}

async function readOn<E extends PostListEndpoint>(
  client: QueryClient,
  endpoint: E,
  input: CallOf<E>,
  signal?: AbortSignal,
): Promise<HeldPosts> {
  // what is held is looked up again after each answer: a change may have been shown meanwhile
  const held = () => client.getQueryData<HeldPosts>(keyOf(endpoint, input))
  const range = rangeOf(endpoint, input)
  const before = held() ?? (await showKept(client, endpoint, input))
  if (range && before && !before.truncated) {
    const changes = await call(listPostChanges, {
      params: range.params,
      query: { ...range.query, since: before.revision },
      signal,
    })
    const after = changes.reset ? undefined : withChanges(held() ?? before, changes)
    if (after) return after
  }
  // the tuple is the endpoint's own input with the query's signal added
  const args = [{ ...input, signal }] as unknown as CallArgs<E>
  const { reply, tag } = await callIfChanged(endpoint, before?.tag, ...args)
  const now = held()
  if (reply === undefined && now) return { ...now, tag }
  // the reply of each of these endpoints is a PostList, which the compiler doesn't resolve for a type parameter
  const list = reply as PostList
  const { pagination, truncated, revision } = list
  return { posts: rowsOf(list), tag, pagination, truncated, revision }
}

/** Shows the list as this browser last had it, if this person read it with the rights that they have now. */
async function showKept<E extends PostListEndpoint>(
  client: QueryClient,
  endpoint: E,
  input: CallOf<E>,
): Promise<HeldPosts | undefined> {
  const { params } = questionOf(input)
  // pages with posts ask for this before they open
  const mine = client.getQueryData(callOptions(myPermissions, { params }).queryKey)
  const kept = mine && (await keptPosts.read(nameOf(endpoint, input), mine.rights))
  return kept && client.setQueryData<HeldPosts>(keyOf(endpoint, input), (now) => now ?? kept)
}

// every list of posts is one of a project, and is filtered
const questionOf = (input: object) =>
  ({ query: {}, ...input }) as { params: ProjectIds; query: NonNullable<CallOf<typeof listPosts>['query']> }
const nameOf = <E extends PostListEndpoint>(endpoint: E, input: CallOf<E>): string =>
  JSON.stringify(keyOf(endpoint, input))

type Range = CallOf<typeof listPosts> & { query: object }

/** The question, where it is for a whole range of posts; its changes can be asked for. */
function rangeOf(endpoint: PostListEndpoint, input: object): Range | undefined {
  if (endpoint.path !== listPosts.path) return undefined
  // the path is that of listPosts, so this is its input
  const { params, query } = input as CallOf<typeof listPosts>
  return query?.from && query.to && query.view !== 'pages' ? { params, query } : undefined
}

/** The held range with its changes; undefined where it has become too many posts for one answer. */
function withChanges(held: HeldPosts, changes: PostChanges): HeldPosts | undefined {
  const { revision } = changes
  if (changes.posts.length === 0 && changes.gone.length === 0) return { ...held, revision }
  const changed = rowsOf(changes)
  const replaced = new Set([...changes.gone, ...changed.map(({ postId }) => postId)])
  const kept = held.posts.filter(({ postId }) => !replaced.has(postId))
  const posts = [...kept, ...changed].toSorted(byTime)
  if (posts.length > PAGE_SIZE.rangeMost) return undefined
  // a list that changed has no tag until it is read as a whole
  return { ...held, posts, revision, tag: undefined, pagination: { ...held.pagination, totalCount: posts.length } }
}

const byTime = (a: PostRow, b: PostRow): number =>
  a.at === b.at ? (a.postId < b.postId ? -1 : 1) : a.at < b.at ? -1 : 1
