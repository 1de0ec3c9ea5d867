import { useDeferredValue, useEffect, useState } from 'react'
import { readLinkCard } from '#contract/media.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '#web/lib/client.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import type { Doc, LinkCard } from './doc.ts'

/** An address counts as typed when nothing was added to it for this long. Milliseconds. */
const TYPED = 600

export type CardState = {
  /** The card as it will be sent: null when it was taken off, undefined when there is nothing to show. */
  card: LinkCard | null | undefined
  reading: boolean
  /** Why no card could be read, in words. */
  problem: string | undefined
  url: string | undefined
}

/** The card of the first link: what the person made of it, else what the page says of itself. */
export function useLinkCard(ids: ProjectIds, doc: Pick<Doc, 'card' | 'cardsOff'>, links: readonly string[]): CardState {
  const own = doc.card && links.includes(doc.card.uri) ? doc.card : undefined
  const first = links.find((link) => !doc.cardsOff.includes(link))
  const settled = useSettled(useDeferredValue(own ? undefined : first))
  const read = useQuery<LinkCard>({
    queryKey: [readLinkCard.path, ids, settled],
    queryFn: ({ signal }) => call(readLinkCard, { params: ids, body: { url: settled ?? '' }, signal }),
    enabled: settled !== undefined,
    retry: false,
    staleTime: Infinity,
    // a page that cannot be read is no failure of the composer: it is said beside the link
    meta: { handles: true },
  })
  if (own) return { card: own, reading: false, problem: undefined, url: own.uri }
  if (!first) return { card: links.length > 0 ? null : undefined, reading: false, problem: undefined, url: undefined }
  if (first !== settled) return { card: undefined, reading: false, problem: undefined, url: first }
  return { card: read.data, reading: read.isFetching, problem: read.error ? (read.error.detail ?? 'This page could not be read.') : undefined, url: first }
}

function useSettled(value: string | undefined): string | undefined {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPED)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
