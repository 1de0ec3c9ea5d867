import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { events, LiveEvent } from '#contract/live.ts'
import { myPermissions } from '#contract/organisations.ts'
import { addressOf } from './client.ts'
import type { ProjectIds } from './project.ts'

/** Which cached calls a kind of change makes old, by parts of their paths. */
const touches: Record<LiveEvent['kind'], readonly string[]> = {
  post: ['/post', '/queue', '/filter', '/dashboard/post', '/dashboard/draftPosts', '/social', '/report/', '/ai/', '/asset'],
  channel: ['/social', '/channels', '/filter', '/dashboard/channels', '/post', '/plan', '/home', '/ai/', '/queue'],
  notice: ['/notices'],
  plan: ['/plan', '/billing', '/social/create-access', '/home'],
  member: ['/users', '/roles', '/invites', '/home', '/filter', '/social', '/plan', '/workflow', '/approval'],
  organisation: ['/home'],
  project: ['/home', '/project', '/plan'],
  asset: ['/asset', '/media'],
  presence: ['/presence'],
  shelf: ['/label', '/campaign', '/hashtag', '/filter', '/post', '/workflow'],
  note: ['/note', '/audit/post'],
  queue: ['/queue'],
  bulk: ['/post/bulk-schedule'],
}
/** The names by which a kind's own id stands among the parameters of a detail call. */
const idNames: Record<LiveEvent['kind'], readonly string[]> = { post: ['postId'], channel: ['channelId'], notice: ['noticeId'], plan: [], member: ['userId'], organisation: [], project: ['projectId'], asset: ['assetId'], presence: ['postId'], shelf: [], note: ['postId'], queue: ['channelId'], bulk: ['importId'] }

/** Whether the cached call with this key shows something that the change touched. */
export function isTouched(key: readonly unknown[], change: LiveEvent): boolean {
  const [path, params] = key
  if (typeof path !== 'string' || !touches[change.kind].some((part) => path.includes(part))) return false
  // the detail of another thing of the same kind stays as it is
  const named = idNames[change.kind].map((name) => (typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined)).find((id) => id !== undefined)
  return named === undefined || named === change.ref || change.kind === 'project'
}

/** Gathers the changes of one burst, so that a batch of posts reads the list once; then rests a second. Milliseconds. */
const [GATHER, REST] = [120, 1_000]

/** Applies changes to the cache, a burst at a time. */
export function createChangeSink(queries: Pick<QueryClient, 'invalidateQueries'>) {
  let waiting: LiveEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = -REST
  const flush = () => {
    timer = undefined
    last = performance.now()
    const changes = waiting
    waiting = []
    void queries.invalidateQueries({ predicate: (query) => changes.some((change) => isTouched(query.queryKey, change)) })
  }
  return {
    /** One message of the stream; what it does not understand, it ignores (a newer server may say more). */
    take(data: string) {
      const change = LiveEvent.safeParse(parseJson(data))
      if (!change.success) return
      waiting.push(change.data)
      timer ??= setTimeout(flush, Math.max(GATHER, last + REST - performance.now()))
    },
    reset() {
      void queries.invalidateQueries()
    },
    stop() {
      clearTimeout(timer)
    },
  }
}

/** How long to wait before opening a stream that the browser gave up on. Milliseconds. */
const REOPEN = 5_000

/**
 * Keeps the open screens of a project up to date by its event stream. The browser resumes a lost stream by itself with
 * its last cursor; the server answers `reset` when that is too old. Returns whether the stream is open.
 */
export function useLive({ orgId, projectId }: ProjectIds): boolean {
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const sink = createChangeSink(queries)
    let source: EventSource | undefined
    let again: ReturnType<typeof setTimeout> | undefined
    let missed = false
    const connect = () => {
      source = new EventSource(addressOf(events, { params: { orgId, projectId } }), { withCredentials: true })
      source.onopen = () => {
        setOpen(true)
        // a stream opened anew has no cursor: what happened in between is read again
        if (missed) sink.reset()
        missed = false
      }
      source.onmessage = (message: MessageEvent<string>) => sink.take(message.data)
      source.addEventListener('reset', () => sink.reset())
      source.onerror = () => {
        setOpen(false)
        if (source?.readyState !== EventSource.CLOSED) return
        // refused, or its server went away in the middle: the browser does not try again by itself
        // whoever lost the project is told by this call, and led away
        if (!missed) void queries.invalidateQueries({ queryKey: [myPermissions.path] })
        missed = true
        again = setTimeout(connect, REOPEN)
      }
    }
    connect()
    return () => {
      clearTimeout(again)
      source?.close()
      sink.stop()
      setOpen(false)
    }
  }, [queries, orgId, projectId])
  return open
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
