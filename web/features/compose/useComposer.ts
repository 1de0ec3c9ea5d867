import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { AiHelpKind } from '#contract/aiHelp.ts'
import type { Channel } from '#contract/channels.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { moved } from '#web/ui/useRowOrder.ts'
import { rulesOf, takenBy } from './checks.ts'
import { withChannels, type Beginning } from './chooseChannels.ts'
import { itemsFor, newItem, planFor, withVariant, type Doc, type Item, type Scope, type Variant } from './doc.ts'
import type { Plan } from './plan.ts'
import type { Undo } from './undoable.ts'
import { useLinkCards } from './useLinkCards.ts'
import { withAiMark, ownTextOf, withoutSuggestion, withText, withTextBack, type OwnText } from './textUndo.ts'

/** What is being written, and everything that follows from it. */
export function useComposer(
  ids: ProjectIds,
  channels: readonly Channel[],
  initial: Doc,
  { zone, began }: Pick<Beginning, 'zone' | 'began'>,
) {
  const [doc, setDoc] = useState(initial)
  const [wanted, setScope] = useState<Scope>('all')
  const chosen = useMemo(
    () => channels.filter((channel) => doc.channelIds.includes(channel.channelId)),
    [channels, doc.channelIds],
  )
  // one channel that is left with words or a time of its own: what is shown is what goes out
  const [only] = chosen.length === 1 ? chosen.filter((one) => isOwn(doc.variants[one.channelId])) : []
  const scope: Scope = only ? only.channelId : chosen.some(({ channelId }) => channelId === wanted) ? wanted : 'all'
  const channelId = scope === 'all' ? undefined : scope
  // those that say the shared words; while no channel is chosen, a text is counted and colored by the rules of the first one
  const written = useMemo(() => {
    if (channelId !== undefined) return chosen.filter((one) => one.channelId === channelId)
    const sharing = chosen.filter((one) => !doc.variants[one.channelId]?.items)
    return sharing.length > 0 ? sharing : chosen.length > 0 ? chosen : channels.slice(0, 1)
  }, [chosen, channels, channelId, doc.variants])
  const taken = useMemo(() => takenBy(written, doc.variants), [written, doc.variants])
  const items = itemsFor(doc, channelId)
  // a page is asked, and its picture kept, only for a channel that shows the card
  const texts = chosen
    .filter((channel) => rulesOf(channel, doc.variants[channel.channelId]?.postType)?.linkCard)
    .map((channel) => itemsFor(doc, channel.channelId)[0]?.text ?? '')
  const cardState = useLinkCards(ids, doc, texts)

  // the same functions for good: parts of the page that a key does not touch are not drawn again
  const [{ set, setVariant, changePlan }] = useState(() => ({
    set: (change: Partial<Doc>) => setDoc((before) => ({ ...before, ...change })),
    setVariant: (of: string, change: { [part in keyof Variant]?: Variant[part] | undefined }) =>
      setDoc((before) => withVariant(before, of, change)),
    /** The time of a channel that has its own, else the shared one. */
    changePlan: (of: string | undefined, change: (plan: Plan) => Plan) =>
      setDoc((before) =>
        of !== undefined && before.variants[of]?.plan
          ? withVariant(before, of, { plan: change(planFor(before, of)) })
          : { ...before, plan: change(before.plan) },
      ),
  }))
  const setChannels = useCallback(
    (channelIds: readonly string[]) => setDoc((before) => withChannels(before, channelIds, { channels, zone, began })),
    [channels, zone, began],
  )
  const setPlan = useCallback((plan: Plan) => changePlan(channelId, () => plan), [changePlan, channelId])
  /** Changes the items of what is being written; a channel that shared them has its own from now on. */
  const changeItems = (change: (items: readonly Item[]) => readonly Item[], at: Scope = scope) =>
    setDoc((before) =>
      at === 'all'
        ? { ...before, items: change(before.items) }
        : withVariant(before, at, { items: change(itemsFor(before, at)) }),
    )

  // an undo is taken later than it was offered
  const latest = useRef(doc)
  useEffect(() => {
    latest.current = doc
  }, [doc])
  const undoOf =
    (change: (now: Doc) => Doc): Undo =>
    () => {
      if (change(latest.current) === latest.current) return false
      setDoc(change)
      return true
    }

  return {
    doc,
    set,
    setVariant,
    setChannels,
    /** The time of what is being written. */
    plan: planFor(doc, channelId),
    setPlan,
    changePlan: (change: (plan: Plan) => Plan) => changePlan(channelId, change),
    chosen,
    scope,
    setScope,
    channelId,
    /** What the channels take that say these words. */
    taken,
    written,
    items,
    changeItem: (key: string, change: Partial<Item>) =>
      changeItems((list) => list.map((item) => (item.key === key ? { ...item, ...change } : item))),
    /** Files arrive later than they were chosen: they belong where they were put. */
    attach: (at: Scope, itemKey: string, key: string) =>
      changeItems(
        (list) => list.map((item) => (item.key === itemKey ? { ...item, media: [...item.media, key] } : item)),
        at,
      ),
    addItem: (after: string) => {
      const item = newItem()
      changeItems((list) => list.flatMap((one) => (one.key === after ? [one, item] : [one])))
      return item.key
    },
    removeItem: (key: string) =>
      changeItems((list) => (list.length > 1 ? list.filter((item) => item.key !== key) : list)),
    moveItem: (key: string, by: -1 | 1) =>
      changeItems((list) =>
        swapped(
          list,
          list.findIndex((item) => item.key === key),
          by,
        ),
      ),
    /** Puts a file of an item where another one is. */
    moveMedia: (itemKey: string, key: string, over: string) =>
      changeItems((list) =>
        list.map((item) =>
          item.key === itemKey && item.media.includes(key) && item.media.includes(over)
            ? { ...item, media: moved(item.media, item.media.indexOf(key), item.media.indexOf(over)) }
            : item,
        ),
      ),
    /** Marks what AI helped with in what is being written. */
    markAi: (kind: AiHelpKind) => setDoc((before) => withAiMark(before, scope, kind)),
    /** Takes words that AI suggested for the item at that place, for all channels or for some. */
    takeSuggestion: (kind: AiHelpKind, place: number, words: readonly { at: Scope; text: string }[]): Undo => {
      const after = words.reduce((next, { at, text }) => withAiMark(withText(next, at, place, text), at, kind), doc)
      setDoc((before) =>
        words.reduce((next, { at, text }) => withAiMark(withText(next, at, place, text), at, kind), before),
      )
      return undoOf((now) =>
        withoutSuggestion(now, { kind, place, scopes: words.map(({ at }) => at), before: doc, after }),
      )
    },
    /** Gives channels the same words of their own, or with undefined parts the shared ones again. */
    giveText: (channelIds: readonly string[], words: OwnText): Undo => {
      const before = new Map(channelIds.map((of) => [of, ownTextOf(doc, of)]))
      for (const of of channelIds) setVariant(of, words)
      return undoOf((now) => withTextBack(now, before, words))
    },
    /** Whose links may have a card: the first text of each channel that shows one. */
    texts,
    cardState,
    cardOf: (text: string) => cardState(text).card,
  }
}

const isOwn = (variant: Variant | undefined): boolean =>
  variant?.items !== undefined || variant?.firstComment !== undefined || variant?.plan !== undefined

function swapped<T>(list: readonly T[], from: number, by: -1 | 1): readonly T[] {
  const [one, other] = [list[from], list[from + by]]
  if (one === undefined || other === undefined) return list
  return list.map((each, i) => (i === from ? other : i === from + by ? one : each))
}

export type ComposerState = ReturnType<typeof useComposer>
