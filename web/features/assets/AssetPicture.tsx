import { clsx } from 'clsx'
import FileText from 'lucide-react/icons/file-text'
import Film from 'lucide-react/icons/film'
import type { LibraryAsset } from '#contract/library.ts'
import { lengthOf } from '#web/lib/format.ts'
import { kindOf, typeOf } from './facts.ts'

type Props = {
  asset: LibraryAsset
  /** As large as possible, uncropped, with its alt text; elsewhere the name is next to it. */ whole?: boolean
  className?: string
}

/** A file's image, or an icon. */
export function AssetPicture({ asset, whole = false, className }: Props) {
  const kind = kindOf(asset)
  const seen = whole && kind === 'image' ? asset.url : asset.previewUrl
  if (kind === 'image' && seen) {
    // not draggable itself: the tile around it is
    return (
      <img
        src={seen}
        alt={whole ? asset.altText : ''}
        loading="lazy"
        decoding="async"
        draggable={false}
        className={clsx('bg-sunken', whole ? 'object-contain' : 'object-cover', className)}
      />
    )
  }
  if (seen && !whole) {
    return (
      <span className={clsx('relative block overflow-hidden bg-black', className)}>
        <img src={seen} alt="" loading="lazy" decoding="async" draggable={false} className="size-full object-cover" />
        {asset.seconds === null ? null : (
          <span className="tnum absolute right-1 bottom-1 rounded-sm bg-black/75 px-1 text-xs font-semibold text-white">
            {lengthOf(asset.seconds)}
          </span>
        )}
      </span>
    )
  }
  const Icon = kind === 'video' ? Film : FileText
  return (
    <span className={clsx('grid place-content-center justify-items-center gap-1 bg-sunken text-ink-muted', className)}>
      <Icon size={whole ? 32 : 22} aria-hidden />
      <span className="tnum text-xs font-semibold">
        {kind === 'video' && asset.seconds !== null ? lengthOf(asset.seconds) : typeOf(asset)}
      </span>
    </span>
  )
}
