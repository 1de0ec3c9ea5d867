import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { events, LiveEvent } from '#contract/live.ts'
import { home, myPermissions } from '#contract/organizations.ts'
import { createBurst } from './burst.ts'
import { invalidate } from './cacheInvalidation.ts'
import { addressOf } from './client.ts'
import { connection } from './connection.ts'
import { takeCursor } from './earlyData.ts'
import type { ProjectIds } from './project.ts'
import { callOptions } from './queries.ts'

/** Applies changes to the cache, one burst at a time. */
export function createChangeSink(queries: Pick<QueryClient, 'invalidateQueries'>) {
  let waiting: LiveEvent[] = []
  const burst = createBurst(() => {
    const changes = waiting
    waiting = []
    invalidate(queries, changes)
  })
  return {
    /** One message of the stream; unknown ones are ignored (a newer server may have more). */
    take(data: string) {
      const change = LiveEvent.safeParse(parseJson(data))
      if (!change.success) return
      waiting.push(change.data)
      burst.hear()
    },
    reset() {
      void queries.invalidateQueries()
    },
    stop: burst.stop,
  }
}

/** How long to wait before reopening a stream that the browser gave up. Milliseconds. */
const REOPEN = 5_000

/** Whose data the cache has, as far as it knows. */
const userOf = (queries: QueryClient): string | undefined =>
  queries.getQueryData(callOptions(home, {}).queryKey)?.user.userId

/**
 * Checks whose session it is: a reopened stream uses the cookie of the person who logged in in the meantime, in another
 * tab. Another person's data (`known`) is dropped, and the screen's data is loaded for the new one. Returns the current
 * person; `known` if that couldn't be checked.
 */
export async function refetchSession(queries: QueryClient, known: string | undefined): Promise<string | undefined> {
  void queries.invalidateQueries({ queryKey: [myPermissions.path] })
  const now = await queries.fetchQuery(callOptions(home, {}, { staleTime: 0 })).catch(() => undefined)
  if (!now) return known
  if (known !== undefined && now.user.userId !== known) await queries.resetQueries()
  return now.user.userId
}

/**
 * Asks what the person may do here, and what they belong to, after a stream was refused: either notices if they lost the
 * project, and leads them away. No event does, if that happened while the stream was closed because their role changed.
 */
export function refetchAccess(queries: Pick<QueryClient, 'invalidateQueries'>): void {
  for (const { path } of [myPermissions, home]) void queries.invalidateQueries({ queryKey: [path] })
}

/**
 * Keeps a project's open screens up to date with its event stream. The browser resumes a lost stream itself with its
 * last cursor; the server sends `reset` if that is too old. Returns whether the stream is open.
 */
export function useLive({ orgId, projectId }: ProjectIds): boolean {
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const sink = createChangeSink(queries)
    let source: EventSource | undefined
    let again: ReturnType<typeof setTimeout> | undefined
    let missed = false
    let opened = false
    let user = userOf(queries)
    const connect = () => {
      // after the page's data; without that, everything is fetched again once the stream is open
      const address = addressOf(events, { params: { orgId, projectId }, query: takeCursor() })
      source = new EventSource(address, { withCredentials: true })
      source.onopen = () => {
        setOpen(true)
        user ??= userOf(queries)
        if (opened) void refetchSession(queries, user).then((now) => (user = now))
        opened = true
        // a reopened stream has no cursor: what happened in between is fetched again
        if (missed) sink.reset()
        missed = false
      }
      source.onmessage = (message: MessageEvent<string>) => sink.take(message.data)
      source.addEventListener('reset', () => sink.reset())
      source.onerror = () => {
        setOpen(false)
        // it may be the only one to notice that the server is gone
        void connection.check()
        if (source?.readyState !== EventSource.CLOSED) return
        // refused, or its server stopped in the middle: the browser doesn't try again. These calls notice if the person
        // lost the project, and lead them away
        if (!missed) for (const { path } of [myPermissions, home]) void queries.invalidateQueries({ queryKey: [path] })
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
