import { useMemo, useState } from 'react'
import type { Channel } from '#contract/channels.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { Span } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { countsOf, overflowAt, platformsOf } from './checks.ts'
import type { Doc } from './doc.ts'
import { useLinkCard } from './useLinkCard.ts'

const finders = [...new Set(Object.values(platformRules).map((platform) => platform.findSpans))]
const linksIn = (spans: readonly Span[]) => spans.flatMap((span) => (span.kind === 'link' ? [span.value] : []))

/** Everything in the text that any platform takes for a link. */
export function linksOf(text: string): string[] {
  return [...new Set(finders.flatMap((find) => linksIn(find(text))))]
}

/** What is being written, and everything that follows from it. */
export function useComposer(ids: ProjectIds, channels: readonly Channel[], initial: Doc) {
  const [doc, setDoc] = useState(initial)
  const chosen = useMemo(() => channels.filter((channel) => doc.channelIds.includes(channel.channelId)), [channels, doc.channelIds])
  // while no channel is chosen, a text is counted and coloured by the rules of the project's first one
  const platforms = useMemo(() => (chosen.length > 0 ? platformsOf(chosen) : platformsOf(channels).slice(0, 1)), [chosen, channels])
  const spans = useMemo(() => platforms[0]?.findSpans(doc.text) ?? [], [doc.text, platforms])
  const links = useMemo(() => [...new Set(linksIn(spans))], [spans])
  const card = useLinkCard(ids, doc, links)
  return {
    doc,
    set: (change: Partial<Doc>) => setDoc((before) => ({ ...before, ...change })),
    chosen,
    platforms,
    spans,
    links,
    card,
    counts: useMemo(() => countsOf(platforms, doc.text), [platforms, doc.text]),
    overflowAt: useMemo(() => overflowAt(platforms, doc.text), [platforms, doc.text]),
    cardLimits: platforms.find((platform) => platform.posts[0]?.linkCard)?.posts[0]?.linkCard ?? { title: 100, description: 300 },
  }
}

export type ComposerState = ReturnType<typeof useComposer>
