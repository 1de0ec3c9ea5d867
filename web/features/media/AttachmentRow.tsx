import { clsx } from 'clsx'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Crop from 'lucide-react/icons/crop'
import GripVertical from 'lucide-react/icons/grip-vertical'
import Image from 'lucide-react/icons/image'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import X from 'lucide-react/icons/x'
import { lazy, Suspense, useId, useState, type ReactNode } from 'react'
import type { MediaFacts } from '#contract/checkMedia.ts'
import { bytes, count as counted, lengthOf } from '#web/lib/format.ts'
import { unfinishedUploads } from '#web/lib/unfinishedUploads.ts'
import { Button } from '#web/ui/Button.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Progress } from '#web/ui/Progress.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { gripLook, rowDragLook, type useRowOrder } from '#web/ui/useRowOrder.ts'
import { factsOf, isOnItsWay, kindOf, type Attachment, type CheckFile } from './attachments.ts'
import { Thumb } from './Thumb.tsx'
import type { Attachments, FitFor } from './useAttachments.ts'

const CropDialog = lazy(() => import('./CropDialog.tsx'))
const ThumbnailDialog = lazy(() => import('./ThumbnailDialog.tsx'))

export type RowProps = {
  one: Attachment
  place: number
  /** How it's reordered; undefined for a single file. */
  order: Pick<ReturnType<typeof useRowOrder>, 'row' | 'button'> | undefined
  attachments: Attachments
  check: CheckFile
  /** What channels get instead of it, and what isn't certain to be accepted, as sentences. */
  notes?: (file: MediaFacts) => readonly string[]
  /** Why a file can't be made to fit, by its asset's id. */
  unfit?: ReadonlyMap<string, string>
  /** What an image that breaks a rule is fitted to; undefined if nothing helps. */
  fitFor: (file: MediaFacts) => FitFor | undefined
  altMost: number
  /** Whether a chosen channel has alt texts at all. */
  altTaken: boolean
  /** Whether a chosen channel shows a custom thumbnail for a video. */
  thumbnails: boolean
  /** What helps with a file's alt text; `name` is its name in the tray. */
  help?: (one: Attachment, name: string) => ReactNode
}

export function AttachmentRow({
  one,
  place,
  order,
  attachments,
  check,
  notes,
  unfit,
  fitFor,
  altMost,
  altTaken,
  thumbnails,
  help,
}: RowProps) {
  const [open, setOpen] = useState<'crop' | 'thumbnail'>()
  const kind = kindOf(one)
  const name = `${kind} ${place + 1}`
  const broken = one.state === 'failed' ? [] : check(factsOf(one))
  const onItsWay = isOnItsWay(one)
  const said = one.state === 'failed' ? [] : (notes?.(factsOf(one)) ?? [])
  const fit = kind === 'image' ? fitFor(factsOf(one)) : undefined
  const canFit =
    !onItsWay &&
    one.state !== 'fitting' &&
    fit !== undefined &&
    (broken.some((error) => error.fix === 'fit') ||
      (one.state === 'failed' && one.assetId === undefined && one.isTooLarge === true))
  const isUnfit = one.assetId === undefined ? undefined : unfit?.get(one.assetId)
  const sentences = [...[one.problem, isUnfit].flatMap((why) => why ?? []), ...broken.map((error) => error.message)]
  const isReady = one.state === 'ready' && one.assetId !== undefined
  return (
    // dragging is a second way; keys and buttons do the same
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      {...order?.row(place)}
      className={clsx(
        rowDragLook,
        'grid grid-cols-[88px_minmax(0,1fr)] gap-3 rounded-md border bg-surface p-2',
        sentences.length > 0 ? 'border-bad' : 'border-line',
      )}
    >
      <div className="relative">
        <Thumb one={one} name={name} faded={onItsWay} />
        <IconButton
          label={`Remove ${name}`}
          size="s"
          icon={<X size={13} />}
          onClick={() => attachments.remove(one.key)}
          className="absolute! top-1 right-1 bg-raised! shadow-1"
        />
      </div>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-1.5">
        <div className="flex min-h-6 items-center gap-1 text-sm text-ink-muted">
          {order ? (
            <span data-grip aria-hidden className={clsx('-m-1 p-1', gripLook)}>
              <GripVertical size={14} />
            </span>
          ) : null}
          <span dir="auto" className="min-w-0 grow truncate">
            {one.fileName}
            <span className="tnum"> · {wordsOf(one)}</span>
          </span>
          {kind === 'image' && isReady ? (
            <IconButton
              label={`Crop or rotate ${name}`}
              size="s"
              icon={<Crop size={13} />}
              onClick={() => setOpen('crop')}
            />
          ) : null}
          {order ? (
            <>
              <IconButton
                {...order.button(place, 'up')}
                label={`Move ${name} up`}
                size="s"
                icon={<ArrowUp size={13} />}
              />
              <IconButton
                {...order.button(place, 'down')}
                label={`Move ${name} down`}
                size="s"
                icon={<ArrowDown size={13} />}
              />
            </>
          ) : null}
        </div>
        {onItsWay ? <Way one={one} name={name} attachments={attachments} /> : null}
        {one.state === 'reading' ? <Progress label="Reading the file" /> : null}
        {one.state === 'fitting' ? <Progress label="Editing the image" /> : null}
        {sentences.length > 0 ? (
          <div role="alert" className="grid gap-1.5 text-sm text-bad">
            {sentences.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
            <div className="flex flex-wrap gap-1.5">
              {canFit ? (
                <Button size="s" onClick={() => void attachments.fit(one.key, fit)}>
                  Convert and shrink to fit
                </Button>
              ) : null}
              {kind === 'image' && isReady && broken.some((error) => error.fix === 'crop') ? (
                <Button size="s" icon={<Crop size={14} />} onClick={() => setOpen('crop')}>
                  Crop to fit
                </Button>
              ) : null}
              {one.state === 'failed' && !canFit ? (
                <Button size="s" onClick={() => attachments.retry(one.key)}>
                  Try again
                </Button>
              ) : null}
              {one.isOverLimit ? (
                <Button size="s" onClick={unfinishedUploads.open}>
                  Unfinished uploads
                </Button>
              ) : null}
            </div>
          </div>
        ) : null}
        {said.map((sentence) => (
          <p key={sentence} className="text-sm text-ink-muted">
            {sentence}
          </p>
        ))}
        {kind === 'video' && isReady && (thumbnails || one.thumbnailUrl) ? (
          <Button
            size="s"
            icon={<Image size={14} />}
            className="justify-self-start"
            onClick={() => setOpen('thumbnail')}
          >
            {one.thumbnailUrl ? 'Change thumbnail' : 'Choose thumbnail'}
          </Button>
        ) : null}
        {kind === 'document' || !(altTaken || one.altText) ? null : (
          <Words
            one={one}
            kind={kind}
            most={altMost}
            onChange={(altText) => attachments.describe(one.key, altText)}
            help={help?.(one, name)}
          />
        )}
      </div>
      {open ? (
        <Contained>
          <Suspense>
            {open === 'crop' ? (
              <CropDialog
                one={one}
                name={name}
                check={check}
                onApply={(change) => attachments.redraw(one.key, change)}
                onClose={() => setOpen(undefined)}
              />
            ) : (
              <ThumbnailDialog
                one={one}
                name={name}
                onChoose={(picture) => attachments.thumbnail(one.key, picture)}
                onClose={() => setOpen(undefined)}
              />
            )}
          </Suspense>
        </Contained>
      ) : null}
    </li>
  )
}

/** "3.1 MB · 640 × 360 · 0:12" */
function wordsOf(one: Attachment): string {
  return [
    bytes(one.bytes),
    one.width ? `${one.width} × ${one.height}` : '',
    one.seconds === null ? '' : lengthOf(one.seconds),
    one.pages === null ? '' : counted(one.pages, 'page'),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Its progress, and how to pause it. */
function Way({ one, name, attachments }: { one: Attachment; name: string; attachments: Attachments }) {
  const label = { waiting: 'Waiting for other uploads', paused: 'Paused', uploading: 'Uploading' }[
    one.state === 'waiting' || one.state === 'paused' ? one.state : 'uploading'
  ]
  return (
    <div className="flex items-end gap-1">
      <div className="grow">
        <Progress label={label} value={one.sent} max={one.bytes} note={`${bytes(one.sent)} of ${bytes(one.bytes)}`} />
      </div>
      {one.state === 'paused' ? (
        <IconButton
          label={`Resume the upload of ${name}`}
          size="s"
          icon={<Play size={13} />}
          onClick={() => attachments.resume(one.key)}
        />
      ) : null}
      {one.state === 'uploading' ? (
        <IconButton
          label={`Pause the upload of ${name}`}
          size="s"
          icon={<Pause size={13} />}
          onClick={() => attachments.pause(one.key)}
        />
      ) : null}
    </div>
  )
}

function Words({
  one,
  kind,
  most,
  onChange,
  help,
}: {
  one: Attachment
  kind: string
  most: number
  onChange: (altText: string) => void
  help: ReactNode
}) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="flex flex-wrap items-baseline gap-x-2 text-sm font-semibold">
        Alt text
        {one.altText.trim() ? null : (
          <span className="font-normal text-wait">missing: describe what the {kind} shows</span>
        )}
      </label>
      <TextArea
        id={id}
        rows={1}
        maxLength={most}
        value={one.altText}
        placeholder="For people who can't see it"
        onChange={(event) => onChange(event.target.value)}
      />
      {help}
    </div>
  )
}
