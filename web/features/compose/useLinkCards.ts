import { useQueries } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { readLinkCard } from '#contract/media.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import { call } from '#web/lib/client.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import type { Doc, LinkCard } from './doc.ts'

/** A URL counts as typed if nothing was added to it for this long. Milliseconds. */
const TYPED = 600

const finders = [...new Set(Object.values(platformRules).map((platform) => platform.findSpans))]

/** Everything in the text that any platform treats as a link, in order. */
export function linksOf(text: string): string[] {
  const found = finders.flatMap((find) => find(text).filter(({ kind }) => kind === 'link'))
  return [...new Set(found.toSorted((a, b) => a.start - b.start).map(({ value }) => value))]
}

export type CardState = {
  /** The card as it will be sent: null if it was removed, undefined if there's nothing to show. */
  card: LinkCard | null | undefined
  reading: boolean
  /** Why no card could be read. */
  problem: string | undefined
  url: string | undefined
}

/**
 * The card of each text's first link: the person's version of it, otherwise what the page says. The functions stay the
 * same until a card changes, so that what is computed with them is kept.
 */
export function useLinkCards(
  ids: ProjectIds,
  { cards, cardsOff }: Pick<Doc, 'cards' | 'cardsOff'>,
  texts: readonly string[],
): { cardState: (text: string) => CardState; cardOf: (text: string) => LinkCard | null | undefined } {
  const targets = new Map(texts.map((text) => [text, targetOf({ cards, cardsOff }, text)]))
  const links = useRested(
    useDeferredValue(
      [...new Set([...targets.values()].flatMap(({ own, first }) => (own || !first ? [] : [first])))].join('\n'),
    ),
  )
  const reads = useQueries({
    queries: links
      .split('\n')
      .filter(Boolean)
      .map((url) => ({
        queryKey: [readLinkCard.path, ids, url],
        queryFn: ({ signal }: { signal: AbortSignal }) => call(readLinkCard, { params: ids, body: { url }, signal }),
        retry: false,
        staleTime: Infinity,
        // an unreadable page isn't an error of the composer: it's mentioned next to the link
        meta: { handles: true as const },
      })),
    combine: readsOf,
  })
  const cardState = useMemo(
    () => cardReader({ cards, cardsOff }, links.split('\n').filter(Boolean), reads),
    [cards, cardsOff, links, reads],
  )
  const cardOf = useCallback((text: string) => cardState(text).card, [cardState])
  return { cardState, cardOf }
}

/** Returns a text's card, from the person's edits and the results for the pages of `urls`. */
function cardReader(
  own: Pick<Doc, 'cards' | 'cardsOff'>,
  urls: readonly string[],
  reads: ReturnType<typeof readsOf>,
): (text: string) => CardState {
  const stateOf = (text: string): CardState => {
    const { own: kept, first, any } = targetOf(own, text)
    if (kept) return { card: kept, reading: false, problem: undefined, url: kept.uri }
    if (!first) return { card: any ? null : undefined, reading: false, problem: undefined, url: undefined }
    const read = reads[urls.indexOf(first)] ?? { card: undefined, reading: false, problem: undefined }
    return { ...read, url: first }
  }
  // every channel that shows cards needs the same text's
  let last: { text: string; state: CardState } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, state: stateOf(text) }
    return last.state
  }
}

/** What the cards are made of: an unchanged result stays the same object. */
function readsOf(results: readonly { data: LinkCard | undefined; error: ApiFailure | null; isFetching: boolean }[]) {
  return results.map(({ data, error, isFetching }) => ({
    card: data,
    reading: isFetching,
    problem: error ? (error.detail ?? "We couldn't read this page.") : undefined,
  }))
}

function targetOf({ cards, cardsOff }: Pick<Doc, 'cards' | 'cardsOff'>, text: string) {
  const links = linksOf(text)
  const own = cards.find((card) => links.includes(card.uri) && !cardsOff.includes(card.uri))
  return { own, first: links.find((link) => !cardsOff.includes(link)), any: links.length > 0 }
}

function useRested(value: string): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), TYPED)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
