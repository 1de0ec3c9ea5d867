import Sparkles from 'lucide-react/icons/sparkles'
import { useId, useRef } from 'react'
import { listPosts, type PostRow } from '#contract/postLists.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { usePostList } from '#web/lib/postLists.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink, Link } from '#web/ui/Link.tsx'
import { usePostActions } from './usePostActions.ts'
import { usePostRights, type PostRights } from './usePostRights.ts'

const SHOWN = 5

/** Drafts that were written by AI. */
export const useAiDrafts = (ids: ProjectIds, { enabled = true }: { enabled?: boolean } = {}) =>
  usePostList(
    listPosts,
    { params: ids, query: { status: ['DRAFTS' as const], origin: 'ai', limit: SHOWN } },
    { enabled },
  )

/** Drafts that AI wrote, to be edited or discarded. Renders nothing while there are none. */
export function AiDrafts({ ids }: { ids: ProjectIds }) {
  const drafts = useAiDrafts(ids)
  const heading = useId()
  const list = useRef<HTMLElement>(null)
  const actions = usePostActions()
  // a discarded one disappears immediately, before the list is read again
  const posts = drafts.data?.posts.filter(({ status }) => status === 'DRAFTS') ?? []
  const total = drafts.data?.pagination.totalCount ?? 0
  if (posts.length === 0) return null
  const discard = (post: PostRow) => {
    void actions.remove(post)
    // the button disappears with its row, so something that stays takes the focus
    list.current?.focus({ preventScroll: true })
  }
  return (
    <section
      ref={list}
      tabIndex={-1}
      aria-labelledby={heading}
      className="mt-0.5 overflow-hidden rounded-lg border border-line bg-surface"
    >
      <div className="flex min-h-9 items-center justify-between gap-3 border-b border-line px-3 py-1.5">
        <h3 id={heading} className="flex items-center gap-1.5 text-sm font-semibold text-ink-muted">
          <Sparkles size={14} aria-hidden className="text-accent" />
          Drafts written by AI
        </h3>
        {total > SHOWN ? (
          <Link to="/$orgId/project/$projectId/posts/$tab" params={{ ...ids, tab: 'draft' }} className="text-sm">
            See all drafts
          </Link>
        ) : null}
      </div>
      <ul className="divide-y divide-line">
        {posts.map((post) => (
          <Draft key={post.postId} ids={ids} post={post} onDiscard={discard} />
        ))}
      </ul>
    </section>
  )
}

function Draft({ ids, post, onDiscard }: { ids: ProjectIds; post: PostRow; onDiscard: (post: PostRow) => void }) {
  const rights: PostRights = usePostRights(post)
  const words = post.excerpt || 'No text'
  const about = words.slice(0, 40)
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 gap-y-2 px-3 py-2.5 sm:grid-cols-[auto_minmax(0,1fr)_auto] sm:items-center">
      <Avatar
        name={post.channel?.channelName ?? '?'}
        src={post.channel?.profileUrl}
        {...(post.channel ? { platform: post.channel.platformName } : {})}
        size={28}
      />
      <span className="grid min-w-0">
        <span dir="auto" className="line-clamp-3 text-pretty sm:line-clamp-2">
          {words}
        </span>
        <span dir="auto" className="truncate text-sm text-ink-muted">
          {post.channel ? `${post.channel.channelName}${post.channel.simulated ? ' (simulated)' : ''}` : 'No channel'}
        </span>
      </span>
      <span className="col-start-2 flex gap-1.5 sm:col-start-3">
        {rights.edit ? (
          <ButtonLink
            size="s"
            to="/$orgId/project/$projectId/compose"
            params={ids}
            search={{ draft: post.postId }}
            aria-label={`Edit, ${about}`}
          >
            Edit
          </ButtonLink>
        ) : null}
        {rights.remove ? (
          <Button size="s" tone="quiet" onClick={() => onDiscard(post)} aria-label={`Discard, ${about}`}>
            Discard
          </Button>
        ) : null}
      </span>
    </li>
  )
}
