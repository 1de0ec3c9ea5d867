import Globe from 'lucide-react/icons/globe'
import MessageCircle from 'lucide-react/icons/message-circle'
import Share from 'lucide-react/icons/forward'
import ThumbsUp from 'lucide-react/icons/thumbs-up'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Actions, Frame, Words } from './Frame.tsx'
import { ImageGrid } from './ImageGrid.tsx'
import { UprightCard } from './UprightCard.tsx'
import type { Previewed } from './previewed.ts'

const actions = [
  { icon: ThumbsUp, name: 'Like' },
  { icon: MessageCircle, name: 'Comment' },
  { icon: Share, name: 'Share' },
]

export function FacebookCard({ post }: { post: Previewed }) {
  if (post.postType === 'reel' || post.postType === 'story') return <UprightCard post={post} />
  return (
    <Frame post={post}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5 p-3">
        <div className="flex min-w-0 items-center gap-2.5">
          <Avatar name={post.name} src={post.avatarUrl} size={40} />
          <p className="min-w-0 leading-4.5">
            <b dir="auto" className="block truncate font-bold">
              {post.name}
            </b>
            <span className="flex items-center gap-1 text-sm text-ink-muted">
              {post.when} · <Globe size={11} aria-hidden />
            </span>
          </p>
        </div>
        <Words
          post={post}
          linkClass="text-[light-dark(#0a5fd0,#5aa7ff)]"
          className={post.text.length < 85 && post.images.length === 0 ? 'text-xl' : 'text-lg leading-snug'}
        />
      </div>
      <ImageGrid images={post.images} />
      <Actions className="mx-3 justify-around border-t border-line py-2.5 font-semibold">
        {actions.map(({ icon: Icon, name }) => (
          <span key={name} className="flex items-center gap-1.5">
            <Icon size={17} /> {name}
          </span>
        ))}
      </Actions>
    </Frame>
  )
}
