import { clsx } from 'clsx'
import type { CSSProperties } from 'react'
import { MediaView } from './MediaView.tsx'
import type { PreviewImage } from './previewed.ts'

/** One image in its own shape, two side by side, three with a tall first, four in a square; more show a count. */
export function ImageGrid({ images }: { images: readonly PreviewImage[] }) {
  const first = images[0]
  if (!first) return null
  if (images.length === 1) {
    // the platform shows nothing taller than about 3:4 without a tap
    const ratio = first.width && first.height ? Math.max(0.75, Math.min(2.2, first.width / first.height)) : 4 / 3
    return <Picture image={first} className="rounded-md" style={{ aspectRatio: ratio, maxHeight: 420 }} />
  }
  const shown = images.slice(0, 4)
  return (
    <div
      className={clsx(
        'grid grid-cols-2 gap-1 overflow-hidden rounded-md',
        shown.length === 2 ? 'aspect-[2/1]' : 'aspect-[3/2] grid-rows-2',
      )}
    >
      {shown.map((image, i) => (
        <div
          key={image.key}
          className={clsx('relative min-h-0 min-w-0', shown.length === 3 && i === 0 ? 'row-span-2' : '')}
        >
          <Picture image={image} className="h-full" />
          {i === 3 && images.length > 4 ? (
            <span className="absolute inset-0 grid place-items-center bg-black/55 text-xl font-bold text-white">
              +{images.length - 4}
            </span>
          ) : null}
        </div>
      ))}
    </div>
  )
}

function Picture({ image, className, style }: { image: PreviewImage; className: string; style?: CSSProperties }) {
  return (
    <span
      className={clsx('relative block w-full overflow-hidden bg-sunken inset-ring inset-ring-line', className)}
      style={style}
    >
      <MediaView media={image} className="size-full" />
      {image.altText && image.kind !== 'video' ? (
        <span className="absolute right-1.5 bottom-1.5 rounded-sm bg-black/75 px-1 py-px text-[10px] font-bold text-white">
          ALT
        </span>
      ) : null}
    </span>
  )
}
