import { clsx } from 'clsx'
import FileText from 'lucide-react/icons/file-text'
import Play from 'lucide-react/icons/play'
import { count, lengthOf } from '#web/lib/format.ts'
import { kindOf, type Attachment } from './attachments.ts'

/**
 * A small view of an attached file: the image, a frame of the video with its length, or an icon with the number of
 * pages.
 */
export function Thumb({ one, name, faded }: { one: Attachment; name: string; faded: boolean }) {
  const look = clsx('size-22 rounded-sm bg-sunken object-cover', faded ? 'opacity-60' : '')
  const kind = kindOf(one)
  if (kind === 'image') return <img src={one.url} alt={one.altText || `${name}, ${one.fileName}`} className={look} />
  if (kind === 'document') {
    return (
      <span
        role="img"
        aria-label={`${name}, ${one.fileName}`}
        className={clsx(look, 'grid place-content-center justify-items-center gap-1 text-ink-muted')}
      >
        <FileText size={24} aria-hidden />
        <span className="tnum text-xs font-semibold">{one.pages === null ? 'PDF' : count(one.pages, 'page')}</span>
      </span>
    )
  }
  return (
    <span
      role="img"
      aria-label={`${name}, ${one.fileName}`}
      className="relative block size-22 overflow-hidden rounded-sm bg-black"
    >
      {one.thumbnailUrl ? (
        <img src={one.thumbnailUrl} alt="" className={look} />
      ) : (
        // its first frame; a browser that can't play it shows black
        <video src={`${one.url}#t=0.1`} muted playsInline preload="metadata" tabIndex={-1} className={look} />
      )}
      <span className="tnum absolute right-1 bottom-1 flex items-center gap-0.5 rounded-sm bg-black/75 px-1 text-xs font-semibold text-white">
        <Play size={9} aria-hidden fill="currentColor" />
        {one.seconds === null ? '' : lengthOf(one.seconds)}
      </span>
    </span>
  )
}
