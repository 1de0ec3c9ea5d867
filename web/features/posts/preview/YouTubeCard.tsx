import { clsx } from 'clsx'
import Play from 'lucide-react/icons/play'
import ThumbsUp from 'lucide-react/icons/thumbs-up'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Frame, Words } from './Frame.tsx'
import { MediaView } from './MediaView.tsx'
import { UprightCard } from './UprightCard.tsx'
import type { Previewed } from './previewed.ts'

export function YouTubeCard({ post }: { post: Previewed }) {
  if (post.postType === 'shorts') return <UprightCard post={{ ...post, text: post.title ?? '' }} />
  const first = post.images[0]
  return (
    <Frame post={post}>
      <div className="relative grid aspect-video place-items-center bg-black text-sm text-white">
        {first ? <MediaView media={first} className="absolute inset-0 size-full" /> : 'Attach a video'}
        {first ? null : <Play aria-hidden size={16} className="absolute bottom-2.5 left-3" fill="currentColor" />}
      </div>
      <div className="grid gap-2.5 p-3">
        <p dir="auto" className={clsx(!post.whole && 'line-clamp-2', 'text-lg leading-snug font-bold')}>
          {post.title || <span className="text-ink-muted">No title yet</span>}
        </p>
        <div className="flex items-center gap-2.5">
          <Avatar name={post.name} src={post.avatarUrl} size={34} />
          <b dir="auto" className="min-w-0 grow truncate font-semibold">
            {post.name}
          </b>
          <span aria-hidden className="flex items-center gap-1.5 rounded-full bg-sunken px-3 py-1.5">
            <ThumbsUp size={15} />
          </span>
        </div>
        {post.text ? (
          <div className="rounded-md bg-sunken px-3 py-2 text-sm">
            <Words post={post} linkClass="text-[light-dark(#065fd4,#6cb8ff)]" cut={4} />
          </div>
        ) : null}
      </div>
    </Frame>
  )
}
