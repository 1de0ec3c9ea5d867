import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
  type UseMutationOptions,
  type UseQueryResult,
} from '@tanstack/react-query'
import { STALE_TIME } from '#contract/constants.ts'
import type { CallOf, EndpointShape, ReplyOf } from '#contract/endpoint.ts'
import type { Kind } from '#contract/kinds.ts'
import { call, callIfChanged, type CallArgs, type CallExtras } from './client.ts'
import type { ApiFailure, FailureCode } from './failure.ts'
import { invalidate } from './cacheInvalidation.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiFailure
    queryMeta: FailureMeta & { reads?: readonly Kind[] }
    mutationMeta: FailureMeta
  }
}

/** `handles`: codes that the caller shows itself, so that the global handling ignores them; true for all of them. */
type FailureMeta = { handles?: readonly FailureCode[] | true }

/** Cached calls are keyed by path, parameters and query, so that one endpoint can be invalidated as a whole. */
export type CallKey = readonly [path: string, params: object, query: object]

export function keyOf<E extends EndpointShape>(endpoint: E, input?: Partial<CallOf<E>>): CallKey {
  const { params = {}, query = {} }: { params?: object; query?: object } = input ?? {}
  return [endpoint.path, params, query]
}

export type CallOptions = {
  /** Milliseconds; ten minutes by default. Live events refresh sooner. */
  staleTime?: number
  enabled?: boolean
  handles?: readonly FailureCode[] | true
  /** Keep showing the last page while the next one loads. */
  keepPrevious?: boolean
  refetchInterval?: number | false
}

/**
 * Query options of an endpoint, for useQuery, prefetching, and typed reads and writes of the cache:
 * `queries.setQueryData(callOptions(getPost, { params }).queryKey, changed)`. An endpoint without input takes `{}`.
 */
export function callOptions<E extends EndpointShape>(endpoint: E, input: CallOf<E>, options: CallOptions = {}) {
  return queryOptions<ReplyOf<E>, ApiFailure, ReplyOf<E>, CallKey>({
    queryKey: keyOf(endpoint, input),
    queryFn: ({ signal, client, queryKey }) =>
      // the tuple is the endpoint's own input with the query's signal added
      readAgain(client, queryKey, endpoint, ...([{ ...input, signal }] as unknown as CallArgs<E>)),
    ...cachingOf(endpoint, options),
    // the reply itself has the tag
    ...(endpoint.revisioned ? { structuralSharing: false } : {}),
    ...(options.keepPrevious ? { placeholderData: keepPreviousData } : {}),
  })
}

const tags = new WeakMap<object, string>()

/** The endpoint's reply: of one with an ETag, the cached one if that's unchanged. What was changed in the cache has no tag. */
async function readAgain<E extends EndpointShape>(
  queries: QueryClient,
  key: CallKey,
  endpoint: E,
  ...args: CallArgs<E>
): Promise<ReplyOf<E>> {
  if (!endpoint.revisioned) return await call(endpoint, ...args)
  const cached = queries.getQueryData<ReplyOf<E> & object>(key)
  const before = cached && tags.get(cached)
  const { reply = cached, tag } = await callIfChanged(endpoint, before, ...args)
  // without a tag, it's never unchanged; replies with one are objects
  if (reply === undefined) throw new Error(`${endpoint.path} answered nothing`)
  if (tag !== undefined) tags.set(reply as object, tag)
  return reply
}

/** How an endpoint's reply is cached. */
export const cachingOf = (endpoint: EndpointShape, options: CallOptions) => ({
  staleTime: options.staleTime ?? STALE_TIME.default,
  enabled: options.enabled ?? true,
  refetchInterval: options.refetchInterval ?? false,
  meta: { reads: endpoint.reads ?? [], ...(options.handles ? { handles: options.handles } : {}) },
})

/** Reads an endpoint and keeps it fresh. Failures reach the global handling unless `handles` names them. */
export function useCall<E extends EndpointShape>(
  endpoint: E,
  input: CallOf<E>,
  options: CallOptions = {},
): UseQueryResult<ReplyOf<E>> {
  return useQuery<ReplyOf<E>, ApiFailure, ReplyOf<E>, CallKey>(callOptions(endpoint, input, options))
}

/** The data of a list, a detail or a question, and its loading state. */
export type Reading<T> = { data: T | undefined; error: ApiFailure | null; isFetching: boolean; refetch: () => unknown }

/**
 * Reads an endpoint again when it's first shown here: no data before that response, and none after a failure, whatever
 * the cache has. For numbers that someone decides by.
 */
export function useFresh<E extends EndpointShape>(endpoint: E, input: CallOf<E>): Reading<ReplyOf<E>> {
  const { data, error, isError, isFetching, isFetchedAfterMount, refetch } = useCall(endpoint, input, {
    staleTime: 0,
    handles: true,
  })
  return { data: isFetchedAfterMount && !isError ? data : undefined, error, isFetching, refetch }
}

type SendInput<E extends EndpointShape> = CallOf<E> & CallExtras
type SendOptions<E extends EndpointShape, C> = Omit<
  UseMutationOptions<ReplyOf<E>, ApiFailure, SendInput<E>, C>,
  'mutationFn' | 'meta' | 'onSuccess'
> & {
  handles?: readonly FailureCode[] | true
  /**
   * The only endpoints whose cached answers are stale at once, in place of all that read what the call changes: where
   * the rest is shown already, comes with the live event, or is read by the caller.
   */
  refreshes?: readonly EndpointShape[]
  onSuccess?: (reply: ReplyOf<E>, sent: SendInput<E>) => unknown
}

/**
 * Changes something: `const rename = useSend(renameProject); rename.mutate({ params, body })`. Once it succeeded, cached
 * answers made of what its endpoint `changes` are stale, whether the event stream is there or not.
 */
export function useSend<E extends EndpointShape, C = unknown>(endpoint: E, options: SendOptions<E, C> = {}) {
  const queries = useQueryClient()
  const { handles, refreshes, onSuccess, ...rest } = options
  return useMutation<ReplyOf<E>, ApiFailure, SendInput<E>, C>({
    ...rest,
    // SendInput is what CallArgs holds; the compiler can't see through the conditional tuple
    mutationFn: (input) => call(endpoint, ...([input] as unknown as CallArgs<E>)),
    onSuccess: async (reply, sent) => {
      if (refreshes) refresh(queries, ...refreshes)
      else invalidate(queries, endpoint.changes?.map((kind) => ({ kind })) ?? [])
      await onSuccess?.(reply, sent)
    },
    ...(handles ? { meta: { handles } } : {}),
  })
}

/** Marks these endpoints' cached replies as stale; what is on screen is fetched again immediately. */
export function refresh(queries: QueryClient, ...endpoints: readonly EndpointShape[]): void {
  for (const endpoint of endpoints) void queries.invalidateQueries({ queryKey: [endpoint.path] })
}
