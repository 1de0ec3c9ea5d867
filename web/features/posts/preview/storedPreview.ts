import { rulesFor } from '#contract/platforms/registry.ts'
import type { Post } from '#contract/posts.ts'
import { kindOfType } from './MediaView.tsx'
import type { Previewed } from './previewed.ts'

type Stored = Pick<Post, 'contents' | 'additionalDetails' | 'postType'> & {
  channel: Pick<NonNullable<Post['channel']>, 'platformName' | 'channelName' | 'handle'> | null
}

/**
 * Everything that is published, as people will see it: approvers decide on the whole thread, not on its start.
 * `addressOfFile` gives the address of a link card's image.
 */
export function storedPreview(
  { contents, additionalDetails, postType, channel }: Stored,
  addressOfFile: (assetId: string) => string,
): Omit<Previewed, 'when'> {
  const { linkCard: card, contentWarning, event, offer, callToAction } = additionalDetails
  const items = contents.map(({ text, media }, i) => ({
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
  const title = contents[0]?.title
  const rules = channel ? rulesFor(channel.platformName, postType) : undefined
  return {
    platform: channel?.platformName ?? 'bluesky',
    name: channel?.channelName ?? '',
    handle: channel?.handle ?? '',
    postType,
    ...(title ? { title } : {}),
    text: rules?.text.unseen ? '' : (first?.text ?? ''),
    images: first?.images ?? [],
    thread,
    ...(contentWarning ? { warning: contentWarning } : {}),
    ...(event ? { event } : {}),
    ...(offer ? { offer } : {}),
    button:
      callToAction &&
      rules?.details
        .find(({ field }) => field === 'callToAction')
        ?.options?.find(({ value }) => value === callToAction.action)?.label,
    whole: true,
    card: card ? { ...card, imageUrl: card.imageAssetId ? addressOfFile(card.imageAssetId) : null } : null,
  }
}
