import { clsx } from 'clsx'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import X from 'lucide-react/icons/x'
import { useId, type ReactNode } from 'react'
import { bytes } from '#web/lib/format.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Progress } from '#web/ui/Progress.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import type { Attachment, CheckFile } from './attachments.ts'
import type { Attachments, FitFor } from './useAttachments.ts'

type Props = { attachments: Attachments; check: CheckFile; fitFor: FitFor | undefined; altMost: number; /** What helps with the alternative text of a file; `name` is what the tray calls it. */ help?: (one: Attachment, name: string) => ReactNode }

/** The attached pictures: each with its progress or its trouble, the words for who cannot see it, its place in the row. */
export function AttachmentTray({ attachments, check, fitFor, altMost, help }: Props) {
  const { list } = attachments
  if (list.length === 0) return null
  return (
    <ul aria-label="Pictures" className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      {list.map((one, i) => (
        <Row key={one.key} one={one} place={i} count={list.length} attachments={attachments} check={check} fitFor={fitFor} altMost={altMost} help={help} />
      ))}
    </ul>
  )
}

function Row({ one, place, count, attachments, check, fitFor, altMost, help }: Omit<Props, 'help'> & { help: Props['help']; one: Attachment; place: number; count: number }) {
  const id = useId()
  const name = `picture ${place + 1}`
  const broken = check({ contentType: one.contentType, bytes: one.bytes, altText: one.altText })
  const fixable = broken.some((error) => error.fix === 'fit') || (one.state === 'failed' && one.assetId === undefined && one.problem?.includes('size cannot exceed'))
  const onItsWay = one.state === 'uploading' || one.state === 'paused'
  const sentences = [...(one.problem ? [one.problem] : []), ...(one.state === 'failed' ? [] : broken.map((error) => error.message))]
  return (
    <li className={clsx('grid grid-cols-[88px_minmax(0,1fr)] gap-3 rounded-md border bg-surface p-2', sentences.length > 0 ? 'border-bad' : 'border-line')}>
      <div className="relative">
        <img src={one.url} alt={one.altText || `${name}, ${one.fileName}`} className={clsx('size-22 rounded-sm bg-sunken object-cover', onItsWay ? 'opacity-60' : '')} />
        <IconButton label={`Remove ${name}`} size="s" icon={<X size={13} />} onClick={() => attachments.remove(one.key)} className="absolute! top-1 right-1 bg-raised! shadow-1" />
      </div>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-1.5">
        <div className="flex min-h-6 items-center gap-1 text-sm text-ink-muted">
          <span className="min-w-0 grow truncate">
            {one.fileName}
            <span className="tnum">
              {' '}
              · {bytes(one.bytes)}
              {one.width ? ` · ${one.width} × ${one.height}` : ''}
            </span>
          </span>
          {count > 1 ? (
            <>
              <IconButton label={`Move ${name} to the front`} size="s" icon={<ArrowLeft size={13} />} disabled={place === 0} onClick={() => attachments.move(one.key, -1)} />
              <IconButton label={`Move ${name} to the back`} size="s" icon={<ArrowRight size={13} />} disabled={place === count - 1} onClick={() => attachments.move(one.key, 1)} />
            </>
          ) : null}
        </div>
        {onItsWay ? (
          <div className="flex items-end gap-1">
            <div className="grow">
              <Progress label={one.state === 'paused' ? 'Paused' : 'Uploading'} value={one.sent} max={one.bytes} note={`${bytes(one.sent)} of ${bytes(one.bytes)}`} />
            </div>
            {one.state === 'paused' ? (
              <IconButton label={`Resume the upload of ${name}`} size="s" icon={<Play size={13} />} onClick={() => attachments.resume(one.key)} />
            ) : (
              <IconButton label={`Pause the upload of ${name}`} size="s" icon={<Pause size={13} />} onClick={() => attachments.pause(one.key)} />
            )}
          </div>
        ) : null}
        {one.state === 'fitting' ? <Progress label="Converting and shrinking" /> : null}
        {sentences.length > 0 ? (
          <div role="alert" className="grid gap-1.5 text-sm text-bad">
            {sentences.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
            <div className="flex flex-wrap gap-1.5">
              {fixable && fitFor && one.state !== 'fitting' && !onItsWay ? (
                <Button size="s" onClick={() => void attachments.fit(one.key, fitFor)}>
                  Convert and shrink to fit
                </Button>
              ) : null}
              {one.state === 'failed' && !fixable ? (
                <Button size="s" onClick={() => attachments.retry(one.key)}>
                  Try again
                </Button>
              ) : null}
            </div>
          </div>
        ) : null}
        <div className="grid gap-1">
          <label htmlFor={id} className="flex flex-wrap items-baseline gap-x-2 text-sm font-semibold">
            Alternative text
            {one.altText.trim() ? null : <span className="font-normal text-wait">missing: say what the picture shows</span>}
          </label>
          <TextArea id={id} rows={1} maxLength={altMost} value={one.altText} placeholder="For people who cannot see it" onChange={(event) => attachments.describe(one.key, event.target.value)} />
          {help?.(one, name)}
        </div>
      </div>
    </li>
  )
}
