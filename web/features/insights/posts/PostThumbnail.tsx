import { clsx } from 'clsx'
import Type from 'lucide-react/icons/type'
import { useState } from 'react'

type Props = { address: string | null; className: string }

/** A post's picture, or the mark of a post without one. Decoration: the text beside it names the post. */
export function PostThumbnail({ address, className }: Props) {
  const [failed, setFailed] = useState<string | null>(null)
  return (
    <span
      aria-hidden
      className={clsx(
        'grid shrink-0 place-items-center overflow-hidden rounded-sm bg-sunken text-ink-faint',
        className,
      )}
    >
      {address === null || failed === address ? (
        <Type size={15} />
      ) : (
        <img
          src={address}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setFailed(address)}
          className="size-full object-cover"
        />
      )}
    </span>
  )
}
