import BarChart from 'lucide-react/icons/chart-no-axes-column'
import Heart from 'lucide-react/icons/heart'
import MessageCircle from 'lucide-react/icons/message-circle'
import Repeat from 'lucide-react/icons/repeat-2'
import Share from 'lucide-react/icons/share'
import { Feed } from './Feed.tsx'
import { Actions, Frame } from './Frame.tsx'
import type { Previewed } from './previewed.ts'

export function XCard({ post }: { post: Previewed }) {
  return (
    <Frame post={post}>
      <Feed
        post={post}
        linkClass="text-[light-dark(#0b6bb5,#4aa8ee)]"
        head={
          <p className="flex min-w-0 items-baseline gap-1.5 leading-5">
            <b dir="auto" className="truncate font-bold">
              {post.name}
            </b>
            <span dir="auto" className="min-w-0 shrink-10 truncate text-ink-muted">
              {post.handle}
            </span>
            <span className="shrink-0 text-ink-muted">· {post.when}</span>
          </p>
        }
        actions={
          <Actions className="max-w-80 justify-between">
            <MessageCircle size={16} />
            <Repeat size={17} />
            <Heart size={16} />
            <BarChart size={16} />
            <Share size={15} />
          </Actions>
        }
      />
    </Frame>
  )
}
