import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { CallOf, EndpointShape } from '#contract/endpoint.ts'
import { rowsOf, type PostList, type PostRow } from '#contract/postLists.ts'
import { callIfChanged, type CallArgs } from './client.ts'
import type { ApiFailure } from './failure.ts'
import { cachingOf, keyOf, type CallKey, type CallOptions } from './queries.ts'

type PostListEndpoint = EndpointShape & { reply: typeof PostList }
/** A list as the cache holds it and screens draw it: its names are joined to the posts. */
export type HeldPosts = { posts: PostRow[]; tag: string | undefined } & Pick<
  PostList,
  'pagination' | 'truncated' | 'revision'
>

/** Reads a list of posts and keeps it fresh, like `useCall`. One that is held already is only sent again when it changed. */
export function usePostList<E extends PostListEndpoint>(
  endpoint: E,
  input: CallOf<E>,
  options: CallOptions = {},
): UseQueryResult<HeldPosts> {
  return useQuery<HeldPosts, ApiFailure, HeldPosts, CallKey>({
    queryKey: keyOf(endpoint, input),
    ...cachingOf(endpoint, options),
    ...(options.keepPrevious ? { placeholderData: keepPreviousData } : {}),
    queryFn: async ({ signal, client, queryKey }) => {
      const held = () => client.getQueryData<HeldPosts>(queryKey)
      // the tuple is the endpoint's own input with the query's signal added
      const args = [{ ...input, signal }] as unknown as CallArgs<E>
      const { reply, tag } = await callIfChanged(endpoint, held()?.tag, ...args)
      // what is held by now: a change may have been shown meanwhile
      const now = held()
      if (reply === undefined && now) return { ...now, tag }
      // the reply of each of these endpoints is a PostList, which the compiler doesn't resolve for a type parameter
      return heldOf(reply as PostList, tag)
    },
  })
}

const heldOf = (list: PostList, tag: string | undefined): HeldPosts => ({
  posts: rowsOf(list),
  tag,
  pagination: list.pagination,
  truncated: list.truncated,
  revision: list.revision,
})
