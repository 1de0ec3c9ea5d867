import { count } from '#web/lib/format.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Link } from '#web/ui/Link.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import type { Refused } from './useBulk.ts'

/** Which of many posts weren't changed, and why. */
export function RefusedDialog({ refused, onClose }: { refused: readonly Refused[]; onClose: () => void }) {
  if (refused.length === 0) return null
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${count(refused.length, 'post was', 'posts were')} not changed`}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <ul className="grid gap-3">
        {refused.map(({ post, reason }, i) => (
          <li key={post?.postId ?? i}>
            {post ? (
              <Link
                to="."
                search={(before) => ({ ...before, post: post.postId })}
                onClick={onClose}
                className="flex min-w-0 items-center gap-1.5 py-0.5 text-ink!"
              >
                {post.channel ? <PlatformIcon platform={post.channel.platformName} size={14} named /> : null}
                <span dir="auto" className="truncate">
                  {post.excerpt || 'Post without text'}
                </span>
              </Link>
            ) : null}
            <span className="text-ink-muted">{reason}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
