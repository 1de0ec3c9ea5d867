import { clsx } from 'clsx'
import FileText from 'lucide-react/icons/file-text'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import { useRef, useState } from 'react'
import { count } from '#web/lib/format.ts'
import type { PreviewImage } from './previewed.ts'

/**
 * One file as the platform shows it: the image, the video with its controls behind its thumbnail, a document by its
 * name.
 */
export function MediaView({
  media,
  className,
  title,
  covered = false,
}: {
  media: PreviewImage
  className?: string
  title?: string
  /** Text covers its lower end, where the controls would be: a button plays it. */ covered?: boolean
}) {
  const words = media.altText || 'Image without alt text'
  if (media.kind === 'video' && covered) return <CoveredFilm media={media} className={className} />
  if (media.kind === 'video') {
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- what people upload comes without captions
      <video
        src={media.posterUrl ? media.url : `${media.url}#t=0.1`}
        poster={media.posterUrl ?? undefined}
        controls
        playsInline
        preload="metadata"
        aria-label={media.altText || 'Video'}
        className={clsx('bg-black object-cover', className)}
      />
    )
  }
  if (media.kind === 'document') {
    return (
      <span
        className={clsx(
          'grid place-content-center justify-items-center gap-1.5 bg-sunken px-4 text-center text-sm text-ink-muted',
          className,
        )}
      >
        <FileText size={28} aria-hidden />
        <span dir="auto" className="font-semibold text-ink [overflow-wrap:anywhere]">
          {title ?? 'Document'}
        </span>
        {media.pages ? <span className="tnum">{count(media.pages, 'page')}</span> : null}
      </span>
    )
  }
  return <img src={media.url} alt={words} className={clsx('object-cover', className)} />
}

function CoveredFilm({ media, className }: { media: PreviewImage; className: string | undefined }) {
  const film = useRef<HTMLVideoElement>(null)
  const [plays, setPlays] = useState(false)
  const toggle = () => void (plays ? film.current?.pause() : film.current?.play().catch(() => setPlays(false)))
  return (
    <span className={clsx('group block', className)}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- what people upload comes without captions */}
      <video
        ref={film}
        src={media.posterUrl ? media.url : `${media.url}#t=0.1`}
        poster={media.posterUrl ?? undefined}
        loop
        playsInline
        preload="metadata"
        tabIndex={-1}
        aria-label={media.altText || 'Video'}
        onPlay={() => setPlays(true)}
        onPause={() => setPlays(false)}
        className="size-full bg-black object-cover"
      />
      <button
        type="button"
        aria-label={plays ? 'Pause the video' : 'Play the video'}
        onClick={toggle}
        className={clsx(
          'absolute top-1/2 left-1/2 grid size-12 -translate-1/2 place-items-center rounded-full bg-black/60 text-white focus-visible:opacity-100',
          plays ? 'opacity-0 group-hover:opacity-100' : '',
        )}
      >
        {plays ? (
          <Pause size={20} aria-hidden fill="currentColor" />
        ) : (
          <Play size={20} aria-hidden fill="currentColor" />
        )}
      </button>
    </span>
  )
}

/** The kind of a content type, for a preview. */
export const kindOfType = (contentType: string): NonNullable<PreviewImage['kind']> =>
  contentType.startsWith('video/') ? 'video' : contentType.startsWith('image/') ? 'image' : 'document'
