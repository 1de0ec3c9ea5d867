import { z } from 'zod'
import { bluesky as rules } from '#contract/platforms/bluesky.ts'
import { shownOnBluesky } from '#contract/platforms/blueskySpans.ts'
import { itemOf } from '../parts.ts'
import type { MediaFile, Outgoing, FollowUp } from '../platform.ts'
import type { Blob, Prepared } from './schemas.ts'

type Feature =
  | { $type: 'app.bsky.richtext.facet#link'; uri: string }
  | { $type: 'app.bsky.richtext.facet#mention'; did: string }
  | { $type: 'app.bsky.richtext.facet#tag'; tag: string }
export type Facet = { index: { byteStart: number; byteEnd: number }; features: Feature[] }

type Image = { image: Blob; alt: string; aspectRatio?: { width: number; height: number } }
type Video = {
  $type: 'app.bsky.embed.video'
  video: Blob
  alt?: string
  aspectRatio?: { width: number; height: number }
}
/** What a reply refers to: the first post of the thread, and the post before it. */
export type Reply = { root: { uri: string; cid: string }; parent: { uri: string; cid: string } }

type Embed =
  | Video
  | { $type: 'app.bsky.embed.images'; images: Image[] }
  | { $type: 'app.bsky.embed.external'; external: { uri: string; title: string; description: string; thumb?: Blob } }

/** A record of the lexicon app.bsky.feed.post. */
export type PostRecord = {
  $type: 'app.bsky.feed.post'
  text: string
  createdAt: string
  langs?: string[]
  facets?: Facet[]
  embed?: Embed
  reply?: Reply
}

const encoder = new TextEncoder()
const byteLength = (text: string) => encoder.encode(text).length

/** The text as it was written. */
export const textOf = (post: Pick<Outgoing, 'contents'>): string => post.contents[0]?.text.trim() ?? ''

/** What we read of a post's details, which the contract checked when the post was saved. */
const Details = z.object({
  linkCard: z
    .object({ uri: z.string(), title: z.string(), description: z.string(), imageAssetId: z.string().nullable() })
    .nullish(),
  languages: z.array(z.string()).optional(),
})

/** The link card of a post. A post embeds either pictures or a card, and pictures win. */
export function cardOf(post: Pick<Outgoing, 'contents' | 'details'>): z.infer<typeof Details>['linkCard'] {
  return post.contents[0]?.media.length ? null : Details.parse(post.details).linkCard
}

/** Handles mentioned in the text, without repetitions, in lower case. */
export function mentionedHandles(text: string): string[] {
  return [...new Set(rules.findSpans(text).flatMap((span) => (span.kind === 'mention' ? [span.value] : [])))]
}

/**
 * Links, mentions and tags of a text that is shown, with offsets in UTF-8 bytes. A handle that nobody has stays plain text,
 * as in the official app.
 */
export function facetsOf({ text, spans }: ReturnType<typeof shownOnBluesky>, dids: Prepared['dids']): Facet[] {
  return spans.flatMap((span): Facet[] => {
    const byteStart = byteLength(text.slice(0, span.start))
    const index = { byteStart, byteEnd: byteStart + byteLength(text.slice(span.start, span.end)) }
    if (span.kind === 'link') return [{ index, features: [{ $type: 'app.bsky.richtext.facet#link', uri: span.value }] }]
    if (span.kind === 'tag') return [{ index, features: [{ $type: 'app.bsky.richtext.facet#tag', tag: span.value }] }]
    const did = dids[span.value]
    return did ? [{ index, features: [{ $type: 'app.bsky.richtext.facet#mention', did }] }] : []
  })
}

/** A follow-up as a post of its own. */
export function pieceOf(post: Outgoing, part: FollowUp): Outgoing {
  const content = itemOf(post, part)
  const { languages } = Details.parse(post.details)
  return {
    ...post,
    contents: content ? [content] : [],
    details: languages ? { languages } : {},
    firstComment: null,
  }
}

/** The record of a post; undefined if a file that it needs wasn't uploaded. */
export function composeRecord(post: Outgoing, prepared: Prepared, reply?: Reply): PostRecord | undefined {
  const shown = shownOnBluesky(textOf(post))
  const facets = facetsOf(shown, prepared.dids)
  const langs = Details.parse(post.details).languages ?? []
  const embed = embedOf(post, prepared)
  if (embed === undefined) return undefined
  return {
    $type: 'app.bsky.feed.post',
    text: shown.text,
    createdAt: post.createdAt.toISOString(),
    ...(langs.length > 0 ? { langs } : {}),
    ...(facets.length > 0 ? { facets } : {}),
    ...(embed ? { embed } : {}),
    ...(reply ? { reply } : {}),
  }
}

export const isVideo = ({ contentType }: Pick<MediaFile, 'contentType'>): boolean => contentType.startsWith('video/')
const shapeOf = ({ width, height }: MediaFile) => (width && height ? { aspectRatio: { width, height } } : {})

/** What the post embeds: null for nothing, undefined if a file is missing. */
function embedOf(post: Outgoing, { blobs }: Prepared): Embed | null | undefined {
  const media = post.contents[0]?.media ?? []
  const [film] = media
  if (film && isVideo(film)) {
    const video = blobs[film.assetId]
    return (
      video && {
        $type: 'app.bsky.embed.video',
        video,
        ...(film.altText ? { alt: film.altText } : {}),
        ...shapeOf(film),
      }
    )
  }
  if (media.length > 0) {
    const images = media.flatMap((file): Image[] => {
      const image = blobs[file.assetId]
      if (!image) return []
      return [{ image, alt: file.altText, ...shapeOf(file) }]
    })
    return images.length === media.length ? { $type: 'app.bsky.embed.images', images } : undefined
  }
  const card = cardOf(post)
  if (!card) return null
  const thumb = card.imageAssetId ? blobs[card.imageAssetId] : undefined
  if (card.imageAssetId && !thumb) return undefined
  return {
    $type: 'app.bsky.embed.external',
    external: { uri: card.uri, title: card.title, description: card.description, ...(thumb ? { thumb } : {}) },
  }
}
