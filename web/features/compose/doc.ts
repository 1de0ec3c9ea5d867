import { draftContents, type AdditionalDetails, type DraftBody, type DraftVariant, type Post, type PostContent } from '#contract/posts.ts'
import type { PostType } from '#contract/platforms/rules.ts'
import { newPlan, planOfDraft, planOfPost, planToDraft, type Plan } from './plan.ts'

export type LinkCard = NonNullable<AdditionalDetails['linkCard']>
export type Media = DraftBody['media'][number]
/** What only some platforms ask for, besides the card. */
export type Details = Omit<AdditionalDetails, 'linkCard'>

/** One post of a thread; most posts have one. `media` are keys of attachments, in their order. */
export type Item = { key: string; title: string; text: string; media: readonly string[] }

/** What one channel says differently; an absent part is the shared one. */
export type Variant = { postType?: PostType; items?: readonly Item[]; details?: Details; firstComment?: string }

/** What the person has written so far. Files are kept beside it (features/media). */
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
}

let made = 0
/** An item that has not been written yet; its key names it on this screen only. */
export function newItem(part: Partial<Item> = {}): Item {
  made += 1
  return { key: `item${made}`, title: '', text: '', media: [], ...part }
}

type Prefill = { channelIds?: readonly string[] | undefined; day?: string | undefined; clock?: string | undefined }
export function emptyDoc(zone: string, now: Date, prefill: Prefill = {}): Doc {
  return { items: [newItem()], firstComment: '', variants: {}, channelIds: prefill.channelIds ?? [], cards: [], cardsOff: [], labelIds: [], campaignIds: [], workflowId: null, plan: newPlan(zone, now, prefill) }
}

/** What the channel says: its own items, or the shared ones. */
export function itemsFor(doc: Doc, channelId: string | undefined): readonly Item[] {
  return (channelId !== undefined && doc.variants[channelId]?.items) || doc.items
}
export function firstCommentFor(doc: Doc, channelId: string | undefined): string {
  return (channelId === undefined ? undefined : doc.variants[channelId]?.firstComment) ?? doc.firstComment
}

/** The document with a channel's part changed; parts set to undefined are the shared ones again. */
export function withVariant(doc: Doc, channelId: string, change: { [part in keyof Variant]?: Variant[part] | undefined }): Doc {
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
  const contents = [...draftContents(draft), ...Object.keys(draft.variants ?? {}).flatMap((channelId) => draftContents(draft, channelId))]
  return [...new Map(contents.flatMap(({ media }) => media.map((one) => [mediaKey(one), one] as const))).values()]
}

const itemOf = ({ title = '', text, media }: PostContent): Item => newItem({ title, text, media: media.map(mediaKey) })
type LinksOf = (text: string) => readonly string[]

/** A saved draft, with the next slot where it has no time of its own. */
export function docOfDraft(draft: DraftBody, now: Date, linksOf: LinksOf): Doc {
  const variants = Object.entries(draft.variants ?? {})
  const shared = cardsOf(draft.additionalDetails, linksOf(draft.text))
  const own = variants.map(([channelId, variant]) => cardsOf(variant.additionalDetails ?? {}, linksOf(draftContents(draft, channelId)[0]?.text ?? '')))
  return {
    items: draftContents(draft).map(itemOf),
    firstComment: draft.firstComment ?? '',
    variants: Object.fromEntries(variants.map(([channelId, variant]) => [channelId, variantOf(variant)])),
    channelIds: draft.channelIds,
    cards: [shared, ...own].flatMap(({ cards }) => cards),
    cardsOff: [...new Set([shared, ...own].flatMap(({ cardsOff }) => cardsOff))],
    labelIds: draft.labelIds ?? [],
    campaignIds: draft.campaignIds ?? [],
    workflowId: draft.workflowId ?? null,
    plan: planOfDraft(draft.schedule, now),
  }
}

function variantOf({ postType, contents, additionalDetails, firstComment }: DraftVariant): Variant {
  const { linkCard: _card, ...details } = additionalDetails ?? {}
  return {
    ...(postType && { postType }),
    ...(contents && { items: contents.map(itemOf) }),
    ...(Object.keys(details).length > 0 && { details }),
    ...(firstComment !== undefined && { firstComment }),
  }
}

/** A post that is being edited: everything that its one channel says. */
export function docOfPost(post: Post, now: Date, linksOf: LinksOf): Doc {
  const { linkCard: _card, ...details } = post.additionalDetails
  const channelId = post.channel?.channelId
  return {
    items: post.contents.map(itemOf),
    firstComment: post.firstComment,
    variants: channelId === undefined ? {} : { [channelId]: { postType: post.postType, ...(Object.keys(details).length > 0 && { details }) } },
    channelIds: channelId === undefined ? [] : [channelId],
    ...cardsOf(post.additionalDetails, linksOf(post.contents[0]?.text ?? '')),
    labelIds: post.labels.map(({ labelId }) => labelId),
    campaignIds: post.campaigns.map(({ campaignId }) => campaignId),
    workflowId: post.workflow?.workflowId ?? null,
    plan: planOfPost(post, now),
  }
}

function cardsOf({ linkCard }: AdditionalDetails, links: readonly string[]): Pick<Doc, 'cards' | 'cardsOff'> {
  return { cards: linkCard ? [linkCard] : [], cardsOff: linkCard === null ? links : [] }
}

type Parts = { /** Undefined for a file that has not arrived. */ mediaOf: (key: string) => Media | undefined; /** The card of a text, as it would be sent. */ cardOf: (text: string) => LinkCard | null | undefined }

/** The items as the wire carries them. */
export function contentsOf(items: readonly Item[], { mediaOf }: Pick<Parts, 'mediaOf'>): PostContent[] {
  return items.map(({ title, text, media }) => ({ ...(title && { title }), text, media: media.flatMap((key) => mediaOf(key) ?? []) }))
}

/** What the server saves of it. */
export function draftOf(doc: Doc, parts: Parts): DraftBody {
  const [first = { text: '', media: [] }, ...thread] = contentsOf(doc.items, parts)
  const card = parts.cardOf(first.text)
  const variants = Object.entries(doc.variants).map(([channelId, { items, details, postType, firstComment }]) => {
    const contents = items && contentsOf(items, parts)
    const ownCard = contents && parts.cardOf(contents[0]?.text ?? '')
    const additionalDetails = { ...details, ...(ownCard !== undefined && { linkCard: ownCard }) }
    const variant: DraftVariant = { ...(postType && { postType }), ...(contents && { contents }), ...(Object.keys(additionalDetails).length > 0 && { additionalDetails }), ...(firstComment !== undefined && { firstComment }) }
    return [channelId, variant] as const
  })
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
    schedule: planToDraft(doc.plan),
  }
}

/** Whether there is anything worth a draft: an opened and abandoned composer leaves nothing behind. */
export function isWorthSaving(draft: DraftBody): boolean {
  const contents = [...draftContents(draft), ...Object.keys(draft.variants ?? {}).flatMap((channelId) => draftContents(draft, channelId))]
  return contents.some(({ title, text, media }) => text.trim() !== '' || Boolean(title?.trim()) || media.length > 0)
}
