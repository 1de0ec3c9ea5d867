import type { AiHelpKind } from '#contract/aiHelp.ts'
import { moved } from '#web/ui/useRowOrder.ts'
import { withChannels, type Beginning } from './chooseChannels.ts'
import {
  itemsFor,
  withVariant,
  type Doc,
  type DocMention,
  type Item,
  type LinkCard,
  type Scope,
  type Variant,
} from './doc.ts'
import type { Plan } from './plan.ts'
import { withAiMark, withoutSuggestion, withText, withTextBack, type OwnText, type Suggestion } from './textUndo.ts'

type VariantChange = { [part in keyof Variant]?: Variant[part] | undefined }

/** What a person does to the post. `at` is its version: all channels, or one. */
export type DocAction =
  | { type: 'labelsChosen'; labelIds: readonly string[] }
  | { type: 'campaignsChosen'; campaignIds: readonly string[] }
  | { type: 'bioLinkChanged'; bioLink: Doc['bioLink'] }
  | { type: 'firstCommentChanged'; at: Scope; text: string }
  | { type: 'cardChanged'; card: LinkCard }
  /** Removes a link's card. */
  | { type: 'cardRemoved'; url: string }
  | { type: 'itemChanged'; at: Scope; key: string; change: Partial<Pick<Item, 'title' | 'text'>> }
  | { type: 'itemAdded'; at: Scope; after: string; item: Item }
  | { type: 'itemRemoved'; at: Scope; key: string }
  | { type: 'itemMoved'; at: Scope; key: string; by: -1 | 1 }
  | { type: 'personMentioned'; at: Scope; key: string; text: string; mention: DocMention }
  | { type: 'fileAttached'; at: Scope; itemKey: string; key: string }
  | { type: 'fileRemoved'; at: Scope; itemKey: string; key: string }
  | { type: 'fileMoved'; at: Scope; itemKey: string; key: string; over: string }
  | { type: 'aiHelped'; at: Scope; kind: AiHelpKind }
  | { type: 'suggestionTaken'; kind: AiHelpKind; place: number; texts: readonly { at: Scope; text: string }[] }
  | { type: 'suggestionUndone'; suggestion: Suggestion }
  | { type: 'channelsChosen'; channelIds: readonly string[]; beginning: Beginning }
  | { type: 'versionChanged'; channelId: string; change: VariantChange }
  | { type: 'textGiven'; channelIds: readonly string[]; text: OwnText }
  | { type: 'textGivenUndone'; before: ReadonlyMap<string, OwnText>; given: OwnText }
  /** A channel's custom time if it has one; otherwise the shared time. */
  | { type: 'scheduleChanged'; channelId: string | undefined; plan: Plan }

type Changes = { [type in DocAction['type']]: (doc: Doc, action: Extract<DocAction, { type: type }>) => Doc }

/** The post after each action. */
const changes: Changes = {
  labelsChosen: (doc, { labelIds }) => ({ ...doc, labelIds }),
  campaignsChosen: (doc, { campaignIds }) => ({ ...doc, campaignIds }),
  bioLinkChanged: (doc, { bioLink }) => ({ ...doc, bioLink }),
  firstCommentChanged: (doc, { at, text }) =>
    at === 'all' ? { ...doc, firstComment: text } : withVariant(doc, at, { firstComment: text }),
  cardChanged: (doc, { card }) => ({ ...doc, cards: [...doc.cards.filter(({ uri }) => uri !== card.uri), card] }),
  cardRemoved: (doc, { url }) => ({
    ...doc,
    cards: doc.cards.filter(({ uri }) => uri !== url),
    cardsOff: [...doc.cardsOff, url],
  }),
  itemChanged: (doc, { at, key, change }) => withItem(doc, at, key, (item) => ({ ...item, ...change })),
  itemAdded: (doc, { at, after, item }) =>
    withItems(doc, at, (items) => items.flatMap((one) => (one.key === after ? [one, item] : [one]))),
  // a post keeps its last item
  itemRemoved: (doc, { at, key }) =>
    withItems(doc, at, (items) => (items.length > 1 ? items.filter((item) => item.key !== key) : items)),
  itemMoved: (doc, { at, key, by }) =>
    withItems(doc, at, (items) => {
      const from = items.findIndex((item) => item.key === key)
      return items[from] && items[from + by] ? moved(items, from, from + by) : items
    }),
  personMentioned: (doc, { at, key, text, mention }) => ({
    ...withItem(doc, at, key, (item) => ({ ...item, text })),
    mentions: [
      ...doc.mentions.filter(({ userId, name }) => userId !== mention.userId || name !== mention.name),
      mention,
    ],
  }),
  fileAttached: (doc, { at, itemKey, key }) =>
    withItem(doc, at, itemKey, (item) => ({ ...item, media: [...item.media, key] })),
  fileRemoved: (doc, { at, itemKey, key }) =>
    withItem(doc, at, itemKey, (item) => ({ ...item, media: item.media.filter((one) => one !== key) })),
  fileMoved: (doc, { at, itemKey, key, over }) =>
    withItem(doc, at, itemKey, (item) =>
      item.media.includes(key) && item.media.includes(over)
        ? { ...item, media: moved(item.media, item.media.indexOf(key), item.media.indexOf(over)) }
        : item,
    ),
  aiHelped: (doc, { at, kind }) => withAiMark(doc, at, kind),
  suggestionTaken: (doc, { kind, place, texts }) =>
    texts.reduce((next, { at, text }) => withAiMark(withText(next, at, place, text), at, kind), doc),
  suggestionUndone: (doc, { suggestion }) => withoutSuggestion(doc, suggestion),
  channelsChosen: (doc, { channelIds, beginning }) => withChannels(doc, channelIds, beginning),
  versionChanged: (doc, { channelId, change }) => withVariant(doc, channelId, change),
  textGiven: (doc, { channelIds, text }) =>
    channelIds.reduce((next, channelId) => withVariant(next, channelId, text), doc),
  textGivenUndone: (doc, { before, given }) => withTextBack(doc, before, given),
  scheduleChanged: (doc, { channelId, plan }) =>
    channelId !== undefined && doc.variants[channelId]?.plan ? withVariant(doc, channelId, { plan }) : { ...doc, plan },
}

export const isDocAction = (action: { type: string }): action is DocAction => Object.hasOwn(changes, action.type)

/** The post after an action; the same object if nothing changed. */
export function changedDoc(doc: Doc, action: DocAction): Doc {
  // the table has a function for each type's exact action
  const change = changes[action.type] as (before: Doc, by: DocAction) => Doc
  return change(doc, action)
}

/** The post with one version's items changed; a channel that shared them has its own from then on. */
function withItems(doc: Doc, at: Scope, change: (items: readonly Item[]) => readonly Item[]): Doc {
  if (at === 'all') return { ...doc, items: change(doc.items) }
  return withVariant(doc, at, { items: change(itemsFor(doc, at)) })
}

function withItem(doc: Doc, at: Scope, key: string, change: (item: Item) => Item): Doc {
  return withItems(doc, at, (items) => items.map((item) => (item.key === key ? change(item) : item)))
}
