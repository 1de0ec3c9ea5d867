import Newspaper from 'lucide-react/icons/newspaper'
import { useState } from 'react'
import type { InboxSubject } from '#contract/inbox/conversations.ts'
import { getPost } from '#contract/posts.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { dateOf } from '#web/lib/format.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Link, OutsideLink } from '#web/ui/Link.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { PostCover } from '#web/ui/PostCover.tsx'
import type { z } from 'zod'
import { INBOX } from './inboxSearch.ts'

type Props = { subject: z.infer<typeof InboxSubject>; platform: PlatformKey }

/** The post that a conversation is about, with the ways to it. */
export function Subject({ subject: { postId, text, at, url, pictureUrl, person }, platform }: Props) {
  const zone = useProjectZone()
  const maySee = useMay([['post', 'view']]) === 'yes'
  const ours = useCall(
    getPost,
    { params: { ...useProjectIds(), postId: postId ?? '' } },
    // who may not see posts sees its text
    { handles: true, enabled: postId !== null && maySee },
  ).data
  return (
    <section aria-label="About this post" className="flex gap-3 rounded-lg border border-line bg-sunken px-3 py-2.5">
      {ours ? <PostCover post={ours} className="size-20" /> : null}
      {pictureUrl ? <Picture key={pictureUrl} url={pictureUrl} /> : null}
      <div className="min-w-0 grow">
        <p className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-xs text-ink-muted">
          <Newspaper size={13} aria-hidden className="shrink-0" />
          <span className="font-semibold">
            {postId || !person ? 'Your post' : `A post by ${person.name || person.handle}`}
          </span>
          {at ? <time dateTime={at}>{dateOf(at, zone)}</time> : null}
        </p>
        {text ? (
          <p dir="auto" className="mt-1 line-clamp-3 break-words whitespace-pre-line">
            {text}
          </p>
        ) : null}
        <p className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-sm empty:hidden">
          {postId && maySee ? (
            <Link from={INBOX} to="." search={(before) => ({ ...before, post: postId })}>
              Open post
            </Link>
          ) : null}
          {url ? <OutsideLink href={url}>View on {platformName(platform)}</OutsideLink> : null}
          {postId ? (
            <Link from={INBOX} to="." search={(before) => ({ ...before, view: 'all', about: postId, c: undefined })}>
              All conversations about it
            </Link>
          ) : null}
        </p>
      </div>
    </section>
  )
}

/** The first picture of a post that was published elsewhere; nothing if the platform no longer has it. */
function Picture({ url }: { url: string }) {
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
      className="size-20 shrink-0 rounded-sm bg-sunken object-cover"
    />
  )
}
