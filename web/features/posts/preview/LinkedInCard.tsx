import Globe from 'lucide-react/icons/globe'
import MessageSquareText from 'lucide-react/icons/message-square-text'
import Repeat from 'lucide-react/icons/repeat-2'
import Send from 'lucide-react/icons/send'
import ThumbsUp from 'lucide-react/icons/thumbs-up'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Actions, Frame, Words } from './Frame.tsx'
import { ImageGrid } from './ImageGrid.tsx'
import { LinkCardView } from './LinkCardView.tsx'
import type { Previewed } from './previewed.ts'

const actions = [
  { icon: ThumbsUp, name: 'Like' },
  { icon: MessageSquareText, name: 'Comment' },
  { icon: Repeat, name: 'Repost' },
  { icon: Send, name: 'Send' },
]

export function LinkedInCard({ post }: { post: Previewed }) {
  return (
    <Frame post={post}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5 p-3">
        <div className="flex min-w-0 items-center gap-2.5">
          <Avatar name={post.name} src={post.avatarUrl} size={44} />
          <p className="min-w-0 leading-4.5">
            <b dir="auto" className="block truncate font-semibold">
              {post.name}
            </b>
            <span className="flex items-center gap-1 text-sm text-ink-muted">
              {post.when} · <Globe size={11} aria-hidden />
            </span>
          </p>
        </div>
        <Words post={post} linkClass="font-semibold text-[light-dark(#0a66c2,#71b7fb)]" cut={6} />
      </div>
      <ImageGrid images={post.images} />
      {post.card && post.images.length === 0 ? (
        <div className="px-3 pb-2">
          <LinkCardView card={post.card} />
        </div>
      ) : null}
      <Actions className="justify-between border-t border-line px-4 py-2.5 text-sm font-semibold">
        {actions.map(({ icon: Icon, name }) => (
          <span key={name} className="flex items-center gap-1.5">
            <Icon size={16} /> <span className="max-sm:hidden">{name}</span>
          </span>
        ))}
      </Actions>
    </Frame>
  )
}
