import { lazy, Suspense } from 'react'
import { postReports } from '#contract/insights.ts'
import { plan } from '#contract/organizations.ts'
import type { PostRow } from '#contract/postLists.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { AsOf } from '#web/ui/AsOf.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { Link } from '#web/ui/Link.tsx'
import { figuresInShort } from './figuresInShort.ts'

// a chart's code, which the figures don't wait for
const PostSpark = lazy(() => import('./PostSpark.tsx'))

type Props = { post: Pick<PostRow, 'postId' | 'status' | 'channel'>; className?: string }

/** What a published post got, as its platform reported it last, and the way to all of its figures. Nothing before the first reading. */
export default function PostFigures({ post: { postId, status, channel }, className = '' }: Props) {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const isPublished = status === 'PUBLISHED'
  const maySeeAll = useMay([['insights', 'view']]) === 'yes'
  const facts = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true, enabled: isPublished })
  const [report] =
    useCall(postReports, { params: ids, query: { postIds: [postId] } }, { handles: true, enabled: isPublished }).data
      ?.reports ?? []
  const figures = report ? figuresInShort(report.figures, channel?.platformName) : []
  if (!report || figures.length === 0) return null
  const hasAll = maySeeAll && facts.data?.closed.includes('analytics') === false
  return (
    <section aria-label="Figures" className={`grid gap-1.5 ${className}`}>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-2">
        {figures.map(({ name, label, value, text }) => (
          <div key={name} className="rounded-md bg-sunken px-2.5 py-1.5">
            <dt dir="auto" className="truncate text-xs text-ink-muted">
              {label}
            </dt>
            <dd className="tnum text-lg font-bold" title={value.toLocaleString('en')}>
              {text}
            </dd>
            {hasAll ? (
              <dd className="h-5">
                <Contained>
                  <Suspense>
                    <PostSpark postId={postId} name={name} label={label} />
                  </Suspense>
                </Contained>
              </dd>
            ) : null}
          </div>
        ))}
      </dl>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <AsOf at={report.readAt} zone={zone} />
        {hasAll ? (
          <Link
            to="/$orgId/project/$projectId/insights/$"
            params={{ ...ids, _splat: `post/${postId}` }}
            className="text-sm"
          >
            All figures
          </Link>
        ) : null}
      </p>
    </section>
  )
}
