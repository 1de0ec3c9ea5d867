import { clsx } from 'clsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { dayText } from '#web/lib/dates.ts'
import { Cover, Frame, Words } from './Frame.tsx'
import type { Previewed } from './previewed.ts'

export function GoogleCard({ post }: { post: Previewed }) {
  return (
    <Frame post={post} className="max-w-84">
      <Cover post={post} ratio={4 / 3} />
      <div className="grid gap-2 p-3.5">
        <p className="flex min-w-0 items-center gap-2">
          <Avatar name={post.name} src={post.avatarUrl} size={28} />
          <b dir="auto" className="min-w-0 truncate font-semibold">
            {post.name}
          </b>
          <span className="ml-auto shrink-0 text-sm text-ink-muted">{post.when}</span>
        </p>
        {post.title ? <p className="text-lg leading-snug font-bold">{post.title}</p> : null}
        {post.event ? (
          <p className="tnum text-sm text-ink-muted">
            {dayText(post.event.start.date)} to {dayText(post.event.end.date)}
          </p>
        ) : null}
        <Words post={post} linkClass="" cut={6} />
        {post.offer?.couponCode ? (
          <p className="rounded-md border border-dashed border-line-strong px-3 py-2 text-center">
            <span className="block text-sm text-ink-muted">Coupon code</span>
            <b dir="auto" className="font-semibold [overflow-wrap:anywhere] select-all">
              {post.offer.couponCode}
            </b>
          </p>
        ) : null}
        {post.offer?.redeemUrl ? (
          <span className="font-semibold text-[light-dark(#0b57d0,#8ab4f8)]">Redeem online</span>
        ) : null}
        {post.offer?.terms ? (
          <p
            dir="auto"
            className={clsx(
              !post.whole && 'line-clamp-3',
              'text-sm [overflow-wrap:anywhere] whitespace-pre-wrap text-ink-muted',
            )}
          >
            {post.offer.terms}
          </p>
        ) : null}
        {post.button ? <span className="font-semibold text-[light-dark(#0b57d0,#8ab4f8)]">{post.button}</span> : null}
      </div>
    </Frame>
  )
}
