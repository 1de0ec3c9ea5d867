import type { ReplyOf } from '#contract/endpoint.ts'
import { rulesFor } from '#contract/platforms/registry.ts'
import { readApprovalFile, type readApprovalLink } from '#contract/workflows.ts'
import { kindOfType } from '#web/features/posts/preview/MediaView.tsx'
import type { Previewed } from '#web/features/posts/preview/previewed.ts'
import { addressOf } from '#web/lib/client.ts'
import { dayAndTimeOf } from '#web/lib/format.ts'

/** A post as someone outside sees it: its files come by the link itself, which needs no account. */
export function linkPreview(post: ReplyOf<typeof readApprovalLink>['post'], token: string): Previewed {
  const { linkCard, contentWarning, event, offer, callToAction } = post.additionalDetails
  const items = post.contents.map(({ text, media }, i) => ({
    key: String(i),
    text,
    images: media.map((one) => ({
      key: one.assetId,
      url: one.url,
      altText: one.altText ?? '',
      width: one.width,
      height: one.height,
      kind: kindOfType(one.contentType),
    })),
  }))
  const [first, ...thread] = items
  const rules = post.channel ? rulesFor(post.channel.platformName, post.postType) : undefined
  return {
    platform: post.channel?.platformName ?? 'bluesky',
    name: post.channel?.channelName ?? '',
    handle: post.channel?.handle ?? '',
    avatarUrl: null,
    text: rules?.text.unseen ? '' : (first?.text ?? ''),
    images: first?.images ?? [],
    postType: post.postType,
    ...(post.contents[0]?.title ? { title: post.contents[0].title } : {}),
    thread,
    card: linkCard
      ? {
          ...linkCard,
          imageUrl: linkCard.imageAssetId
            ? addressOf(readApprovalFile, { params: { token }, query: { assetId: linkCard.imageAssetId } })
            : null,
        }
      : null,
    ...(contentWarning ? { warning: contentWarning } : {}),
    ...(event ? { event } : {}),
    ...(offer ? { offer } : {}),
    button: rules?.details
      .find(({ field }) => field === 'callToAction')
      ?.options?.find(({ value }) => value === callToAction?.action)?.label,
    whole: true,
    when: post.dueAt ? dayAndTimeOf(post.dueAt, post.timezone).split(' ').slice(1, 3).join(' ') : 'now',
  }
}
