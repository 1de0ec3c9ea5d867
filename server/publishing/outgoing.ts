import { z } from 'zod'
import { AdditionalDetails, assetIdsOf, PostContent } from '#contract/content.ts'
import { PostType } from '#contract/platforms/rules.ts'
import type { MediaFile, Outgoing } from '../platforms/platform.ts'
import type { OpenMedia } from '../delivery/subject.ts'
import type { PostClaim } from './loaded.ts'

const Stored = z.object({ contents: z.array(PostContent).min(1), details: AdditionalDetails, post_type: PostType })

type Saying = { contents: readonly PostContent[]; details: AdditionalDetails }

/** A post with the words that are to be sent, or to be read by what asks whether it can be. */
export type ToSend = Saying & {
  postId: string
  postType: PostType
  firstComment?: string
  createdAt: Date
  sendKey: string
  progress: Record<string, unknown>
  /** The alt text of a file that the post itself gives none; its file's own without it. */
  altText?: string
}

/**
 * What is sent of a post, the one place that says so: blanks around texts are dropped, as they are where texts are counted.
 * Undefined when a file is missing.
 */
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

/** What an adapter gets to see of a post, or undefined when its row or its files are not whole. Throws when files cannot be reached now. */
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
    // the time for which it was planned: the same in every try, and never days before it is seen
    createdAt: post.due_at,
    sendKey: post.send_key ?? '',
    progress: post.progress,
    // what was approved has the words that were approved: those of a file may have been changed since
    ...(post.approval_state === 'approved' && { altText: '' }),
  }
  return outgoingOf(toSend, ids.length === 0 ? new Map() : await openMedia(orgId, ids))
}
