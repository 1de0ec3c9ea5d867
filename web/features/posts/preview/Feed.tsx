import { Fragment, type ReactNode } from 'react'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Words } from './Frame.tsx'
import { ImageGrid } from './ImageGrid.tsx'
import type { Previewed } from './previewed.ts'

/** Posts below each other along a line, as platforms for short texts show a thread. */
export function Feed({
  post,
  linkClass,
  head,
  actions,
  first,
}: {
  post: Previewed
  linkClass: string
  head: ReactNode
  actions: ReactNode
  /** Between the text and the icons of the first post. */ first?: ReactNode
}) {
  const items = [{ key: 'first', text: post.text, images: post.images }, ...(post.thread ?? [])]
  return items.map((item, i) => (
    <div key={item.key} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 px-3 pt-3 last:pb-3">
      <div className="grid grid-rows-[auto_1fr] justify-items-center gap-1.5">
        <Avatar name={post.name} src={post.avatarUrl} size={40} />
        {i < items.length - 1 ? <span aria-hidden className="-mb-3 w-0.5 bg-line" /> : null}
      </div>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-2">
        <Fragment>{head}</Fragment>
        <Words post={post} text={item.text} linkClass={linkClass} className="text-lg leading-snug" />
        <ImageGrid images={item.images} />
        {i === 0 ? first : null}
        {actions}
      </div>
    </div>
  ))
}
