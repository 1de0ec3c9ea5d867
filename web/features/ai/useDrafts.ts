import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { aiPosts, aiReport } from '#contract/ai.ts'
import type { Channel } from '#contract/channels.ts'
import type { Gate } from '#contract/plans.ts'
import { gateOf } from '#web/lib/onFailure.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { callOptions } from '#web/lib/queries.ts'
import { waitForDrafts, type DraftsOutcome } from './waitForDrafts.ts'

/**
 * Waits for the drafts of a channel that was just connected and reports the result, unless the page is left before.
 * Returns the number of the current call.
 */
export function useWaitForDrafts(ids: ProjectIds, channelId: string, onEnd: (outcome: DraftsOutcome) => void): number {
  const [asked, setAsked] = useState(1)
  const queries = useQueryClient()
  const end = useEffectEvent(onEnd)
  const { orgId, projectId } = ids
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const options = callOptions(aiPosts, { params: { orgId, projectId, channelId } }, { staleTime: 0, handles: true })
    const read = () => queries.fetchQuery(options).catch(() => undefined)
    const run = async () => {
      try {
        const outcome = await waitForDrafts({
          read,
          onAsk: setAsked,
          wait: (milliseconds) => waited(milliseconds, signal),
        })
        if (!signal.aborted) end(outcome)
      } catch (error) {
        // the page was left
        if (!signal.aborted) throw error
      }
    }
    void run()
    return () => leaving.abort()
  }, [queries, orgId, projectId, channelId])
  return asked
}

export type DraftsOfChannel = {
  channel: Channel
  drafts: number
  running: boolean
  /** Why there are none, in words. */ problem: string | null
  /** How many posts of the channel were read. */ read: number | undefined
  /** The plan's gate that prevented them. */ gate: Gate | undefined
}

/** What was written for each channel so far, and from how many posts. Only what is known by now. */
export function useDraftsOf(ids: ProjectIds, channels: readonly Channel[]): DraftsOfChannel[] {
  const params = channels.map(({ channelId }) => ({ ...ids, channelId }))
  const runs = useQueries({
    queries: params.map((one) => callOptions(aiPosts, { params: one }, { staleTime: 0, handles: true })),
  })
  const reports = useQueries({
    queries: params.map((one, at) =>
      callOptions(aiReport, { params: one }, { handles: true, enabled: isOver(runs[at]?.data?.state) }),
    ),
  })
  return channels.flatMap((channel, at) => {
    const run = runs[at]?.data
    if (!run || run.state === 'none') return []
    const report = reports[at]
    // nothing to read counts as 0
    const read = report?.error?.code === 'NO_POSTS_FOUND' ? 0 : report?.data?.posts
    return [
      {
        channel,
        drafts: run.posts.length,
        running: run.state === 'running',
        problem: run.problem,
        read,
        gate: report?.error ? gateOf(report.error) : undefined,
      },
    ]
  })
}

const isOver = (state: string | undefined) => state === 'done' || state === 'failed'

function waited(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason instanceof Error ? signal.reason : new DOMException('left', 'AbortError'))
    })
  })
}
