import { clsx } from 'clsx'
import ChevronDown from 'lucide-react/icons/chevron-down'
import Newspaper from 'lucide-react/icons/newspaper'
import { useState } from 'react'
import type { InboxSubject } from '#contract/inbox/conversations.ts'
import { getPost } from '#contract/posts.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { dateOf } from '#web/lib/format.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Link, OutsideLink } from '#web/ui/Link.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { PostCover } from '#web/ui/PostCover.tsx'
import type { z } from 'zod'
import { INBOX, opening } from './inboxSearch.ts'

type Props = { subject: z.infer<typeof InboxSubject>; platform: PlatformKey }

/** The post that a conversation is about: in one line that stays above a long conversation, or whole, with the ways to it. */
export function Subject({ subject: { postId, text, at, url, pictureUrl, person }, platform }: Props) {
  const zone = useProjectZone()
  const maySee = useMay([['post', 'view']]) === 'yes'
  const ours = useCall(
    getPost,
    { params: { ...useProjectIds(), postId: postId ?? '' } },
    // who may not see posts sees its text
    { handles: true, enabled: postId !== null && maySee },
  ).data
  const [open, setOpen] = useState(false)
  const title = postId || !person ? 'Your post' : `A post by ${person.name || person.handle}`
  return (
    <section
      aria-label="About this post"
      className="flex shrink-0 items-start gap-2.5 border-b border-line bg-sunken px-4 py-1.5"
    >
      {ours ? <PostCover post={ours} className={open ? 'size-20' : 'size-9'} /> : null}
      {pictureUrl ? <Picture key={pictureUrl} url={pictureUrl} className={open ? 'size-20' : 'size-9'} /> : null}
      <div className="min-w-0 grow">
        <p className="flex min-w-0 items-center gap-x-1.5 text-xs text-ink-muted">
          <Newspaper size={13} aria-hidden className="shrink-0" />
          <span dir="auto" className="truncate font-semibold">
            {title}
          </span>
          {at ? (
            <time dateTime={at} className="shrink-0">
              {dateOf(at, zone)}
            </time>
          ) : null}
        </p>
        {text ? (
          <p dir="auto" className={clsx('text-sm', open ? 'line-clamp-6 break-words whitespace-pre-line' : 'truncate')}>
            {text}
          </p>
        ) : null}
        {open ? (
          <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm empty:hidden">
            {postId && maySee ? (
              <Link from={INBOX} to="." search={(before) => ({ ...before, post: postId })}>
                Open post
              </Link>
            ) : null}
            {url ? <OutsideLink href={url}>View on {platformName(platform)}</OutsideLink> : null}
            {postId ? (
              <Link
                from={INBOX}
                to="."
                search={(before) => ({ ...opening(undefined)(before), view: 'all', about: postId })}
              >
                All conversations about it
              </Link>
            ) : null}
          </p>
        ) : null}
      </div>
      <IconButton
        label={open ? 'Show less of this post' : 'Show the whole post'}
        aria-expanded={open}
        icon={<ChevronDown size={15} className={clsx('transition-transform', open ? 'rotate-180' : '')} />}
        onClick={() => setOpen(!open)}
      />
    </section>
  )
}

/** The first picture of a post that was published elsewhere; nothing if the platform no longer has it. */
function Picture({ url, className }: { url: string; className: string }) {
  const [unseen, setUnseen] = useState(false)
  if (unseen) return null
  return (
    <img
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setUnseen(true)}
      className={clsx(className, 'shrink-0 rounded-sm bg-sunken object-cover')}
    />
  )
}
