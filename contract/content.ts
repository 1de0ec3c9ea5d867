import { z } from 'zod'
import { Day, Id, WebAddress } from './common.ts'
import { TEXT_LIMIT_DEFAULT } from './constants.ts'
import { BIO } from './linkInBio/limits.ts'
import { LinkFacts, SomeLinkTags } from './links/details.ts'

/* A post's content, as the composer, drafts and posts have it. */

/** An image or video of one post, with its alt text. */
export const PostMedia = z.object({ assetId: Id, altText: z.string().max(5000).optional() })
export const PostContent = z.object({
  title: z.string().max(500).optional(),
  text: z.string().max(TEXT_LIMIT_DEFAULT),
  media: z.array(PostMedia).max(40),
})
export type PostContent = z.infer<typeof PostContent>

/** More than the longest posts of X in a thread have; all of it is judged by the rules of each channel. Code units. */
const THREAD_TEXT_MOST = 250_000
/** What is published: more than one item is a thread. */
export const PostContents = z
  .array(PostContent)
  .min(1)
  .max(100)
  .refine(
    (items) => items.reduce((sum, { text }) => sum + text.length, 0) <= THREAD_TEXT_MOST,
    `A thread can have at most ${THREAD_TEXT_MOST.toLocaleString('en')} characters in total`,
  )

const Wall = z.object({ date: Day, time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/) })

/**
 * Details of particular platforms; each platform's rules name its fields (contract/platforms). The link card is chosen
 * in the composer; null means that the person removed it.
 */
export const AdditionalDetails = z.object({
  linkCard: z
    .object({
      uri: WebAddress,
      title: z.string().max(300),
      description: z.string().max(1000),
      imageAssetId: Id.nullable(),
    })
    .nullable()
    .optional(),
  /** The link in bio page that shows the post once it's published, and where it leads there: a BioUrl once it's submitted. */
  bioLink: z.object({ pageId: Id, url: z.string().max(BIO.url) }).optional(),
  languages: z.array(z.string().max(20)).max(3).optional(),
  link: z.union([z.literal(''), WebAddress]).optional(),
  boardId: z.string().max(100).optional(),
  playlistId: z.string().max(100).optional(),
  categoryId: z.string().max(20).optional(),
  privacy: z.string().max(40).optional(),
  madeForKids: z.boolean().optional(),
  peopleTags: z
    .array(z.object({ userId: z.string().max(100), name: z.string().max(200) }))
    .max(20)
    .optional(),
  placeId: z.string().max(100).optional(),
  contentWarning: z.string().max(500).optional(),
  callToAction: z.object({ action: z.string().max(20), url: WebAddress.optional() }).optional(),
  offer: z
    .object({
      couponCode: z.string().max(58).optional(),
      redeemUrl: WebAddress.optional(),
      terms: z.string().max(5000).optional(),
    })
    .optional(),
  /** Local times: the platform knows no zone. */
  event: z.object({ start: Wall, end: Wall }).optional(),
  /** What the post promotes; absent if nothing. */
  disclosure: z.object({ yourBrand: z.boolean(), brandedContent: z.boolean() }).optional(),
  /** What others may do with it; nothing is preselected. */
  interactions: z.object({ comment: z.boolean(), duet: z.boolean(), stitch: z.boolean() }).optional(),
  /** UTM tags of the post's links; null: none. Without it, those of its channel's settings. */
  linkTags: SomeLinkTags.nullable().optional(),
  /** Whether its links are shortened. Without it, as its channel's settings say. */
  shorten: z.boolean().optional(),
  /** Set by the server when the post is submitted. What a caller sends is ignored. */
  linkFacts: LinkFacts.optional(),
})
export type AdditionalDetails = z.infer<typeof AdditionalDetails>

/** As much as any platform accepts; verified accounts on X have the longest. */
export const FirstComment = z.string().max(25_000)
/** A person mentioned in the text: the platform's own ID, and the name as it is in the text. */
export const Mention = z.object({ userId: z.string().min(1).max(200), name: z.string().max(200).optional() })
export type Mention = z.infer<typeof Mention>

export const LabelIds = z.array(Id).max(50)
export const CampaignIds = z.array(Id).max(20)

/** Every file in a post. */
export function assetIdsOf({
  contents,
  details,
}: {
  contents: readonly PostContent[]
  details: AdditionalDetails
}): string[] {
  const pictures = contents.flatMap((content) => content.media.map((media) => media.assetId))
  return details.linkCard?.imageAssetId ? [...pictures, details.linkCard.imageAssetId] : pictures
}
