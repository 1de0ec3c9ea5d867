import Ellipsis from 'lucide-react/icons/ellipsis'
import Heart from 'lucide-react/icons/heart'
import MessageCircle from 'lucide-react/icons/message-circle'
import Send from 'lucide-react/icons/send'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Frame, Words } from './Frame.tsx'
import { MediaView } from './MediaView.tsx'
import type { Previewed } from './previewed.ts'

/** A full-screen post: a reel, a story, a short video. White text on the image, in both themes. */
export function UprightCard({ post, missing = 'Attach a video' }: { post: Previewed; missing?: string }) {
  const first = post.images[0]
  const story = post.postType === 'story'
  return (
    <Frame post={post} className="mx-auto w-full max-w-64 rounded-xl! border-0! bg-black!">
      <div className="relative aspect-[9/16] text-white">
        {first ? (
          <MediaView media={first} covered className="absolute inset-0 size-full" />
        ) : (
          <span className="absolute inset-0 grid place-items-center px-6 text-center text-sm">
            {story ? 'Attach an image or a video' : missing}
          </span>
        )}
        <div className="absolute inset-x-0 bottom-0 grid gap-2 bg-linear-to-t from-black/85 to-transparent p-3 pt-12 pr-12">
          <p className="flex min-w-0 items-center gap-2">
            <Avatar name={post.name} src={post.avatarUrl} size={26} />
            <b dir="auto" className="truncate font-semibold">
              {post.handle.replace(/^@/, '') || post.name}
            </b>
          </p>
          <Words post={post} linkClass="font-semibold" className="line-clamp-3 text-sm" />
        </div>
        {story ? null : (
          <div aria-hidden className="absolute right-3 bottom-4 grid gap-4">
            <Heart size={22} />
            <MessageCircle size={22} />
            <Send size={21} />
            <Ellipsis size={20} />
          </div>
        )}
      </div>
    </Frame>
  )
}
