import { useInfiniteQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { insightsPosts, type PostTable, type PostTableRow } from '#contract/analytics/posts.ts'
import { call } from '#web/lib/client.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { cachingOf, keyOf, type CallKey } from '#web/lib/queries.ts'

export type TableOrder = { sort: 'publishedAt' | FigureKey; order: 'asc' | 'desc' }
/** Rows a call brings. */
const PORTION = 100
/** Portions that are read again when posts change. Of longer tables, only people who reload see it. */
const MOST_REFRESHED = 3

/** The rows that were read so far, with the first portion's total. */
export type LoadedPosts = { rows: readonly PostTableRow[]; first: PostTable }

/** The post table in portions, each after the last one's cursor. */
export function usePostTable(ids: ProjectIds, query: InsightsFilter & TableOrder & { columns: readonly FigureKey[] }) {
  const queries = useQueryClient()
  const asked = { ...query, columns: [...query.columns], limit: PORTION }
  const queryKey = keyOf(insightsPosts, { params: ids, query: asked })
  const read = queries.getQueryData<InfiniteData<PostTable>>(queryKey)?.pages.length ?? 0
  const { meta, ...caching } = cachingOf(insightsPosts, { handles: true })
  const found = useInfiniteQuery<PostTable, ApiFailure, InfiniteData<PostTable>, CallKey, string | undefined>({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      call(insightsPosts, { params: ids, query: { ...asked, cursor: pageParam }, signal }),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // while another order loads, the table stays
    placeholderData: (before) => before,
    ...caching,
    meta: read > MOST_REFRESHED ? { ...meta, reads: [] } : meta,
  })
  const { data: pages, ...state } = found
  const data = useMemo((): LoadedPosts | undefined => {
    const [first] = pages?.pages ?? []
    return first && pages ? { first, rows: pages.pages.flatMap(({ posts }) => posts) } : undefined
  }, [pages])
  return { ...state, data }
}
