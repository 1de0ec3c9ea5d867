import { clsx } from 'clsx'
import Image from 'lucide-react/icons/image'
import { useState } from 'react'
import { readPostCover } from '#contract/media.ts'
import type { PostRow } from '#contract/postLists.ts'
import { addressOf } from '#web/lib/client.ts'
import { useProjectIds } from '#web/lib/project.ts'

type Props = { post: Pick<PostRow, 'postId' | 'version' | 'images'>; /** Its size. */ className: string }

/** A small copy of a post's first file, with the number of files; nothing for a post without files. */
export function PostCover({ post: { postId, version, images }, className }: Props) {
  const params = { ...useProjectIds(), postId }
  const [unseen, setUnseen] = useState(false)
  if (images === 0) return null
  return (
    <span
      className={clsx(
        'relative grid shrink-0 place-items-center overflow-hidden rounded-sm bg-sunken text-ink-faint',
        className,
      )}
    >
      <span className="sr-only">{images === 1 ? '1 file' : `${images} files`}</span>
      {/* a video without a thumbnail, a document: nothing to show */}
      {unseen ? (
        <Image size={16} aria-hidden />
      ) : (
        <img
          src={addressOf(readPostCover, { params, query: { version: String(version) } })}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setUnseen(true)}
          className="absolute inset-0 size-full object-cover"
        />
      )}
      {images > 1 ? (
        <span
          aria-hidden
          className="tnum absolute right-0.5 bottom-0.5 rounded-sm bg-black/75 px-1 text-xs font-semibold text-white"
        >
          {images}
        </span>
      ) : null}
    </span>
  )
}
