import { z } from 'zod'
import { AdditionalDetails, PostContent } from '#contract/content.ts'
import { PostType } from '#contract/platforms/rules.ts'
import type { MediaFile, Outgoing } from '../platforms/platform.ts'
import type { Going } from './claim.ts'

/** Opens files of one organization by their asset ids; an asset that is gone is missing from the answer. */
export type OpenMedia = (orgId: string, assetIds: readonly string[]) => Promise<ReadonlyMap<string, MediaFile>>

const Stored = z.object({ contents: z.array(PostContent).min(1), details: AdditionalDetails, post_type: PostType })

/** What an adapter gets to see of a post, or undefined when its row or its files are not whole. Throws when files cannot be reached now. */
export async function buildOutgoing(claimed: Going, openMedia: OpenMedia): Promise<Outgoing | undefined> {
  const stored = Stored.safeParse(claimed)
  if (!stored.success) return undefined
  const { contents, details, post_type: postType } = stored.data
  const attached = contents.flatMap((content) => content.media.map((media) => media.assetId))
  const extra = details.linkCard?.imageAssetId ? [details.linkCard.imageAssetId] : []
  const wanted = [...new Set([...attached, ...extra])]
  const files = wanted.length === 0 ? new Map<string, MediaFile>() : await openMedia(claimed.org_id, wanted)
  if (wanted.some((id) => !files.has(id))) return undefined
  // what was approved has the words that were approved: those of a file may have been changed since
  const wordless = claimed.approval_state === 'approved' ? '' : undefined
  return {
    postId: claimed.post_id,
    postType,
    // as it was counted: blanks around it are not sent
    contents: contents.map(({ title, text, media }) => ({
      ...(title === undefined ? {} : { title: title.trim() }),
      text: text.trim(),
      media: media.flatMap((item) => withWords(files.get(item.assetId), item.altText ?? wordless)),
    })),
    details,
    firstComment: claimed.first_comment.trim() || null,
    extraMedia: new Map(extra.flatMap((id) => withWords(files.get(id), undefined).map((file) => [id, file] as const))),
    // the time for which it was planned: the same in every try, and never days before it is seen
    createdAt: claimed.due_at,
    sendKey: claimed.send_key ?? '',
    progress: claimed.progress,
  }
}

function withWords(file: MediaFile | undefined, altText: string | undefined): MediaFile[] {
  return file ? [{ ...file, altText: altText ?? file.altText }] : []
}
