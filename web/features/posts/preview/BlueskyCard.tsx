import Ellipsis from 'lucide-react/icons/ellipsis'
import Heart from 'lucide-react/icons/heart'
import MessageSquare from 'lucide-react/icons/message-square'
import Repeat from 'lucide-react/icons/repeat-2'
import { findSpans, shortLink } from '#contract/platforms/blueskySpans.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Frame } from './Frame.tsx'
import { ImageGrid } from './ImageGrid.tsx'
import { LinkCardView } from './LinkCardView.tsx'
import type { Previewed } from './previewed.ts'
import { RichText } from './RichText.tsx'

/** Bluesky's own blue, light enough for its dark theme: a platform's colors stay in its preview. */
const linkClass = 'text-[light-dark(#0a62c9,#4ea3ff)]'

export function BlueskyCard({ post }: { post: Previewed }) {
  const items = [{ key: 'first', text: post.text, images: post.images }, ...(post.thread ?? [])]
  return (
    <Frame post={post}>
      {items.map((item, i) => (
        <div key={item.key} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 px-3 pt-3 last:pb-3">
          <div className="grid grid-rows-[auto_1fr] justify-items-center gap-1.5">
            <Avatar name={post.name} src={post.avatarUrl} size={40} />
            {i < items.length - 1 ? <span aria-hidden className="-mb-3 w-0.5 bg-line" /> : null}
          </div>
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-2">
            <p className="flex min-w-0 items-baseline gap-1.5 leading-5">
              <b dir="auto" className="truncate font-bold">
                {post.name}
              </b>
              <span dir="auto" className="min-w-0 shrink-10 truncate text-ink-muted">
                {post.handle}
              </span>
              <span className="shrink-0 text-ink-muted">· {post.when}</span>
            </p>
            {item.text ? (
              <p dir="auto" className="text-lg leading-snug [overflow-wrap:anywhere] whitespace-pre-wrap">
                <RichText
                  text={item.text}
                  spans={findSpans(item.text)}
                  className={linkClass}
                  show={(value, span) => (span.kind === 'link' ? shortLink(value) : value)}
                />
              </p>
            ) : null}
            <ImageGrid images={item.images} />
            {i === 0 && post.card && item.images.length === 0 ? <LinkCardView card={post.card} /> : null}
            <div aria-hidden className="flex max-w-72 justify-between pt-0.5 text-ink-faint">
              <MessageSquare size={16} />
              <Repeat size={17} />
              <Heart size={16} />
              <Ellipsis size={16} />
            </div>
          </div>
        </div>
      ))}
    </Frame>
  )
}
