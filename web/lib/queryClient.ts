import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { QUERY_RETRIES, STALE_TIME } from '#contract/constants.ts'
import { isFailure, type FailureCode } from './failure.ts'

type OnFailure = (error: unknown, handles?: readonly FailureCode[] | true) => void

/** A refusal is final; only a lost connection or an unavailable server is worth a second try. */
function worthRetrying(failures: number, error: unknown): boolean {
  if (failures >= QUERY_RETRIES) return false
  return (
    isFailure(error) &&
    (error.code === 'NETWORK' || error.code === 'UNREADABLE' || error.status >= 500) &&
    error.code !== 'AI_PROMPT_GENERATION_ERROR'
  )
}

/** The cache of all server state. Every failed call passes through `onFailure` once. */
export function createQueryClient(onFailure: OnFailure): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => onFailure(error, query.meta?.handles) }),
    mutationCache: new MutationCache({
      onError: (error, _sent, _context, mutation) => onFailure(error, mutation.meta?.handles),
    }),
    defaultOptions: {
      queries: { staleTime: STALE_TIME.default, retry: worthRetrying, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
