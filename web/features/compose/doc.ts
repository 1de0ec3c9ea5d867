import type { AiHelpKind } from '#contract/aiHelp.ts'
import type { Channel } from '#contract/channels.ts'
import type { AdditionalDetails, Mention } from '#contract/content.ts'
import type { DraftBody } from '#contract/drafts.ts'
import type { PostType } from '#contract/platforms/rules.ts'
import { newPlan, type Plan } from './plan.ts'

export type LinkCard = NonNullable<AdditionalDetails['linkCard']>
export type Media = DraftBody['media'][number]
/** Details of particular platforms, without what all channels share. */
export type Details = Omit<AdditionalDetails, 'linkCard' | 'bioLink'>

/** One post of a thread; most posts have one. `media` are keys of attachments, in order. */
export type Item = { key: string; title: string; text: string; media: readonly string[] }

/** What differs for one channel; an absent part is the shared one. */
export type Variant = {
  postType?: PostType
  items?: readonly Item[]
  details?: Details
  firstComment?: string
  /** Its custom time. */
  plan?: Plan
  /** What AI helped with in its own text. */
  aiHelp?: readonly AiHelpKind[]
}

/**
 * A mentioned person, as looked up at a channel; a mention counts for the channels of its platform while the name is in
 * their text.
 */
export type DocMention = NonNullable<DraftBody['mentions']>[number]

/** What is being edited: all channels together, or one of them by its id. */
export type Scope = 'all' | (string & {})

/**
 * The post being written: content, the channels' versions (`variants`) and the schedule (`plan`). Files are kept
 * separately (features/media).
 */
export type Doc = {
  items: readonly Item[]
  firstComment: string
  variants: Readonly<Record<string, Variant>>
  channelIds: readonly string[]
  /** Edited or saved cards, by their link; others are read from their page. */
  cards: readonly LinkCard[]
  /** Links whose card was removed. */
  cardsOff: readonly string[]
  labelIds: readonly string[]
  campaignIds: readonly string[]
  /** Its workflow; null needs no approval. */
  workflowId: string | null
  plan: Plan
  /** The link in bio page that shows it once it's published; its link as it was typed. */
  bioLink: { pageId: string; url: string } | null
  /** What AI helped with in the shared text. */
  aiHelp: readonly AiHelpKind[]
  mentions: readonly DocMention[]
}

let made = 0
/** A new, empty item; its key is for this screen only. */
export function newItem(part: Partial<Item> = {}): Item {
  made += 1
  return { key: `item${made}`, title: '', text: '', media: [], ...part }
}

type Prefill = { channelIds?: readonly string[] | undefined; day?: string | undefined; clock?: string | undefined }
export function emptyDoc(zone: string, now: Date, prefill: Prefill = {}): Doc {
  return {
    items: [newItem()],
    firstComment: '',
    variants: {},
    channelIds: prefill.channelIds ?? [],
    cards: [],
    cardsOff: [],
    labelIds: [],
    campaignIds: [],
    workflowId: null,
    plan: newPlan(zone, now, prefill),
    bioLink: null,
    aiHelp: [],
    mentions: [],
  }
}

/** The channel's content: its own items, or the shared ones. */
export function itemsFor(doc: Doc, channelId: string | undefined): readonly Item[] {
  return (channelId !== undefined && doc.variants[channelId]?.items) || doc.items
}
export function firstCommentFor(doc: Doc, channelId: string | undefined): string {
  return (channelId === undefined ? undefined : doc.variants[channelId]?.firstComment) ?? doc.firstComment
}

/** When the channel's post is published: at its custom time, or at the shared one. */
export function planFor(doc: Doc, channelId: string | undefined): Plan {
  return (channelId === undefined ? undefined : doc.variants[channelId]?.plan) ?? doc.plan
}

/** The people mentioned in the channel's own text, among those looked up at a channel of its platform. */
export function mentionsFor(
  doc: Doc,
  channel: Pick<Channel, 'channelId' | 'platformName'>,
  channels: readonly Pick<Channel, 'channelId' | 'platformName'>[],
): Mention[] {
  const platforms = new Map(channels.map(({ channelId, platformName }) => [channelId, platformName]))
  const text = [
    ...itemsFor(doc, channel.channelId).map((item) => item.text),
    firstCommentFor(doc, channel.channelId),
  ].join('\n')
  return doc.mentions.flatMap(({ channelId, ...mention }) =>
    platforms.get(channelId) === channel.platformName && mention.name !== undefined && text.includes(mention.name)
      ? [mention]
      : [],
  )
}

/** What AI helped with in the channel's text: its own text began as the shared one. */
export function aiHelpFor(doc: Doc, channelId: string): AiHelpKind[] {
  return [...new Set([...doc.aiHelp, ...(doc.variants[channelId]?.aiHelp ?? [])])]
}

/** The post with a channel's part changed; parts set to undefined are the shared ones again. */
export function withVariant(
  doc: Doc,
  channelId: string,
  change: { [part in keyof Variant]?: Variant[part] | undefined },
): Doc {
  const entries = Object.entries({ ...doc.variants[channelId], ...change }).filter(([, value]) => value !== undefined)
  const { [channelId]: _before, ...others } = doc.variants
  return { ...doc, variants: entries.length > 0 ? { ...others, [channelId]: Object.fromEntries(entries) } : others }
}

/** No text and no file, for any channel. */
export const isEmpty = (doc: Doc): boolean =>
  [doc.items, ...Object.values(doc.variants).map(({ items = [] }) => items)].every((items) =>
    items.every(({ title, text, media }) => text.trim() === '' && !title?.trim() && media.length === 0),
  )

/** Whether something that is typed or was loaded could be a link. */
export const mayHaveLinks = ({ items, firstComment, variants }: Doc): boolean =>
  /https?:/i.test(JSON.stringify([items, firstComment, Object.values(variants)]))
