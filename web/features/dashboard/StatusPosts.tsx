import FileText from 'lucide-react/icons/file-text'
import { Link } from '@tanstack/react-router'
import Sparkles from 'lucide-react/icons/sparkles'
import { dashboardDraftPosts, dashboardPosts } from '#contract/dashboard.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { count, dayAndTimeOf } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { noTimeYet } from '#web/lib/shownTime.ts'
import { ButtonLink, Link as TextLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusMark } from '#web/ui/StatusBadge.tsx'
import { ZoneNote } from '#web/ui/ZoneNote.tsx'
import { paperClass } from '#web/ui/Panel.tsx'
import { statusFacts, type ShownStatus } from './statusTiles.ts'

const SHOWN = 5
type Props = { ids: ProjectIds; zone: string; status: ShownStatus; mayCreate: boolean }
type Page = ReplyOf<typeof dashboardPosts>

/** Posts of one status: upcoming ones soonest first, others newest first. */
export function useStatusPosts(ids: ProjectIds, status: ShownStatus, { enabled = true }: { enabled?: boolean } = {}) {
  const isDraft = status === 'draft'
  const page = { page: 1, limit: SHOWN }
  const posts = useCall(
    dashboardPosts,
    { params: ids, query: { ...page, status: [...statusFacts[status].states] } },
    { handles: true, enabled: enabled && !isDraft },
  )
  const drafts = useCall(
    dashboardDraftPosts,
    { params: ids, query: page },
    { handles: true, enabled: enabled && isDraft },
  )
  return isDraft ? drafts : posts
}

export function StatusPosts({ ids, zone, status, mayCreate }: Props) {
  const found = useStatusPosts(ids, status)
  const now = useNow()
  const { label, none, about, all } = statusFacts[status]
  return (
    <div className={paperClass}>
      <Loaded
        query={found}
        skeleton={<SkeletonRows rows={3} />}
        isEmpty={({ posts }) => posts.length === 0}
        empty={
          <EmptyState
            icon={<FileText size={20} />}
            className="py-6!"
            title={none}
            action={
              mayCreate && status !== 'failed' ? (
                <ButtonLink to="/$orgId/project/$projectId/compose" params={ids}>
                  Create post
                </ButtonLink>
              ) : null
            }
          >
            {about}
          </EmptyState>
        }
      >
        {({ posts }) => (
          <>
            <ul aria-label={label} className="divide-y divide-line">
              {posts.map((post) => (
                <li key={post.postId}>
                  <Row post={post} zone={zone} />
                </li>
              ))}
            </ul>
            <p className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line px-3 py-2">
              <TextLink to="/$orgId/project/$projectId/posts/$tab" params={{ ...ids, tab: status }}>
                {all}
              </TextLink>
              <ZoneNote zone={zone} at={now} />
            </p>
          </>
        )}
      </Loaded>
    </div>
  )
}

/** Opens the post next to the dashboard. */
function Row({
  post: { postId, text, thumbnailUrl, platformName, channelName, channelCount, aiPostId, status, at, dueAt },
  zone,
}: {
  post: Page['posts'][number]
  zone: string
}) {
  return (
    <Link
      to="."
      data-post={postId}
      search={(before) => ({ ...before, post: postId })}
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-3 px-3 py-2.5 hover:bg-hover focus-visible:-outline-offset-2"
    >
      <span className="grid size-8 place-items-center overflow-hidden rounded-md bg-sunken text-ink-muted">
        {thumbnailUrl ? (
          <img src={thumbnailUrl} alt="" className="size-full object-cover" />
        ) : platformName ? (
          <PlatformIcon platform={platformName} size={17} named />
        ) : (
          <FileText size={15} aria-hidden />
        )}
      </span>
      <span className="grid min-w-0">
        <span dir="auto" className="truncate">
          {text || 'No text'}
        </span>
        <span className="tnum truncate text-sm text-ink-muted">
          {status === 'DRAFTS' ? (dueAt ? 'Planned for ' : 'Edited ') : ''}
          {noTimeYet({ status, dueAt }) ?? dayAndTimeOf(at, zone)} ·{' '}
          {channelName ?? (channelCount > 0 ? count(channelCount, 'channel') : 'No channel yet')}
        </span>
      </span>
      <span className="flex items-center gap-2">
        {aiPostId ? (
          <span role="img" aria-label="Written by AI" title="Written by AI" className="text-accent">
            <Sparkles size={14} aria-hidden />
          </span>
        ) : null}
        <StatusMark status={status} />
      </span>
    </Link>
  )
}
