import { z } from 'zod'
import { AdditionalDetails, assetIdsOf, PostContent } from '#contract/content.ts'
import { PostType } from '#contract/platforms/rules.ts'
import type { MediaFile, Outgoing } from '../platforms/platform.ts'
import type { OpenMedia } from '../delivery/subject.ts'
import type { PostClaim } from './loaded.ts'

const Stored = z.object({ contents: z.array(PostContent).min(1), details: AdditionalDetails, post_type: PostType })

type Saying = { contents: readonly PostContent[]; details: AdditionalDetails }

/** A post with the content that is to be sent, or read to decide whether it can be. */
export type ToSend = Saying & {
  postId: string
  postType: PostType
  firstComment?: string
  createdAt: Date
  sendKey: string
  progress: Record<string, unknown>
  /** A file's alt text: the post's own, otherwise the file's. */
  altText?: string
}

/** Builds what is sent for a post, in this one place: texts are trimmed, as they are for counting. Undefined when a file is missing. */
export function outgoingOf(post: ToSend, files: ReadonlyMap<string, MediaFile>): Outgoing | undefined {
  const { contents, details, firstComment, altText } = post
  if (assetIdsOf(post).some((id) => !files.has(id))) return undefined
  const picture = details.linkCard?.imageAssetId
  return {
    postId: post.postId,
    postType: post.postType,
    contents: contents.map(({ title, text, media }) => ({
      ...(title !== undefined && { title: title.trim() }),
      text: text.trim(),
      media: media.flatMap((item) => withAltText(files.get(item.assetId), item.altText ?? altText)),
    })),
    details,
    firstComment: firstComment?.trim() || null,
    extraMedia: new Map(picture ? withAltText(files.get(picture)).map((file) => [picture, file] as const) : []),
    createdAt: post.createdAt,
    sendKey: post.sendKey,
    progress: post.progress,
  }
}

const withAltText = (file: MediaFile | undefined, altText = file?.altText): MediaFile[] =>
  file ? [{ ...file, altText: altText ?? '' }] : []

/** What an adapter gets to see of a post, or undefined when its row or files are incomplete. Throws when files can't be reached now. */
export async function buildOutgoing(
  { orgId, postId, post }: PostClaim,
  openMedia: OpenMedia,
): Promise<Outgoing | undefined> {
  const stored = Stored.safeParse(post)
  if (!stored.success) return undefined
  const { post_type: postType, ...says } = stored.data
  const ids = [...new Set(assetIdsOf(says))]
  const toSend: ToSend = {
    ...says,
    postType,
    postId,
    firstComment: post.first_comment,
    // the same in every try, and never days before the post is visible
    createdAt: post.dated_at ?? post.due_at,
    sendKey: post.send_key ?? '',
    progress: post.progress,
    // an approved post keeps the alt texts that were approved: a file's own may have changed since
    ...(post.approval_state === 'approved' && { altText: '' }),
  }
  return outgoingOf(toSend, ids.length === 0 ? new Map() : await openMedia(orgId, ids))
}
