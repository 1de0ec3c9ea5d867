import { clsx } from 'clsx'
import CalendarDays from 'lucide-react/icons/calendar-days'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import FileText from 'lucide-react/icons/file-text'
import Film from 'lucide-react/icons/film'
import Image from 'lucide-react/icons/image'
import Images from 'lucide-react/icons/images'
import Newspaper from 'lucide-react/icons/newspaper'
import Tag from 'lucide-react/icons/tag'
import Text from 'lucide-react/icons/text'
import { useState } from 'react'
import type { PostTableRow } from '#contract/analytics/posts.ts'
import { kindOfPost, type KindOfPost } from './kindOfPost.ts'

const icons: Record<KindOfPost, typeof Text> = {
  text: Text,
  picture: Image,
  pictures: Images,
  video: Film,
  document: FileText,
  story: CircleDashed,
  offer: Tag,
  event: CalendarDays,
  post: Newspaper,
}

type Props = { post: Pick<PostTableRow, 'thumbnailUrl' | 'postType' | 'media'>; className: string }

/** A post's picture, or the mark of its kind if it has none. Decoration: the text beside it names the post. */
export function PostThumbnail({ post, className }: Props) {
  const { thumbnailUrl: address } = post
  const [failed, setFailed] = useState<string | null>(null)
  const Kind = icons[kindOfPost(post)]
  return (
    <span
      aria-hidden
      className={clsx(
        'grid shrink-0 place-items-center overflow-hidden rounded-sm bg-sunken text-ink-faint',
        className,
      )}
    >
      {address === null || failed === address ? (
        <Kind size={18} strokeWidth={1.75} />
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
