import FilePen from 'lucide-react/icons/file-pen'
import { draftQuery } from '#contract/postLists.ts'
import { agoOf, dayAndTimeOf } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { usePostList } from '#web/lib/postLists.ts'
import { DraftChannels } from '#web/ui/DraftChannels.tsx'
import { Link } from '#web/ui/Link.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { AiMark } from './AiMark.tsx'

/** Recent drafts, above the calendar's list. Renders nothing while there are none. */
export function FreshDrafts({ zone, since }: { zone: string; since: Date }) {
  const ids = useProjectIds()
  const drafts = usePostList(draftQuery, {
    params: ids,
    query: { from: since.toISOString(), to: new Date(since.getTime() + 8 * 86_400_000).toISOString() },
  })
  const now = useNow()
  if (!drafts.data || drafts.data.posts.length === 0) return null
  return (
    <section aria-labelledby="fresh-drafts">
      <h2 id="fresh-drafts" className="pb-1.5 text-sm font-semibold">
        Drafts from the last 7 days
      </h2>
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
        {drafts.data.posts.map((post) => (
          <li key={post.postId} className="flex min-h-10 items-center gap-2.5 px-3 hover:bg-hover">
            <FilePen size={14} aria-hidden className="shrink-0 text-ink-faint" />
            <Link
              to="/$orgId/project/$projectId/compose"
              params={ids}
              search={{ draft: post.postId }}
              className="min-w-0 grow truncate text-ink! no-underline! hover:underline!"
            >
              {post.excerpt || 'Empty draft'}
            </Link>
            {post.ai ? <AiMark /> : null}
            {post.channel ? (
              <span className="flex min-w-0 max-w-[30%] shrink-0 items-center gap-1.5 text-sm text-ink-muted">
                <PlatformIcon platform={post.channel.platformName} size={15} />
                <span dir="auto" className="truncate max-md:hidden">
                  {post.channel.channelName}
                </span>
              </span>
            ) : (
              <span className="shrink-0 text-sm text-ink-muted max-md:hidden">
                <DraftChannels channels={post.draftChannels} />
              </span>
            )}
            <span className="tnum shrink-0 text-sm text-ink-muted">
              {post.dueAt ? `Planned for ${dayAndTimeOf(post.dueAt, zone)}` : agoOf(post.at, now, zone)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
