import { insightsPost } from '#contract/analytics/posts.ts'
import { platformNotes } from '#web/features/insights/platformNotes.ts'
import { PostCurve } from '#web/features/insights/posts/PostCurve.tsx'
import { PostFigures } from '#web/features/insights/posts/PostFigures.tsx'
import { PostHead } from '#web/features/insights/posts/PostHead.tsx'
import { Readings } from '#web/features/insights/posts/Readings.tsx'
import { useChannels } from '#web/features/insights/useChannels.ts'
import { useChosenFigure } from '#web/features/insights/useFigures.ts'
import { moneyText } from '#web/features/boosts/money.ts'
import { count, dateOf } from '#web/lib/format.ts'
import { useProjectIds, useProjectZone, type ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import type { PostInsights } from '#contract/analytics/posts.ts'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'

/** One post since it was published: its curve, its figures, what people wrote, and every reading. */
export default function PostSection({ postId }: { postId: string }) {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const channels = useChannels(ids)
  const found = useCall(insightsPost, { params: { ...ids, postId } }, { handles: true })
  const [chosen, choose] = useChosenFigure()
  return (
    <Loaded query={found} skeleton={<PostToCome />}>
      {(post) => (
        <>
          <PostHead ids={ids} post={post} channels={channels} />
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_28rem] lg:grid-rows-[auto_1fr]">
            <Panel title="Since it was published">
              <div className={`${paperClass} p-3.5`}>
                <PostCurve
                  post={post}
                  chosen={chosen?.name}
                  onChoose={(name) => choose({ base: 'postsPublished', name })}
                />
              </div>
            </Panel>
            <Panel title="Figures to date" className="lg:col-start-2 lg:row-span-2">
              <PostFigures post={post} />
              <Around ids={ids} post={post} />
            </Panel>
            <Panel title={`Compare with ${platformName(post.platformName)}`}>
              <p className="max-w-prose text-sm text-pretty text-ink-muted">
                These are the values that {platformName(post.platformName)} gave us, with the name of each in its API.
                Its app can show newer ones, because we read them at the times below.{' '}
                {platformNotes(post.platformName, zone).join(' ')}
              </p>
              <Readings post={post} />
            </Panel>
          </div>
        </>
      )}
    </Loaded>
  )
}

/** Its conversations, and its promotion. */
function Around({ ids, post: { postId, conversations, boost, origin } }: { ids: ProjectIds; post: PostInsights }) {
  const zone = useProjectZone()
  return (
    <ul className="grid gap-1.5 text-sm">
      {conversations === null ? null : (
        <li>
          {conversations.count === 0 ? (
            <span className="text-ink-muted">No conversations about it yet.</span>
          ) : origin === 'here' ? (
            <Link
              to="/$orgId/project/$projectId/inbox"
              params={ids}
              search={{ view: 'all', about: postId }}
              className="touch-area"
            >
              {count(conversations.count, 'conversation')}
            </Link>
          ) : (
            count(conversations.count, 'conversation')
          )}
          {conversations.open > 0 ? `, ${conversations.open.toLocaleString('en')} open` : ''}
        </li>
      )}
      {boost ? (
        <li className="text-pretty">
          Promoted with {moneyText(boost.budget, boost)}
          {boost.spent === null ? '' : `, ${moneyText(boost.spent, boost)} spent`}
          {boost.endsAt === null ? '' : `, until ${dateOf(boost.endsAt, zone)}`}
          {boost.impressions === null ? '' : `: ${count(boost.impressions, 'paid impression')}`}
          {boost.reach === null ? '' : `, ${count(boost.reach, 'person', 'people')} reached`}.
        </li>
      ) : null}
    </ul>
  )
}

function PostToCome() {
  return (
    <Skeletons label="Loading the post" className="grid gap-5">
      <Skeleton className="h-28 rounded-lg" />
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_28rem]">
        <Skeleton className="h-100 rounded-lg" />
        <Skeleton className="h-100 rounded-lg" />
      </div>
    </Skeletons>
  )
}
