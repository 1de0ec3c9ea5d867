import type { AiHelpKind } from '#contract/aiHelp.ts'
import { itemsFor, withVariant, type Doc, type Item, type Scope, type Variant } from './doc.ts'

/** A channel's own text: undefined parts are the shared ones. */
export type OwnText = { [part in 'items' | 'firstComment' | 'aiHelp']?: Variant[part] | undefined }

/** The channel's own text. */
export function ownTextOf(doc: Doc, channelId: string): OwnText {
  const { items, firstComment, aiHelp } = doc.variants[channelId] ?? {}
  return { items, firstComment, aiHelp }
}

/** Replaces the text of the item at that position, for all channels or one. */
export function withText(doc: Doc, at: Scope, place: number, text: string): Doc {
  const change = (items: readonly Item[]) => items.map((item, i) => (i === place ? { ...item, text } : item))
  return at === 'all'
    ? { ...doc, items: change(doc.items) }
    : withVariant(doc, at, { items: change(itemsFor(doc, at)) })
}

/** Marks what AI helped with, for all channels or one. */
export function withAiMark(doc: Doc, at: Scope, kind: AiHelpKind): Doc {
  const known = helpIn(doc, at)
  return known.includes(kind) ? doc : withHelp(doc, at, [...known, kind])
}

/** An accepted suggestion: for which versions, and the post before and after it. */
export type Suggestion = {
  kind: AiHelpKind
  /** Of the item. */
  place: number
  scopes: readonly Scope[]
  before: Doc
  after: Doc
}

/** Removes suggested text where it's still as it was accepted; whatever was written since stays. */
export function withoutSuggestion(now: Doc, { kind, place, scopes, before, after }: Suggestion): Doc {
  return scopes.reduce((doc, at) => {
    const put = listOf(after, at)[place]
    const list = at === 'all' ? doc.items : doc.variants[at]?.items
    const old = listOf(before, at)[place]
    if (!put || !old || !list?.some(({ key, text }) => key === put.key && text === put.text)) return doc
    // a channel that shared its text does so again, unless anything else of it is its own by now
    const isShared = at !== 'all' && before.variants[at]?.items === undefined && isSame(list, listOf(after, at))
    const items = list.map((item) => (item.key === put.key ? { ...item, text: old.text } : item))
    const back = at === 'all' ? { ...doc, items } : withVariant(doc, at, { items: isShared ? undefined : items })
    return helpIn(before, at).includes(kind)
      ? back
      : withHelp(
          back,
          at,
          helpIn(back, at).filter((one) => one !== kind),
        )
  }, now)
}

/** Restores channels' earlier text where they still have the copied one. */
export function withTextBack(now: Doc, before: ReadonlyMap<string, OwnText>, given: OwnText): Doc {
  return [...before].reduce(
    (doc, [channelId, words]) => (isSame(ownTextOf(doc, channelId), given) ? withVariant(doc, channelId, words) : doc),
    now,
  )
}

const listOf = (doc: Doc, at: Scope): readonly Item[] => itemsFor(doc, at === 'all' ? undefined : at)
const helpIn = (doc: Doc, at: Scope): readonly AiHelpKind[] =>
  at === 'all' ? doc.aiHelp : (doc.variants[at]?.aiHelp ?? [])
const withHelp = (doc: Doc, at: Scope, kinds: readonly AiHelpKind[]): Doc =>
  at === 'all' ? { ...doc, aiHelp: kinds } : withVariant(doc, at, { aiHelp: kinds.length > 0 ? kinds : undefined })
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
