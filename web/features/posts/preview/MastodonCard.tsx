import Bookmark from 'lucide-react/icons/bookmark'
import Repeat from 'lucide-react/icons/repeat-2'
import Reply from 'lucide-react/icons/reply'
import Star from 'lucide-react/icons/star'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Actions, Frame, Words } from './Frame.tsx'
import { ImageGrid } from './ImageGrid.tsx'
import type { Previewed } from './previewed.ts'

const linkClass = 'text-[light-dark(#5638cc,#9d8cff)]'

export function MastodonCard({ post }: { post: Previewed }) {
  const items = [{ key: 'first', text: post.text, images: post.images }, ...(post.thread ?? [])]
  return (
    <Frame post={post} className="divide-y divide-line">
      {items.map((item, i) => (
        <div key={item.key} className="grid grid-cols-[minmax(0,1fr)] gap-2.5 p-3.5">
          <div className="flex min-w-0 items-center gap-2.5">
            <Avatar name={post.name} src={post.avatarUrl} size={42} square />
            <p className="min-w-0 leading-5">
              <b dir="auto" className="block truncate font-semibold">
                {post.name}
              </b>
              <span dir="auto" className="block truncate text-ink-muted">
                {post.handle}
              </span>
            </p>
            <span className="ml-auto self-start text-sm text-ink-muted">{post.when}</span>
          </div>
          {i === 0 && post.warning ? (
            <p className="rounded-md bg-sunken px-2.5 py-1.5 font-semibold inset-ring inset-ring-line">
              {post.warning}
            </p>
          ) : null}
          <Words post={post} text={item.text} linkClass={linkClass} className="text-lg leading-normal" />
          <ImageGrid images={item.images} />
          <Actions className="max-w-72 justify-between pt-0.5">
            <Reply size={17} />
            <Repeat size={17} />
            <Star size={16} />
            <Bookmark size={16} />
          </Actions>
        </div>
      ))}
    </Frame>
  )
}
