import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Channel } from '#contract/channels.ts'
import { lookup } from '#contract/lookups.ts'
import type { LookupAccount, LookupItem, LookupKind } from '#contract/platforms/rules.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { callOptions, useCall } from '#web/lib/queries.ts'

/** While someone types, the platform is asked after a pause. Milliseconds. */
const REST = 250
/** As long as the server caches a result. Milliseconds. */
const FRESH = 60_000

function useRested(value: string): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

export type Offer =
  | { kind: 'loading' }
  /** The platform has none, or doesn't respond: people type the value. `why` is the reason. */
  | { kind: 'none'; why: string | undefined }
  | {
      kind: 'offered'
      items: readonly LookupItem[]
      /** The result for the typed text is still on its way. */ waits: boolean
    }

/** What can be chosen at the channel's platform. */
export function useLookup(channelId: string, kind: LookupKind, words: string): Offer {
  const ids = useProjectIds()
  const query = useRested(words.trim())
  // places are found by their name alone: before one is typed, there's nothing to ask
  const isIdle = kind === 'places' && query === ''
  const found = useCall(
    lookup,
    { params: { ...ids, channelId, kind }, query: { query } },
    { staleTime: FRESH, keepPrevious: true, handles: true, enabled: !isIdle },
  )
  if (isIdle) return { kind: 'offered', items: [], waits: query !== words.trim() }
  if (found.error) return { kind: 'none', why: found.error.code === 'NOT_FOUND' ? undefined : found.error.detail }
  if (!found.data) return { kind: 'loading' }
  return found.data.offered
    ? { kind: 'offered', items: found.data.items, waits: found.isFetching || query !== words.trim() }
    : { kind: 'none', why: found.data.reason ?? undefined }
}

/** The account that the platform returns with a lookup; undefined while or if it returns none. */
export function useLookupAccount(channelId: string, kind: LookupKind): LookupAccount | undefined {
  const ids = useProjectIds()
  const found = useCall(
    lookup,
    { params: { ...ids, channelId, kind }, query: { query: '' } },
    { staleTime: FRESH, handles: true },
  )
  return found.data?.account ?? undefined
}

/**
 * Why nobody is offered while someone is being mentioned: undefined if people can be looked up, or no platform says.
 */
export function useWhyNoMentions(channels: readonly Channel[], asks: boolean): string | undefined {
  const ids = useProjectIds()
  const answers = useQueries({
    queries: channels.map(({ channelId }) =>
      callOptions(
        lookup,
        { params: { ...ids, channelId, kind: 'people' as const }, query: { query: '' } },
        { staleTime: Infinity, enabled: asks, handles: true },
      ),
    ),
  })
  if (!asks || answers.some(({ data, isFetching }) => data?.offered || (data === undefined && isFetching)))
    return undefined
  return answers.flatMap(({ data }) => data?.reason ?? [])[0]
}

export type Mentionable = LookupItem & { channel: Channel }

/**
 * The people that the text after an @ may mean, on the channels' platforms with lookups. Nothing is requested while
 * nobody is mentioned.
 */
export function useMentionables(channels: readonly Channel[], words: string | undefined): readonly Mentionable[] {
  const ids = useProjectIds()
  const query = useRested(words?.trim() ?? '')
  const asks = words !== undefined && query !== ''
  // a platform's people can be found through any of its channels
  const first =
    words === undefined
      ? []
      : channels.filter(
          (channel, i) => channels.findIndex(({ platformName }) => platformName === channel.platformName) === i,
        )
  const of = (channelId: string, text: string, enabled: boolean, staleTime = FRESH) =>
    callOptions(
      lookup,
      { params: { ...ids, channelId, kind: 'people' as const }, query: { query: text } },
      { staleTime, enabled, handles: true },
    )
  // whether a platform has a lookup at all is requested once
  const able = useQueries({ queries: first.map(({ channelId }) => of(channelId, '', true, Infinity)) })
  const offering = first.filter((_, i) => able[i]?.data?.offered)
  const found = useQueries({ queries: offering.map(({ channelId }) => of(channelId, query, asks)) })
  const people = asks
    ? offering
        .flatMap((channel, i) => (found[i]?.data?.items ?? []).map((item) => ({ ...item, channel })))
        .slice(0, MOST)
    : []
  // while another letter is looked up, people it still fits stay: a flickering list would lose the key that chooses
  // from it
  const waits = asks && found.some(({ data, isFetching }) => data === undefined && isFetching)
  const [kept, setKept] = useState<readonly Mentionable[]>([])
  if (!waits && JSON.stringify(kept) !== JSON.stringify(people)) setKept(people)
  const typed = words?.trim().toLowerCase() ?? ''
  return waits
    ? kept.filter(({ name, insert, detail }) => `${name} ${insert ?? ''} ${detail ?? ''}`.toLowerCase().includes(typed))
    : people
}
/** As many as are visible without scrolling. */
const MOST = 6
