import type { AdditionalDetails, PostContent } from '#contract/content.ts'
import { draftContents, type DraftBody, type DraftVariant, type UnfinishedUpload } from '#contract/drafts.ts'
import type { Post } from '#contract/posts.ts'
import { newItem, type Doc, type Item, type LinkCard, type Media, type Variant } from './doc.ts'
import { planOfDraft, planOfPost, planToDraft } from './plan.ts'

/** The key of a saved post's file; the same file with another alt text is another one. */
export function mediaKey({ assetId, altText }: Media): string {
  return altText ? `${assetId} ${altText}` : assetId
}

/** Every different file of a draft, to load from the server. */
export function mediaOfDraft(draft: DraftBody): Media[] {
  const contents = [
    ...draftContents(draft),
    ...Object.keys(draft.variants ?? {}).flatMap((channelId) => draftContents(draft, channelId)),
  ]
  return [...new Map(contents.flatMap(({ media }) => media.map((one) => [mediaKey(one), one] as const))).values()]
}

const itemOf = ({ title = '', text, media }: PostContent): Item => newItem({ title, text, media: media.map(mediaKey) })
type LinksOf = (text: string) => readonly string[]

/** A saved draft, with the next slot if it has no time. */
export function docOfDraft(draft: DraftBody, now: Date, linksOf: LinksOf): Doc {
  const variants = Object.entries(draft.variants ?? {})
  const shared = cardsOf(draft.additionalDetails, linksOf(draft.text))
  const own = variants.map(([channelId, variant]) =>
    cardsOf(variant.additionalDetails ?? {}, linksOf(draftContents(draft, channelId)[0]?.text ?? '')),
  )
  return {
    items: draftContents(draft).map(itemOf),
    firstComment: draft.firstComment ?? '',
    variants: Object.fromEntries(
      // what a post became a draft from, or a program saved, has its details beside them
      variants.map(([channelId, variant]) => [
        channelId,
        variantOf({ additionalDetails: draft.additionalDetails, ...variant }, now),
      ]),
    ),
    channelIds: draft.channelIds,
    cards: [shared, ...own].flatMap(({ cards }) => cards),
    cardsOff: [...new Set([shared, ...own].flatMap(({ cardsOff }) => cardsOff))],
    labelIds: draft.labelIds ?? [],
    campaignIds: draft.campaignIds ?? [],
    workflowId: draft.workflowId ?? null,
    plan: planOfDraft(draft.schedule, now),
    bioLink: draft.additionalDetails.bioLink ?? null,
    aiHelp: draft.aiHelp ?? [],
    mentions: draft.mentions ?? [],
  }
}

function variantOf(
  { postType, contents, additionalDetails, firstComment, schedule, aiHelp }: DraftVariant,
  now: Date,
): Variant {
  const { linkCard: _card, bioLink: _shared, linkFacts: _server, ...details } = additionalDetails ?? {}
  return {
    ...(postType && { postType }),
    ...(contents && { items: contents.map(itemOf) }),
    ...(Object.keys(details).length > 0 && { details }),
    ...(firstComment !== undefined && { firstComment }),
    ...(schedule && { plan: planOfDraft(schedule, now) }),
    ...(aiHelp && { aiHelp }),
  }
}

/** A post being edited: everything of its one channel. */
export function docOfPost(post: Post, now: Date, linksOf: LinksOf): Doc {
  const { linkCard: _card, bioLink = null, linkFacts: _server, ...details } = post.additionalDetails
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
    bioLink,
    // earlier help is in its history
    aiHelp: [],
    mentions: channelId === undefined ? [] : post.mentions.map((mention) => ({ ...mention, channelId })),
  }
}

function cardsOf({ linkCard }: AdditionalDetails, links: readonly string[]): Pick<Doc, 'cards' | 'cardsOff'> {
  return { cards: linkCard ? [linkCard] : [], cardsOff: linkCard === null ? links : [] }
}

type Parts = {
  /** Undefined for a file that hasn't arrived. */ mediaOf: (key: string) => Media | undefined
  /** A text's card, as it would be sent. */ cardOf: (text: string) => LinkCard | null | undefined
}

/** The items as the API has them. */
export function contentsOf(items: readonly Item[], { mediaOf }: Pick<Parts, 'mediaOf'>): PostContent[] {
  return items.map(({ title, text, media }) => ({
    ...(title && { title }),
    text,
    media: media.flatMap((key) => mediaOf(key) ?? []),
  }))
}

/** The saved draft. */
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
    additionalDetails: { ...(card !== undefined && { linkCard: card }), ...(doc.bioLink && { bioLink: doc.bioLink }) },
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

/** Whether there's anything worth saving: an opened and abandoned composer leaves nothing behind. */
export function isWorthSaving(draft: DraftBody): boolean {
  const contents = [
    ...draftContents(draft),
    ...Object.keys(draft.variants ?? {}).flatMap((channelId) => draftContents(draft, channelId)),
  ]
  if (draft.unfinished && draft.unfinished.length > 0) return true
  return contents.some(({ title, text, media }) => text.trim() !== '' || Boolean(title?.trim()) || media.length > 0)
}
