import { clsx } from 'clsx'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Heart from 'lucide-react/icons/heart'
import Share from 'lucide-react/icons/share'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Actions, Cover, Frame, Words } from './Frame.tsx'
import type { Previewed } from './previewed.ts'

export function PinterestCard({ post }: { post: Previewed }) {
  const first = post.images[0]
  const ratio = first?.width && first.height ? Math.max(0.5, first.width / first.height) : 2 / 3
  return (
    <Frame post={post} className="mx-auto w-full max-w-84 rounded-xl!">
      <Cover post={post} ratio={ratio} missing="Attach an image or a video" />
      <div className="grid gap-2 p-3.5">
        <Actions className="gap-3.5 text-ink!">
          <Heart size={20} />
          <Share size={19} />
          <Ellipsis size={20} />
        </Actions>
        <p dir="auto" className={clsx(!post.whole && 'line-clamp-2', 'text-xl leading-snug font-bold')}>
          {post.title || <span className="text-ink-muted">No title yet</span>}
        </p>
        <Words post={post} linkClass="font-semibold" cut={3} className="text-ink-muted" />
        <p className="flex items-center gap-2">
          <Avatar name={post.name} src={post.avatarUrl} size={28} />
          <span dir="auto" className="truncate font-semibold">
            {post.name}
          </span>
        </p>
      </div>
    </Frame>
  )
}
