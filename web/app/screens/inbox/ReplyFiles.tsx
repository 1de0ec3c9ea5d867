import { useEffect, useImperativeHandle, useRef, type ComponentProps } from 'react'
import { mediaErrors, type MediaFacts } from '#contract/checkMedia.ts'
import { readPreview } from '#contract/media.ts'
import { rightOf } from '#contract/inbox/terms.ts'
import { fileTypeName } from '#contract/mediaProblems.ts'
import { replyFiles } from '#contract/platforms/replyFiles.ts'
import type { ReplyFile, ReplyFilesSlot } from '#web/features/inbox/replyFiles.ts'
import { AttachedFiles } from '#web/features/media/AttachedFiles.tsx'
import { factsOf, isUnfinished, type Attachment, UNREAD } from '#web/features/media/attachments.ts'
import { PickFiles } from '#web/features/media/PickFiles.tsx'
import { useAttachments } from '#web/features/media/useAttachments.ts'
import { addressOf } from '#web/lib/client.ts'
import { bytes } from '#web/lib/format.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds, type ProjectIds } from '#web/lib/project.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { toast } from '#web/ui/toast.ts'
import { FromLibrary } from '../compose/FromLibrary.tsx'

/**
 * The pictures of a reply: chosen, pasted, dropped or from the library, checked and uploaded as the composer does, by the
 * rules of what is answered.
 */
export function ReplyFiles({ row, limits, initial, onChange, ref, children }: ComponentProps<ReplyFilesSlot>) {
  const ids = useProjectIds()
  const mayUpload = useMay([
    ['post', 'create'],
    ['post', 'edit'],
    [rightOf(row.kind), 'create'],
  ])
  const { platformName: platform, channelId } = row.channel
  const taken = replyFiles(platform, row.kind, limits)
  const unfinished = useRef(new Set<string>())
  useEffect(() => {
    const { current: names } = unfinished
    return () => {
      if (names.size > 0)
        toast.warning(`Not attached, because you left before it was uploaded: ${[...names].join(', ')}`)
    }
  }, [])
  const attachments = useAttachments(ids, {
    initial: initial.map((file) => attachmentOf(ids, file)),
    onRefused: (sentences) => sentences.forEach((sentence) => toast.warning(`Not attached: ${sentence}`)),
    onChange: (list) => {
      unfinished.current.clear()
      for (const one of list) if (isUnfinished(one)) unfinished.current.add(one.fileName)
      onChange(list.flatMap(arrived))
    },
  })
  useImperativeHandle(ref, () => ({
    replace: (files) => attachments.replace(files.map((file) => attachmentOf(ids, file))),
  }))
  if (!taken) return children({ tools: null, tray: null, problem: undefined, add: () => sayNoPictures(platform) })

  const { rules, postType } = taken
  const { images } = rules
  const { list } = attachments
  const check = (file: MediaFacts) => mediaErrors(rules, file, 'media')
  const to = { item: channelId, rules: [rules], held: list.map(factsOf), check, onAdded: () => undefined }
  const problem = attachments.busy
    ? "Your pictures are still uploading. You can send the reply once they're done."
    : list.some(({ state }) => state === 'failed')
      ? "A picture wasn't uploaded. Remove it or try again."
      : list.some((one) => check(factsOf(one)).length > 0)
        ? `${platformName(platform)} doesn't take one of your pictures as it is.`
        : undefined
  const tools = (
    <>
      {mayUpload === 'yes' ? (
        <PickFiles
          label={images.most === 1 ? 'Add a picture' : `Add up to ${images.most} pictures`}
          accept={images.types.join(',')}
          onFiles={(files) => void attachments.add(files, to)}
        />
      ) : null}
      <FromLibrary onPick={(files) => attachments.attach(files, to)} />
    </>
  )
  const tray =
    list.length + attachments.opening.length === 0 ? null : (
      <div className="grid max-h-[min(16rem,30dvh)] grid-cols-[minmax(0,1fr)] gap-1.5 overflow-y-auto px-2 pt-1 pb-1.5">
        <p className="tnum px-1 text-xs text-ink-muted">
          {list.length} of {images.most}, {anyOf(images.types)} up to {bytes(images.bytes)}
        </p>
        <AttachedFiles
          attachments={attachments}
          check={check}
          fitFor={(file) =>
            check(file).some(({ fix }) => fix === 'fit')
              ? { platform, postType, channelId, bytes: images.bytes }
              : undefined
          }
          altMost={images.altText?.max ?? 0}
          altTaken={images.altText !== null}
          thumbnails={false}
        />
      </div>
    )
  const add = (files: readonly File[]) => {
    if (mayUpload === 'yes') void attachments.add(files, to)
    else toast.warning("Your role doesn't let you upload files. Ask a project admin.")
  }
  return children({ tools, tray, problem, add })
}

const sayNoPictures = (platform: Parameters<typeof platformName>[0]) =>
  toast.warning(
    `Pictures can't be sent from here in this conversation. Open it on ${platformName(platform)} to send them.`,
  )

/** "JPEG, PNG, or GIF" */
const anyOf = (types: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(types.map((type) => fileTypeName(type).toUpperCase()))

/** What has arrived on the server. */
const arrived = (one: Attachment): ReplyFile[] =>
  one.assetId === undefined || one.state === 'failed'
    ? []
    : [
        {
          assetId: one.assetId,
          fileName: one.fileName,
          contentType: one.contentType,
          bytes: one.bytes,
          width: one.width,
          height: one.height,
          altText: one.altText.trim(),
        },
      ]

const attachmentOf = (ids: ProjectIds, { assetId, ...file }: ReplyFile): Attachment => ({
  ...UNREAD,
  ...file,
  key: assetId,
  assetId,
  state: 'ready',
  thumbnailUrl: null,
  url: addressOf(readPreview, { params: { ...ids, assetId } }),
  sent: file.bytes,
  problem: undefined,
})
