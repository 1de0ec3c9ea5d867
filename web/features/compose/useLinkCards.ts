import { useQueries } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { readLinkCard } from '#contract/media.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import { call } from '#web/lib/client.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import type { Doc, LinkCard } from './doc.ts'

/** An address counts as typed when nothing was added to it for this long. Milliseconds. */
const TYPED = 600

const finders = [...new Set(Object.values(platformRules).map((platform) => platform.findSpans))]

/** Everything in the text that any platform takes for a link, in the order of the text. */
export function linksOf(text: string): string[] {
  const found = finders.flatMap((find) => find(text).filter(({ kind }) => kind === 'link'))
  return [...new Set(found.toSorted((a, b) => a.start - b.start).map(({ value }) => value))]
}

export type CardState = {
  /** The card as it will be sent: null when it was taken off, undefined when there is nothing to show. */
  card: LinkCard | null | undefined
  reading: boolean
  /** Why no card could be read, in words. */
  problem: string | undefined
  url: string | undefined
}

/** The card of the first link of each text: what the person made of it, else what the page says of itself. */
export function useLinkCards(
  ids: ProjectIds,
  doc: Pick<Doc, 'cards' | 'cardsOff'>,
  texts: readonly string[],
): (text: string) => CardState {
  const targets = new Map(texts.map((text) => [text, targetOf(doc, text)]))
  const settled = useSettled(
    useDeferredValue(
      [...new Set([...targets.values()].flatMap(({ own, first }) => (own || !first ? [] : [first])))].join('\n'),
    ),
  )
    .split('\n')
    .filter(Boolean)
  const reads = useQueries({
    queries: settled.map((url) => ({
      queryKey: [readLinkCard.path, ids, url],
      queryFn: ({ signal }: { signal: AbortSignal }) => call(readLinkCard, { params: ids, body: { url }, signal }),
      retry: false,
      staleTime: Infinity,
      // a page that cannot be read is no failure of the composer: it is said beside the link
      meta: { handles: true as const },
    })),
  })
  return (text) => {
    const { own, first, any } = targets.get(text) ?? targetOf(doc, text)
    if (own) return { card: own, reading: false, problem: undefined, url: own.uri }
    if (!first) return { card: any ? null : undefined, reading: false, problem: undefined, url: undefined }
    const read = reads[settled.indexOf(first)]
    if (!read) return { card: undefined, reading: false, problem: undefined, url: first }
    const failure = read.error
    return {
      card: read.data,
      reading: read.isFetching,
      problem: failure ? (failure.detail ?? "We couldn't read this page.") : undefined,
      url: first,
    }
  }
}

function targetOf({ cards, cardsOff }: Pick<Doc, 'cards' | 'cardsOff'>, text: string) {
  const links = linksOf(text)
  const own = cards.find((card) => links.includes(card.uri) && !cardsOff.includes(card.uri))
  return { own, first: links.find((link) => !cardsOff.includes(link)), any: links.length > 0 }
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPED)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
