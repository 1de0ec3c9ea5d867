import type { MediaFacts } from '#contract/checkPost.ts'
import type { Asset } from '#contract/media.ts'
import { altMost, fileErrors, fileRefusals, fitFor, takesAltText } from '#web/features/compose/checks.ts'
import type { Doc, Item, Media, Scope } from '#web/features/compose/doc.ts'
import type { ComposerState } from '#web/features/compose/useComposer.ts'
import { factsOf, type Attachment } from '#web/features/media/attachments.ts'
import { useAttachments, type Attachments, type FitFor } from '#web/features/media/useAttachments.ts'
import type { ProjectIds } from '#web/lib/project.ts'

export type ComposerFiles = ReturnType<typeof useFiles>

/** The files of everything that is written: kept in one place, shown at the items that name them. */
export function useFiles(
  ids: ProjectIds,
  composer: ComposerState,
  options: { initial: readonly Attachment[]; onRefused: (sentences: readonly string[]) => void },
) {
  const { doc, taken } = composer
  const check = (file: MediaFacts) => fileErrors(taken, file)
  const pool = useAttachments(ids, { initial: options.initial, check, onRefused: options.onRefused })
  const find = (key: string) => pool.list.find((one) => one.key === key)

  const placeIn = (item: Item) => {
    const at = composer.scope
    const held = item.media.flatMap((key) => find(key) ?? []).map(factsOf)
    return {
      rules: taken.map(({ rules }) => rules),
      held,
      check: (file: MediaFacts) => fileRefusals(taken, file),
      onAdded: (key: string) => composer.attach(at, item.key, key),
    }
  }

  return {
    pool,
    check,
    altMost: altMost(taken),
    altTaken: takesAltText(taken),
    /** Whose limits a picture is made to fit. */
    fitFor: (file: MediaFacts): FitFor | undefined => {
      const fit = fitFor(composer.written, doc.variants, file)
      return (
        fit && {
          channelId: fit.channel.channelId,
          platform: fit.channel.platformName,
          postType: fit.postType,
          bytes: fit.bytes,
        }
      )
    },
    thumbnails: taken.some(({ rules }) => rules.videos.thumbnail !== 'none'),
    factsOf: (key: string): MediaFacts | undefined => {
      const one = find(key)
      return one && factsOf(one)
    },
    mediaOf: (key: string): Media | undefined => {
      const one = find(key)
      return one?.assetId && one.state !== 'failed'
        ? { assetId: one.assetId, ...(one.altText.trim() && { altText: one.altText.trim() }) }
        : undefined
    },
    listOf: (item: Item) => item.media.flatMap((key) => find(key) ?? []),
    add: (item: Item, chosen: readonly File[]) => void pool.add(chosen, placeIn(item)),
    /** Files that the project has already. */
    attach: (item: Item, chosen: readonly Asset[]) => pool.attach(chosen, placeIn(item)),
    /** The files of one item, for its tray. */
    of: (item: Item): Attachments => ({
      ...pool,
      list: item.media.flatMap((key) => find(key) ?? []),
      move: (key, over) => composer.moveMedia(item.key, key, over),
      remove: (key) => {
        composer.changeItem(item.key, { media: item.media.filter((one) => one !== key) })
        if (!isElsewhere(doc, composer.scope, item.key, key)) pool.remove(key)
      },
    }),
  }
}

/** Whether a file is named by anything but this item of what is being written: a channel that shared its words leaves the shared ones as they are. */
function isElsewhere(doc: Doc, scope: Scope, itemKey: string, file: string): boolean {
  const lists = [
    ['all', doc.items] as const,
    ...Object.entries(doc.variants).map(([channelId, { items = [] }]) => [channelId, items] as const),
  ]
  return lists.some(([at, items]) =>
    items.some((item) => item.media.includes(file) && (at !== scope || item.key !== itemKey)),
  )
}
