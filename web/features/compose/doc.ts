import type { AiHelpKind } from '#contract/aiHelp.ts'
import type { Channel } from '#contract/channels.ts'
import type { AdditionalDetails, Mention, PostContent } from '#contract/content.ts'
import { draftContents, type DraftBody, type DraftVariant, type UnfinishedUpload } from '#contract/drafts.ts'
import type { Post } from '#contract/posts.ts'
import type { PostType } from '#contract/platforms/rules.ts'
import { asTheOthers } from './alike.ts'
import { beginIn, newPlan, planOfDraft, planOfPost, planToDraft, type Plan } from './plan.ts'

export type LinkCard = NonNullable<AdditionalDetails['linkCard']>
export type Media = DraftBody['media'][number]
/** What only some platforms ask for, besides the card. */
export type Details = Omit<AdditionalDetails, 'linkCard'>

/** One post of a thread; most posts have one. `media` are keys of attachments, in their order. */
export type Item = { key: string; title: string; text: string; media: readonly string[] }

/** What one channel says differently; an absent part is the shared one. */
export type Variant = {
  postType?: PostType
  items?: readonly Item[]
  details?: Details
  firstComment?: string
  /** Its own time. */
  plan?: Plan
  /** What AI helped with in its own words. */
  aiHelp?: readonly AiHelpKind[]
}

/** Somebody whom the text mentions, as looked up at a channel; a mention holds for the channels of its platform while its name stands in their text. */
export type DocMention = NonNullable<DraftBody['mentions']>[number]

/** What is being written: all channels together, or one of them by its id. */
export type Scope = 'all' | (string & {})

/** What the person has written so far: content, the channels' versions (`variants`) and the schedule (`plan`). Files are kept beside it (features/media). */
export type Doc = {
  items: readonly Item[]
  firstComment: string
  variants: Readonly<Record<string, Variant>>
  channelIds: readonly string[]
  /** Cards that were edited or saved, by their link; others are read from their page. */
  cards: readonly LinkCard[]
  /** Links whose card was taken off. */
  cardsOff: readonly string[]
  labelIds: readonly string[]
  campaignIds: readonly string[]
  /** The workflow that it goes through; null goes out without one. */
  workflowId: string | null
  plan: Plan
  /** What AI helped with in the shared words. */
  aiHelp: readonly AiHelpKind[]
  mentions: readonly DocMention[]
}

let made = 0
/** An item that has not been written yet; its key names it on this screen only. */
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
    aiHelp: [],
    mentions: [],
  }
}

/** The zone that all of them are planned in; undefined where they differ, or there are none. */
export function sharedZone(channels: readonly Pick<Channel, 'zone'>[]): string | undefined {
  const [only, ...others] = new Set(channels.map(({ zone }) => zone))
  return others.length === 0 ? only : undefined
}

/** Where a new post begins: the channels of the project, its zone, and since when; undefined once it has a time of its own. */
export type Beginning = {
  channels: readonly Pick<Channel, 'channelId' | 'platformName' | 'zone'>[]
  zone: string
  began: Date | undefined
}

/** The document for other channels; an added one is set as the others of its platform. As long as nobody set its time, it is planned in their zone where they share one. */
export function withChannels(doc: Doc, channelIds: readonly string[], { channels, zone, began }: Beginning): Doc {
  const own = sharedZone(channels.filter(({ channelId }) => channelIds.includes(channelId)))
  const added = channelIds.filter((one) => !doc.channelIds.includes(one))
  return {
    ...doc,
    channelIds,
    variants: asTheOthers(doc.variants, doc.channelIds, added, channels),
    plan: began ? beginIn(doc.plan, own ?? zone, began) : doc.plan,
  }
}

/** What the channel says: its own items, or the shared ones. */
export function itemsFor(doc: Doc, channelId: string | undefined): readonly Item[] {
  return (channelId !== undefined && doc.variants[channelId]?.items) || doc.items
}
export function firstCommentFor(doc: Doc, channelId: string | undefined): string {
  return (channelId === undefined ? undefined : doc.variants[channelId]?.firstComment) ?? doc.firstComment
}

/** When the channel's post goes out: at its own time, or at the shared one. */
export function planFor(doc: Doc, channelId: string | undefined): Plan {
  return (channelId === undefined ? undefined : doc.variants[channelId]?.plan) ?? doc.plan
}

/** Whom the channel's own text mentions, among those who were looked up at a channel of its platform. */
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

/** What AI helped with in what the channel says: words of its own began as the shared ones. */
export function aiHelpFor(doc: Doc, channelId: string): AiHelpKind[] {
  return [...new Set([...doc.aiHelp, ...(doc.variants[channelId]?.aiHelp ?? [])])]
}

/** The document with a channel's part changed; parts set to undefined are the shared ones again. */
export function withVariant(
  doc: Doc,
  channelId: string,
  change: { [part in keyof Variant]?: Variant[part] | undefined },
): Doc {
  const entries = Object.entries({ ...doc.variants[channelId], ...change }).filter(([, value]) => value !== undefined)
  const { [channelId]: _before, ...others } = doc.variants
  return { ...doc, variants: entries.length > 0 ? { ...others, [channelId]: Object.fromEntries(entries) } : others }
}

/** The name under which the composer knows a file of a saved post: words of its own make it a file of its own. */
export function mediaKey({ assetId, altText }: Media): string {
  return altText ? `${assetId} ${altText}` : assetId
}

/** Every different file of a draft, for reading what the server knows of them. */
export function mediaOfDraft(draft: DraftBody): Media[] {
  const contents = [
    ...draftContents(draft),
    ...Object.keys(draft.variants ?? {}).flatMap((channelId) => draftContents(draft, channelId)),
  ]
  return [...new Map(contents.flatMap(({ media }) => media.map((one) => [mediaKey(one), one] as const))).values()]
}

const itemOf = ({ title = '', text, media }: PostContent): Item => newItem({ title, text, media: media.map(mediaKey) })
type LinksOf = (text: string) => readonly string[]

/** A saved draft, with the next slot where it has no time of its own. */
export function docOfDraft(draft: DraftBody, now: Date, linksOf: LinksOf): Doc {
  const variants = Object.entries(draft.variants ?? {})
  const shared = cardsOf(draft.additionalDetails, linksOf(draft.text))
  const own = variants.map(([channelId, variant]) =>
    cardsOf(variant.additionalDetails ?? {}, linksOf(draftContents(draft, channelId)[0]?.text ?? '')),
  )
  return {
    items: draftContents(draft).map(itemOf),
    firstComment: draft.firstComment ?? '',
    variants: Object.fromEntries(variants.map(([channelId, variant]) => [channelId, variantOf(variant, now)])),
    channelIds: draft.channelIds,
    cards: [shared, ...own].flatMap(({ cards }) => cards),
    cardsOff: [...new Set([shared, ...own].flatMap(({ cardsOff }) => cardsOff))],
    labelIds: draft.labelIds ?? [],
    campaignIds: draft.campaignIds ?? [],
    workflowId: draft.workflowId ?? null,
    plan: planOfDraft(draft.schedule, now),
    aiHelp: draft.aiHelp ?? [],
    mentions: draft.mentions ?? [],
  }
}

function variantOf(
  { postType, contents, additionalDetails, firstComment, schedule, aiHelp }: DraftVariant,
  now: Date,
): Variant {
  const { linkCard: _card, ...details } = additionalDetails ?? {}
  return {
    ...(postType && { postType }),
    ...(contents && { items: contents.map(itemOf) }),
    ...(Object.keys(details).length > 0 && { details }),
    ...(firstComment !== undefined && { firstComment }),
    ...(schedule && { plan: planOfDraft(schedule, now) }),
    ...(aiHelp && { aiHelp }),
  }
}

/** A post that is being edited: everything that its one channel says. */
export function docOfPost(post: Post, now: Date, linksOf: LinksOf): Doc {
  const { linkCard: _card, ...details } = post.additionalDetails
  const channelId = post.channel?.channelId
  return {
    items: post.contents.map(itemOf),
    firstComment: post.firstComment,
    variants:
      channelId === undefined
        ? {}
        : { [channelId]: { postType: post.postType, ...(Object.keys(details).length > 0 && { details }) } },
    channelIds: channelId === undefined ? [] : [channelId],
    ...cardsOf(post.additionalDetails, linksOf(post.contents[0]?.text ?? '')),
    labelIds: post.labels.map(({ labelId }) => labelId),
    campaignIds: post.campaigns.map(({ campaignId }) => campaignId),
    workflowId: post.workflow?.workflowId ?? null,
    plan: planOfPost(post, now),
    // what it was helped with before stands in its history
    aiHelp: [],
    mentions: channelId === undefined ? [] : post.mentions.map((mention) => ({ ...mention, channelId })),
  }
}

function cardsOf({ linkCard }: AdditionalDetails, links: readonly string[]): Pick<Doc, 'cards' | 'cardsOff'> {
  return { cards: linkCard ? [linkCard] : [], cardsOff: linkCard === null ? links : [] }
}

type Parts = {
  /** Undefined for a file that has not arrived. */ mediaOf: (key: string) => Media | undefined
  /** The card of a text, as it would be sent. */ cardOf: (text: string) => LinkCard | null | undefined
}

/** The items as the wire carries them. */
export function contentsOf(items: readonly Item[], { mediaOf }: Pick<Parts, 'mediaOf'>): PostContent[] {
  return items.map(({ title, text, media }) => ({
    ...(title && { title }),
    text,
    media: media.flatMap((key) => mediaOf(key) ?? []),
  }))
}

/** What the server saves of it. */
export function draftOf(doc: Doc, parts: Parts, unfinished: readonly UnfinishedUpload[] = []): DraftBody {
  const [first = { text: '', media: [] }, ...thread] = contentsOf(doc.items, parts)
  const card = parts.cardOf(first.text)
  const variants = Object.entries(doc.variants).map(
    ([channelId, { items, details, postType, firstComment, plan, aiHelp }]) => {
      const contents = items && contentsOf(items, parts)
      const ownCard = contents && parts.cardOf(contents[0]?.text ?? '')
      const additionalDetails = { ...details, ...(ownCard !== undefined && { linkCard: ownCard }) }
      const variant: DraftVariant = {
        ...(postType && { postType }),
        ...(contents && { contents }),
        ...(Object.keys(additionalDetails).length > 0 && { additionalDetails }),
        ...(firstComment !== undefined && { firstComment }),
        ...(plan && { schedule: planToDraft(plan) }),
        ...(aiHelp && { aiHelp: [...aiHelp] }),
      }
      return [channelId, variant] as const
    },
  )
  return {
    ...first,
    ...(thread.length > 0 && { thread }),
    channelIds: [...doc.channelIds],
    additionalDetails: card === undefined ? {} : { linkCard: card },
    ...(doc.firstComment && { firstComment: doc.firstComment }),
    ...(variants.length > 0 && { variants: Object.fromEntries(variants) }),
    ...(doc.labelIds.length > 0 && { labelIds: [...doc.labelIds] }),
    ...(doc.campaignIds.length > 0 && { campaignIds: [...doc.campaignIds] }),
    ...(doc.workflowId !== null && { workflowId: doc.workflowId }),
    ...(doc.mentions.length > 0 && { mentions: [...doc.mentions] }),
    schedule: planToDraft(doc.plan),
    ...(doc.aiHelp.length > 0 && { aiHelp: [...doc.aiHelp] }),
    ...(unfinished.length > 0 && { unfinished: [...unfinished] }),
  }
}

/** Nothing is written and no file is attached, for whatever channel. */
export const isEmpty = (doc: Doc): boolean =>
  [doc.items, ...Object.values(doc.variants).map(({ items = [] }) => items)].every((items) =>
    items.every(({ title, text, media }) => text.trim() === '' && !title?.trim() && media.length === 0),
  )

/** Whether there is anything worth a draft: an opened and abandoned composer leaves nothing behind. */
export function isWorthSaving(draft: DraftBody): boolean {
  const contents = [
    ...draftContents(draft),
    ...Object.keys(draft.variants ?? {}).flatMap((channelId) => draftContents(draft, channelId)),
  ]
  if (draft.unfinished && draft.unfinished.length > 0) return true
  return contents.some(({ title, text, media }) => text.trim() !== '' || Boolean(title?.trim()) || media.length > 0)
}
