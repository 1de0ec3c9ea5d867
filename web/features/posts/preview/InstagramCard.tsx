import Bookmark from 'lucide-react/icons/bookmark'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Heart from 'lucide-react/icons/heart'
import MessageCircle from 'lucide-react/icons/message-circle'
import Send from 'lucide-react/icons/send'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Actions, Cover, Frame, Words } from './Frame.tsx'
import { UprightCard } from './UprightCard.tsx'
import type { Previewed } from './previewed.ts'

export function InstagramCard({ post }: { post: Previewed }) {
  if (post.postType === 'reel' || post.postType === 'story') return <UprightCard post={post} />
  const first = post.images[0]
  // nothing taller than 4:5, nothing wider than 1.91:1
  const ratio = first?.width && first.height ? Math.max(0.8, Math.min(1.91, first.width / first.height)) : 1
  const account = post.handle.replace(/^@/, '') || post.name
  return (
    <Frame post={post}>
      <div className="flex items-center gap-2.5 px-3 py-2.5">
        <Avatar name={post.name} src={post.avatarUrl} size={32} />
        <b dir="auto" className="min-w-0 grow truncate font-semibold">
          {account}
        </b>
        <Ellipsis size={16} aria-hidden />
      </div>
      <Cover post={post} ratio={ratio} missing="Attach an image or a video" />
      <div className="grid gap-2 px-3 py-2.5">
        <Actions className="gap-3.5 text-ink!">
          <Heart size={21} />
          <MessageCircle size={21} />
          <Send size={20} />
          <Bookmark size={21} className="ml-auto" />
        </Actions>
        {post.text ? (
          <div dir="auto" className={post.whole ? undefined : 'line-clamp-4'}>
            <b className="font-semibold">{account}</b>{' '}
            <Words post={post} linkClass="text-[light-dark(#00458f,#b8d4ff)]" className="inline!" />
          </div>
        ) : null}
        <p className="text-xs text-ink-muted">{post.when}</p>
      </div>
    </Frame>
  )
}
