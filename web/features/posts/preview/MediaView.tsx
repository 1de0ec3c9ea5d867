import { clsx } from 'clsx'
import FileText from 'lucide-react/icons/file-text'
import { count } from '#web/lib/format.ts'
import type { PreviewImage } from './previewed.ts'

/** One file as the platform shows it: the picture, the video with its controls behind its thumbnail, a document by its name. */
export function MediaView({ media, className, title }: { media: PreviewImage; className?: string; title?: string }) {
  const words = media.altText || 'Picture without alternative text'
  if (media.kind === 'video') {
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- what people upload comes without captions
    return <video src={media.posterUrl ? media.url : `${media.url}#t=0.1`} poster={media.posterUrl ?? undefined} controls playsInline preload="metadata" aria-label={media.altText || 'Video'} className={clsx('bg-black object-cover', className)} />
  }
  if (media.kind === 'document') {
    return (
      <span className={clsx('grid place-content-center justify-items-center gap-1.5 bg-sunken px-4 text-center text-sm text-ink-muted', className)}>
        <FileText size={28} aria-hidden />
        <span className="font-semibold text-ink [overflow-wrap:anywhere]">{title ?? 'Document'}</span>
        {media.pages ? <span className="tnum">{count(media.pages, 'page')}</span> : null}
      </span>
    )
  }
  return <img src={media.url} alt={words} className={clsx('object-cover', className)} />
}

/** The kind of a content type, for a preview. */
export const kindOfType = (contentType: string): NonNullable<PreviewImage['kind']> => (contentType.startsWith('video/') ? 'video' : contentType.startsWith('image/') ? 'image' : 'document')
