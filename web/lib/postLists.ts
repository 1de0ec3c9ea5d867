import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { CallOf, EndpointShape } from '#contract/endpoint.ts'
import { rowsOf, type PostList, type PostRow } from '#contract/postLists.ts'
import { call, type CallArgs } from './client.ts'
import type { ApiFailure } from './failure.ts'
import { cachingOf, keyOf, type CallKey, type CallOptions } from './queries.ts'

type PostListEndpoint = EndpointShape & { reply: typeof PostList }
/** A list as the cache holds it and screens draw it: its names are joined to the posts. */
export type HeldPosts = { posts: PostRow[] } & Pick<PostList, 'pagination' | 'truncated'>

/** Reads a list of posts and keeps it fresh, like `useCall`. */
export function usePostList<E extends PostListEndpoint>(
  endpoint: E,
  input: CallOf<E>,
  options: CallOptions = {},
): UseQueryResult<HeldPosts> {
  return useQuery<HeldPosts, ApiFailure, HeldPosts, CallKey>({
    queryKey: keyOf(endpoint, input),
    ...cachingOf(endpoint, options),
    ...(options.keepPrevious ? { placeholderData: keepPreviousData } : {}),
    queryFn: async ({ signal }) => {
      // the tuple is the endpoint's own input with the query's signal added; the reply of each of these endpoints is a
      // PostList, which the compiler doesn't resolve for a type parameter
      const list = (await call(endpoint, ...([{ ...input, signal }] as unknown as CallArgs<E>))) as PostList
      return { posts: rowsOf(list), pagination: list.pagination, truncated: list.truncated }
    },
  })
}
