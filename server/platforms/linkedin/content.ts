import { z } from 'zod'
import { linkedin as rules } from '#contract/platforms/linkedin.ts'
import { fitLinkCard } from '#contract/checkPost.ts'
import type { MediaFile, Outgoing } from '../platform.ts'
import { toLittle } from './littleText.ts'
import { familyOf, urnsOf } from './uploads.ts'

const Details = z.object({
  linkCard: z
    .object({ uri: z.string(), title: z.string(), description: z.string(), imageAssetId: z.string().nullable() })
    .nullish(),
})

type Media = { id: string; altText?: string; title?: string }
type Content =
  | { media: Media }
  | { multiImage: { images: Media[] } }
  | { article: { source: string; title: string; description?: string; thumbnail?: string } }

/** The body of `POST /rest/posts` (community-management/shares/posts-api). */
export type PostBody = {
  author: string
  commentary: string
  visibility: 'PUBLIC'
  distribution: { feedDistribution: 'MAIN_FEED'; targetEntities: []; thirdPartyDistributionChannels: [] }
  lifecycleState: 'PUBLISHED'
  isReshareDisabledByAuthor: false
  content?: Content
}

const mediaOf = ({ contents }: Pick<Outgoing, 'contents'>): readonly MediaFile[] => contents[0]?.media ?? []
export const textOf = ({ contents }: Pick<Outgoing, 'contents'>): string => contents[0]?.text.trim() ?? ''

/** The card of a post. A post shows either files or a card, and files win. */
export function cardOf(
  post: Pick<Outgoing, 'contents' | 'details'>,
): { uri: string; title: string; description: string; imageAssetId: string | null } | null {
  const card = mediaOf(post).length > 0 ? null : (Details.catch({}).parse(post.details).linkCard ?? null)
  const [limits] = rules.posts
  return card && limits ? fitLinkCard(limits, card) : card
}

/** Every file that has to be uploaded before the post is sent; undefined if the card's picture is gone. */
export function filesOf(post: Outgoing): readonly MediaFile[] | undefined {
  const picture = cardOf(post)?.imageAssetId
  if (!picture) return mediaOf(post)
  const file = post.extraMedia.get(picture)
  return file && [file]
}

/**
 * The post in LinkedIn's format; undefined if a file isn't uploaded. LinkedIn doesn't read the link, so the card's
 * content is sent.
 */
export function bodyOf(post: Outgoing, author: string): PostBody | undefined {
  const files = filesOf(post)
  const urns = files && urnsOf(files, post.progress)
  if (!urns) return undefined
  const content = contentOf(post, urns)
  return {
    author,
    commentary: toLittle(textOf(post)),
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
    ...(content && { content }),
  }
}

function contentOf(post: Outgoing, urns: readonly string[]): Content | undefined {
  const card = cardOf(post)
  const [thumbnail] = urns
  if (card)
    return {
      article: {
        source: card.uri,
        title: card.title.trim() || new URL(card.uri).host,
        ...(card.description.trim() && { description: card.description.trim() }),
        ...(thumbnail !== undefined && { thumbnail }),
      },
    }
  const shown = mediaOf(post).map((file, index): Media => describe(file, urns[index] ?? ''))
  const [only] = shown
  if (!only) return undefined
  return shown.length === 1 ? { media: only } : { multiImage: { images: shown } }
}

/** A document needs a title. */
function describe(file: MediaFile, id: string): Media {
  if (familyOf(file) === 'documents')
    return {
      id,
      title:
        file.fileName
          .replace(/\.[a-z0-9]{1,5}$/i, '')
          .trim()
          .slice(0, 400) || 'Document',
    }
  return { id, ...(file.altText && { altText: file.altText }) }
}
