import type { Channel } from '#contract/channels.ts'
import { readAsset } from '#contract/media.ts'
import { itemsTaken, rulesOf } from '#web/features/compose/checks.ts'
import { itemsFor, planFor, type Doc, type LinkCard } from '#web/features/compose/doc.ts'
import type { Plan } from '#web/features/compose/plan.ts'
import { kindOfType } from '#web/features/posts/preview/MediaView.tsx'
import type { Previewed } from '#web/features/posts/preview/previewed.ts'
import { addressOf } from '#web/lib/client.ts'
import { dateOf } from '#web/lib/format.ts'
import { instantOfMoment } from '#web/lib/moment.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import type { ComposerFiles } from './useFiles.ts'

type Written = {
  ids: ProjectIds
  doc: Doc
  files: Pick<ComposerFiles, 'listOf'>
  cardOf: (text: string) => LinkCard | null | undefined
}

/** The day on which it will be published, as platforms write it: "24 Nov". */
function shownDayOf({ mode, when }: Plan): string {
  if (mode === 'now' || mode === 'queue') return 'now'
  const at = instantOfMoment(when)
  return Number.isNaN(at.getTime()) ? 'now' : dateOf(at.toISOString(), when.zone).split(' ').slice(0, 2).join(' ')
}

/** What a channel's post will look like. */
export function previewOf({ ids, doc, files, cardOf }: Written, channel: Channel): Previewed {
  const rules = rulesOf(channel, doc.variants[channel.channelId]?.postType)
  const [head, ...thread] = itemsTaken(itemsFor(doc, channel.channelId), rules)
  const pictures = (item: typeof head) =>
    (item ? files.listOf(item) : [])
      .filter((one) => one.state !== 'failed' || one.assetId)
      .map(({ key, url, altText, width, height, contentType, thumbnailUrl, pages }) => ({
        key,
        url,
        altText,
        width,
        height,
        kind: kindOfType(contentType),
        posterUrl: thumbnailUrl,
        pages,
      }))
  const details = doc.variants[channel.channelId]?.details
  const card = rules?.linkCard && head ? cardOf(head.text) : null
  return {
    platform: channel.platformName,
    name: channel.channelName,
    handle: channel.handle,
    avatarUrl: channel.profileUrl ?? null,
    postType: rules?.postType ?? 'post',
    title: head?.title ?? '',
    text: rules?.text.unseen ? '' : (head?.text ?? ''),
    when: shownDayOf(planFor(doc, channel.channelId)),
    ...(details?.contentWarning && { warning: details.contentWarning }),
    ...(details?.event && { event: details.event }),
    ...(details?.offer && rules?.details.some(({ field }) => field === 'offer') && { offer: details.offer }),
    button: rules?.details
      .find(({ field }) => field === 'callToAction')
      ?.options?.find(({ value }) => value === details?.callToAction?.action)?.label,
    images: pictures(head),
    thread: thread.map((item) => ({ key: item.key, text: item.text, images: pictures(item) })),
    card: card
      ? {
          ...card,
          imageUrl: card.imageAssetId ? addressOf(readAsset, { params: { ...ids, assetId: card.imageAssetId } }) : null,
        }
      : null,
  }
}
