import { Link } from '@tanstack/react-router'
import type { PostRow } from '#contract/postLists.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import type { ReactNode } from 'react'

/** A post in a short list; opens it next to the dashboard. `detail` is shown below its text. */
export function PostLink({
  post,
  time,
  detail,
  end,
}: {
  post: PostRow
  time?: string
  detail?: ReactNode
  end: ReactNode
}) {
  return (
    <Link
      to="."
      search={(before) => ({ ...before, post: post.postId })}
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-3 px-3 py-2.5 hover:bg-hover focus-visible:-outline-offset-2"
    >
      <Avatar
        name={post.channel?.channelName ?? '?'}
        src={post.channel?.profileUrl}
        {...(post.channel ? { platform: post.channel.platformName } : {})}
        size={28}
      />
      <span className="grid min-w-0">
        <span dir="auto" className="truncate">
          {post.excerpt || 'No text'}
        </span>
        <span className="tnum truncate text-sm text-ink-muted">
          {time ? `${time} · ` : ''}
          {post.channel ? `${post.channel.channelName}${post.channel.simulated ? ' (simulated)' : ''}` : 'No channel'}
        </span>
        {detail}
      </span>
      {end}
    </Link>
  )
}
