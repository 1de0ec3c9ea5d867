import { useCallback } from 'react'
import type { MediaFacts } from '#contract/checkMedia.ts'
import { UPLOAD, type Asset } from '#contract/media.ts'
import { altMost, fileErrors, fileRefusals, fitFor, takesAltText } from '#web/features/compose/checks.ts'
import { useComposer, useVersion } from '#web/features/compose/ComposerContext.ts'
import { itemsFor, type Doc, type Item, type Media, type Scope } from '#web/features/compose/doc.ts'
import { factsOf, isUnfinished, type Attachment } from '#web/features/media/attachments.ts'
import { useAttachments, type Attachments, type FitFor } from '#web/features/media/useAttachments.ts'

export type ComposerFiles = ReturnType<typeof useFiles>

/** The files of everything that is written: kept in one place, shown at the items that name them. */
export function useFiles(initial: readonly Attachment[]) {
  const { store, ids, channels } = useComposer()
  const { counted, taken } = useVersion()
  const check = useCallback((file: MediaFacts) => fileErrors(taken, file), [taken])
  const pool = useAttachments(ids, {
    initial,
    onRefused: (sentences) => store.dispatch({ type: 'filesRefused', sentences }),
  })
  const { list } = pool
  const find = useCallback((key: string) => list.find((one) => one.key === key), [list])

  /** Files arrive later than they were chosen: they belong where they were put. */
  const placeIn = (itemKey: string) => {
    const { scope: at, channelId } = store.version(channels)
    const item = itemsFor(store.state().doc, channelId).find(({ key }) => key === itemKey)
    return {
      item: itemKey,
      rules: taken.map(({ rules }) => rules),
      held: (item?.media ?? []).flatMap((key) => find(key) ?? []).map(factsOf),
      check: (file: MediaFacts) => fileRefusals(taken, file),
      onAdded: (key: string) => store.dispatch({ type: 'fileAttached', at, itemKey, key }),
    }
  }

  return {
    list,
    check,
    altMost: altMost(taken),
    altTaken: takesAltText(taken),
    thumbnails: taken.some(({ rules }) => rules.videos.thumbnail !== 'none'),
    describe: pool.describe,
    /** Some are still being uploaded. */
    busy: pool.busy,
    /** The same text as long as the same files would be sent. */
    sent: JSON.stringify(pool.media),
    /** Why nothing can be submitted yet. */
    problem: pool.busy
      ? "Your files are still uploading. You can submit once they're done."
      : list.some(({ state }) => state === 'failed')
        ? "A file wasn't uploaded. Remove it or try again."
        : undefined,
    unfinished: list.filter(isUnfinished).map(({ fileName, bytes }) => ({ fileName, bytes })),
    factsOf: useCallback(
      (key: string): MediaFacts | undefined => {
        const one = find(key)
        return one && factsOf(one)
      },
      [find],
    ),
    mediaOf: useCallback(
      (key: string): Media | undefined => {
        const one = find(key)
        return one?.assetId && one.state !== 'failed'
          ? { assetId: one.assetId, ...(one.altText.trim() && { altText: one.altText.trim() }) }
          : undefined
      },
      [find],
    ),
    /** For an image that's too large to be uploaded: all else is copied for the channels that need it. */
    fitFor: (file: MediaFacts): FitFor | undefined => {
      const fit = fitFor(counted, store.state().doc.variants, file)
      return (
        fit && {
          channelId: fit.channel.channelId,
          platform: fit.channel.platformName,
          postType: fit.postType,
          bytes: UPLOAD.imageBytes,
        }
      )
    },
    listOf: ({ media }: Pick<Item, 'media'>) => media.flatMap((key) => find(key) ?? []),
    add: (itemKey: string, chosen: readonly File[]) => void pool.add(chosen, placeIn(itemKey)),
    /** Files that the project has already. */
    attach: (itemKey: string, chosen: readonly Asset[]) => pool.attach(chosen, placeIn(itemKey)),
    /** The files of one item of a version, for its tray. */
    of: (item: Pick<Item, 'key' | 'media'>, at: Scope): Attachments => ({
      ...pool,
      list: item.media.flatMap((key) => find(key) ?? []),
      opening: pool.opening.filter((itemKey) => itemKey === item.key),
      move: (key, over) => store.dispatch({ type: 'fileMoved', at, itemKey: item.key, key, over }),
      remove: (key) => {
        store.dispatch({ type: 'fileRemoved', at, itemKey: item.key, key })
        if (!isNamed(store.state().doc, key)) pool.remove(key)
      },
    }),
  }
}

/** Whether any item of any version names the file: a channel that shared its text leaves the shared one as it is. */
function isNamed(doc: Doc, file: string): boolean {
  const lists = [doc.items, ...Object.values(doc.variants).map(({ items = [] }) => items)]
  return lists.some((items) => items.some(({ media }) => media.includes(file)))
}
