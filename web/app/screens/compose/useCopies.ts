import { useEffect, useRef, useState } from 'react'
import { fitAsset } from '#contract/media.ts'
import { useComposer, useComposerState, useVersion } from '#web/features/compose/ComposerContext.ts'
import { channelsToCopyFor } from '#web/features/compose/fileNotes.ts'
import { factsOf, type Attachment } from '#web/features/media/attachments.ts'
import { call } from '#web/lib/client.ts'
import { isFailure } from '#web/lib/failure.ts'

/**
 * Asks for the copies of files that channels get instead, as soon as the files are there: submitting uses them, and
 * makes those that are missing. Returns why a file can't be made to fit, by the asset's id.
 */
export function useCopies(list: readonly Attachment[]): ReadonlyMap<string, string> {
  const { ids } = useComposer()
  const { counted } = useVersion()
  const variants = useComposerState(({ doc }) => doc.variants)
  const asked = useRef(new Set<string>())
  const [unfit, setUnfit] = useState<ReadonlyMap<string, string>>(new Map())
  useEffect(() => {
    for (const one of list) {
      const { assetId, state } = one
      if (assetId === undefined || state !== 'ready' || !one.contentType.startsWith('image/')) continue
      for (const { channel, postType } of channelsToCopyFor(counted, variants, factsOf(one))) {
        const { channelId, platformName: platform, limits } = channel
        // channels of one platform with the same limits share a copy
        const key = `${assetId} ${platform} ${postType} ${JSON.stringify(limits)}`
        if (asked.current.has(key)) continue
        asked.current.add(key)
        call(fitAsset, { params: { ...ids, assetId }, body: { platform, postType, channelId } }).catch(
          (error: unknown) => {
            // anything else is tried again by the submit
            if (isFailure(error, 'MEDIA_REFUSED'))
              setUnfit((known) => new Map(known).set(assetId, error.detail ?? UNFIT))
          },
        )
      }
    }
  }, [list, counted, variants, ids])
  return unfit
}
const UNFIT = "This image can't be made small enough."
