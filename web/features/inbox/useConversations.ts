import { keepPreviousData, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import type { CallOf } from '#contract/endpoint.ts'
import { getConversation, listConversations } from '#contract/inbox/conversations.ts'
import type { InboxSorting } from '#contract/inbox/terms.ts'
import { onChanges } from '#web/lib/cacheInvalidation.ts'
import { call } from '#web/lib/client.ts'
import { isFailure, type ApiFailure } from '#web/lib/failure.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { keyOf, type CallKey } from '#web/lib/queries.ts'
import {
  cursorBefore,
  isAfter,
  merged,
  rowOf,
  rowsOf,
  without,
  type ConversationRow,
  type Cursor,
  type HeldConversations,
} from './heldConversations.ts'

/** Rows of the first call, and of each that continues a list. */
const [PAGE, NEXT_PAGE] = [50, 100]
/** So many changed conversations are looked for one by one; more of them are read with the rest of the list. */
const LOOKED_FOR = 10

export type ListQuery = Omit<NonNullable<CallOf<typeof listConversations>['query']>, 'after' | 'limit' | 'sort'> & {
  sort: InboxSorting
}
type Options = {
  /** The open conversation, which stays in the list although it no longer fits: an answered one among the unanswered. */
  openId: string | undefined
  enabled: boolean
}

/**
 * The conversations of a list as far as they were read, kept fresh. Of a list of any length, only what changed is read
 * again: the conversations that events name, where they were and where they are now.
 */
export function useConversations(ids: ProjectIds, query: ListQuery, { openId, enabled }: Options) {
  const client = useQueryClient()
  const list = listOf(client, ids, query)
  const seen = useRef(0)
  const read = useQuery<HeldConversations, ApiFailure, HeldConversations, CallKey>({
    queryKey: list.key,
    queryFn: ({ signal }) => list.readAll(openId, seen.current, signal),
    placeholderData: keepPreviousData,
    // changes come one by one; what happened while nobody looked would be missing
    staleTime: Infinity,
    gcTime: 0,
    enabled,
    // conversations are read again one by one, below
    meta: { handles: true, reads: ['channel', 'taxonomy', 'member'] },
  })
  const stale = useRef(new Set<string>())
  const reading = useRef(false)
  const catchUp = useEffectEvent(async () => {
    if (reading.current) return
    reading.current = true
    while (stale.current.size > 0) {
      const refs = stale.current
      stale.current = new Set()
      // a lost connection reads everything again once it is back
      await list.readChanged(refs, openId).catch(() => undefined)
    }
    reading.current = false
  })
  const take = useEffectEvent((refs: readonly (string | undefined)[]) => {
    if (refs.length === 0) return
    if (refs.includes(undefined)) {
      void read.refetch()
      return
    }
    for (const ref of refs) if (ref !== undefined) stale.current.add(ref)
    void catchUp()
  })
  useEffect(
    () => onChanges((changes) => take(changes.filter(({ kind }) => kind === 'conversation').map(({ ref }) => ref))),
    [],
  )
  const more = useRef<Cursor>(undefined)
  return {
    ...read,
    /** How many rows of the list are drawn or above: what is further down isn't read again until it's reached. */
    onSeen: useCallback((rows: number) => {
      seen.current = rows
    }, []),
    /** Reads the next page, once at a time. */
    readMore: () => {
      const next = read.isPlaceholderData ? null : (read.data?.next ?? null)
      if (next === null || more.current === next) return
      more.current = next
      void list
        .readPage(next, openId, NEXT_PAGE)
        // scrolling on tries again
        .catch(() => undefined)
        .finally(() => {
          more.current = undefined
        })
    },
  }
}

function listOf(client: QueryClient, ids: ProjectIds, query: ListQuery) {
  const key = keyOf(listConversations, { params: ids, query })
  const { sort } = query
  const held = () => client.getQueryData<HeldConversations>(key)
  const readRows = async (after: Cursor | null, limit: number, signal?: AbortSignal) => {
    const reply = await call(listConversations, {
      params: ids,
      query: { ...query, ...(after === null ? {} : { after }), limit },
      ...(signal ? { signal } : {}),
    })
    return { rows: rowsOf(reply), next: reply.next }
  }
  const put = (change: (now: HeldConversations) => HeldConversations) =>
    client.setQueryData<HeldConversations>(key, (now) => now && change(now))

  /** Reads a page and merges it into the list; into what it is by then, since others read as well. */
  async function readPage(after: Cursor | null, openId: string | undefined, limit = PAGE) {
    const page = await readRows(after, limit)
    put((now) => merged(now, after, page, sort, openId))
    return page
  }

  /**
   * Reads the list again as far as someone has come (`seen` rows) and a page beyond. The rest of what was read is dropped, so
   * that a list that was once scrolled to its end doesn't cost that much with each change.
   */
  async function readAll(openId: string | undefined, seen: number, signal: AbortSignal): Promise<HeldConversations> {
    const before = held()
    const known = Math.min(before?.rows.length ?? 0, seen + NEXT_PAGE)
    let after: Cursor | null = null
    let fresh: HeldConversations | undefined
    do {
      const page = await readRows(after, known > PAGE ? NEXT_PAGE : PAGE, signal)
      fresh = fresh ? merged(fresh, after, page, sort) : page
      after = page.next
    } while (after !== null && known > fresh.rows.length)
    const open = before?.rows.find((row) => row.conversationId === openId)
    const isMissing = open && !fresh.rows.some((row) => row.conversationId === openId)
    return isMissing
      ? { ...fresh, rows: merged({ rows: [open], next: fresh.next }, null, fresh, sort, openId).rows }
      : fresh
  }

  /** Reads these conversations again: whether each still belongs to the list, and where. */
  async function readChanged(refs: ReadonlySet<string>, openId: string | undefined): Promise<void> {
    if (!held()) return
    if (refs.size > LOOKED_FOR) {
      await client.refetchQueries({ queryKey: key })
      return
    }
    const missing = new Set(refs)
    // what was written last is on top of the newest
    if (sort === 'newest') {
      const page = await readPage(null, openId, Math.min(PAGE, refs.size + 1))
      for (const row of page.rows) missing.delete(row.conversationId)
    }
    for (const ref of missing) {
      const now = await readOne(ref)
      const before = held()?.rows.find((row) => row.conversationId === ref)
      // where it was, unless it stands there still
      if (before && (!now || cursorBefore(before, sort) !== cursorBefore(now, sort)))
        put((list) => (ref === openId ? list : without(list, new Set([ref]))))
      const end = held()?.next ?? null
      if (now && (end === null || !isAfter(now, end, sort))) await readPage(cursorBefore(now, sort), openId, 1)
    }
  }

  /** The conversation as it is now, undefined once it is gone or no longer to be seen. */
  async function readOne(conversationId: string): Promise<ConversationRow | undefined> {
    try {
      const { conversation, ...names } = await call(getConversation, {
        params: { ...ids, conversationId },
        query: { limit: 1 },
      })
      return rowOf(conversation, names)
    } catch (error) {
      if (isFailure(error, 'NOT_FOUND')) return undefined
      throw error
    }
  }

  return { key, readPage, readAll, readChanged }
}
