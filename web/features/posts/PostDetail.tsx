import { lazy, Suspense, type ReactNode } from 'react'
import ExternalLink from 'lucide-react/icons/external-link'
import { readAsset } from '#contract/media.ts'
import type { Post } from '#contract/posts.ts'
import { addressOf } from '#web/lib/client.ts'
import { detailFacts } from '#web/lib/detailFacts.ts'
import { dayAndTimeOf } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds, useProjectZone, type ProjectIds } from '#web/lib/project.ts'
import { isOnItsWay, isWithoutSlot, noTimeYet, shownStatusOf } from '#web/lib/shownTime.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { LabelChips } from '#web/ui/LabelChips.tsx'
import { ButtonLink, Link, OutsideLink } from '#web/ui/Link.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { StatusBadge } from '#web/ui/StatusBadge.tsx'
import { Timeline } from '#web/ui/Timeline.tsx'
import { ZoneNote } from '#web/ui/ZoneNote.tsx'
import { isInSeries } from './moving.ts'
import { PostPreview } from './preview/PostPreview.tsx'
import type { Previewed } from './preview/previewed.ts'
import { storedPreview } from './preview/storedPreview.ts'
import { SentTogether } from './SentTogether.tsx'
import { timelineOf } from './timelineOf.ts'

// most posts have none
const PostLinks = lazy(() => import('./PostLinks.tsx'))

/** A post's status and time, with its own zone. */
export function PostHead({ post }: { post: Post }) {
  const now = useNow()
  const isGoing = isOnItsWay(post, now)
  const projectZone = useProjectZone()
  const without = isGoing ? 'Publishing now' : noTimeYet(post)
  const timed = without === undefined && (post.status !== 'DRAFTS' || post.dueAt !== null)
  return (
    <>
      <StatusBadge status={shownStatusOf(post, now)} />
      {without ? <span className="text-ink-muted">{without}</span> : null}
      {timed ? (
        <time dateTime={post.at} className="tnum whitespace-nowrap text-ink-muted">
          {dayAndTimeOf(post.at, post.timezone)}
        </time>
      ) : null}
      {timed && post.timezone !== projectZone ? <ZoneNote zone={post.timezone} at={new Date(post.at)} /> : null}
    </>
  )
}

/** What the post is and what happened to it. `trouble` comes first: what needs attention. */
export function PostDetail({
  post,
  trouble,
  wide = false,
}: {
  post: Post
  trouble?: ReactNode
  /** A page has room for the history next to the post. */ wide?: boolean
}) {
  const ids = useProjectIds()
  const now = useNow()
  const maySeeCampaigns = useMay([['campaign', 'view']]) === 'yes'
  const platform = post.channel ? platformName(post.channel.platformName) : 'the platform'
  return (
    <div
      className={
        wide ? 'grid items-start gap-x-10 gap-y-5 lg:grid-cols-[minmax(0,30rem)_minmax(0,26rem)]' : 'grid gap-4'
      }
    >
      <div className="grid min-w-0 gap-4">
        {trouble}
        {isWithoutSlot(post) ? (
          <Banner
            tone="wait"
            title="This post has no time yet."
            actions={
              <ButtonLink
                size="s"
                to="/$orgId/project/$projectId/queues"
                params={ids}
                search={{ channel: post.channel?.channelId }}
              >
                Queue settings
              </ButtonLink>
            }
          >
            The queue of {post.channel?.channelName ?? 'its channel'} is paused or has no free slot. The post is
            published once that changes.
          </Banner>
        ) : null}
        <PostPreview post={previewOf(post, ids)} />
        {/* it loads after the post, which must not move while someone reads it */}
        <SentTogether post={post} />
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
          {post.permalink ? (
            <Fact name="Live at">
              <OutsideLink href={post.permalink} className="inline-flex items-center gap-1">
                {platform} <ExternalLink size={12} aria-hidden />
              </OutsideLink>
            </Fact>
          ) : null}
          <Fact name="Time zone">
            <ZoneNote zone={post.timezone} at={new Date(post.at)} className="text-ink!" />
          </Fact>
          {isInSeries(post) && post.series ? (
            <Fact name="Series">{`Post ${post.series.index + 1} of ${post.series.count}`}</Fact>
          ) : null}
          {post.labels.length > 0 ? (
            <Fact name="Labels">
              <LabelChips labels={post.labels} all />
            </Fact>
          ) : null}
          {post.campaigns.length > 0 ? (
            <Fact name={post.campaigns.length === 1 ? 'Campaign' : 'Campaigns'}>
              {post.campaigns.map(({ campaignId, name }, i) => (
                <span key={campaignId}>
                  {i > 0 ? ', ' : ''}
                  {maySeeCampaigns ? (
                    <Link to="/$orgId/project/$projectId/campaigns/$campaignId" params={{ ...ids, campaignId }}>
                      {name}
                    </Link>
                  ) : (
                    name
                  )}
                </span>
              ))}
            </Fact>
          ) : null}
          {post.firstComment ? (
            <Fact name="First comment">
              <span dir="auto" className="wrap-anywhere whitespace-pre-wrap">
                {post.firstComment}
              </span>
            </Fact>
          ) : null}
          {detailFacts(post).map(({ name, value }) => (
            <Fact key={name} name={name}>
              <span dir="auto" className="wrap-anywhere">
                {value}
              </span>
            </Fact>
          ))}
          {post.additionalDetails.linkFacts ? (
            <Fact name="Links">
              <Contained fallback={null}>
                <Suspense fallback="…">
                  <PostLinks post={post} />
                </Suspense>
              </Contained>
            </Fact>
          ) : null}
          {post.author ? <Fact name="Author">{post.author.name}</Fact> : null}
          {post.draftChannels.length > 0 ? (
            <Fact name="Channels">{post.draftChannels.map(({ channelName }) => channelName).join(', ')}</Fact>
          ) : null}
          {post.channel ? (
            <Fact name="Channel">
              {post.channel.simulated
                ? `${post.channel.channelName}, simulated`
                : `${post.channel.channelName} on ${platform}`}
            </Fact>
          ) : null}
        </dl>
      </div>
      <section className="grid gap-1">
        <h2 className="text-sm font-semibold text-ink-muted">What happened</h2>
        <Timeline label="What happened" items={timelineOf(post, post.timezone, platform, now)} />
      </section>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}

function previewOf(post: Post, ids: ProjectIds): Previewed {
  return {
    ...storedPreview(post, (assetId) => addressOf(readAsset, { params: { ...ids, assetId } })),
    ...(post.channel ? { avatarUrl: post.channel.profileUrl } : { name: 'No channel yet' }),
    // a draft without a time has none to show, nor has a post that waits for one
    when:
      (post.status === 'DRAFTS' && !post.dueAt) || noTimeYet(post) !== undefined
        ? 'now'
        : dayAndTimeOf(post.at, post.timezone).split(' ').slice(1, 3).join(' '),
  }
}
