import Heart from 'lucide-react/icons/heart'
import MessageCircle from 'lucide-react/icons/message-circle'
import Repeat from 'lucide-react/icons/repeat-2'
import Send from 'lucide-react/icons/send'
import { Feed } from './Feed.tsx'
import { Actions, Frame } from './Frame.tsx'
import type { Previewed } from './previewed.ts'

export function ThreadsCard({ post }: { post: Previewed }) {
  return (
    <Frame post={post}>
      <Feed
        post={post}
        linkClass="text-[light-dark(#005fcc,#5aa9ff)]"
        head={
          <p className="flex min-w-0 items-baseline gap-1.5 leading-5">
            <b dir="auto" className="truncate font-semibold">
              {post.handle.replace(/^@/, '') || post.name}
            </b>
            <span className="shrink-0 text-ink-muted">{post.when}</span>
          </p>
        }
        actions={
          <Actions className="gap-4">
            <Heart size={18} />
            <MessageCircle size={18} />
            <Repeat size={18} />
            <Send size={17} />
          </Actions>
        }
      />
    </Frame>
  )
}
