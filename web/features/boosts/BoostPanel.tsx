import { clsx } from 'clsx'
import Megaphone from 'lucide-react/icons/megaphone'
import { lazy, Suspense, useState } from 'react'
import { isRunning, postBoosts, type BoostObstacle } from '#contract/boosts.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { Post } from '#contract/posts.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { BoostCard } from './BoostCard.tsx'

const BoostDialog = lazy(() => import('./BoostDialog.tsx'))

/** The boosts of a published post, and the button to add one. Shows nothing if the platform has no boosts. */
export function BoostPanel({ post, mayPublish, className }: { post: Post; mayPublish: boolean; className?: string }) {
  const { channel } = post
  if (!channel || post.status !== 'PUBLISHED' || !platformRules[channel.platformName].promotion) return null
  return (
    <section
      className={clsx('grid max-w-[36rem] gap-3 border-t border-line pt-4', className)}
      aria-labelledby="promotion"
    >
      <h2 id="promotion" className="text-sm font-semibold text-ink-muted">
        Promotion
      </h2>
      <Contents post={post} channel={channel} mayPublish={mayPublish} />
    </section>
  )
}

function Contents({
  post,
  channel,
  mayPublish,
}: {
  post: Post
  channel: NonNullable<Post['channel']>
  mayPublish: boolean
}) {
  const ids = useProjectIds()
  const query = useCall(postBoosts, { params: { ...ids, postId: post.postId } }, { handles: true })
  const [open, setOpen] = useState(false)
  const [started, setStarted] = useState<string>()
  const platform = platformName(channel.platformName)
  const title = `Promote ${platform} post`
  return (
    <Loaded query={query} skeleton={<SkeletonLines lines={2} label="Loading the promotions" />}>
      {({ obstacle, boosts }) => {
        const runs = boosts.some(({ status }) => isRunning(status))
        return (
          <>
            {boosts.map((boost) => (
              <BoostCard
                key={boost.boostId}
                boost={boost}
                zone={post.timezone}
                platform={platform}
                mayStop={mayPublish}
                fresh={boost.boostId === started}
              />
            ))}
            {boosts.length === 0 && !obstacle ? (
              <p className="text-ink-muted">
                {mayPublish
                  ? `Show this post to more people on ${platform} with a budget you choose.`
                  : "This post hasn't been promoted."}
              </p>
            ) : null}
            {runs ? null : obstacle ? (
              <Obstacle obstacle={obstacle} channel={channel} mayPublish={mayPublish} />
            ) : mayPublish ? (
              <Button
                icon={<Megaphone size={15} aria-hidden />}
                className="justify-self-start"
                onClick={() => setOpen(true)}
              >
                {title}
              </Button>
            ) : null}
            {open ? (
              <Contained>
                <Suspense fallback={null}>
                  <BoostDialog
                    title={title}
                    platform={platform}
                    postId={post.postId}
                    zone={post.timezone}
                    onClose={() => setOpen(false)}
                    onStarted={setStarted}
                  />
                </Suspense>
              </Contained>
            ) : null}
          </>
        )
      }}
    </Loaded>
  )
}

/** Why it can't be boosted, and how to fix that, for those who may. */
function Obstacle({
  obstacle: { text, advice, reconnect },
  channel,
  mayPublish,
}: {
  obstacle: BoostObstacle
  channel: NonNullable<Post['channel']>
  mayPublish: boolean
}) {
  const ids = useProjectIds()
  const mayConnect = useMay([['channel', 'create']]) === 'yes'
  const { app, promotion } = platformRules[channel.platformName]
  const way = app?.variants?.find(({ value }) => value === promotion?.variant)
  if (!reconnect || !mayPublish) return <p className="text-ink-muted">{`${text} ${advice}`.trim()}</p>
  return (
    <>
      <p className="text-ink-muted">{mayConnect ? text : `${text} Ask an admin of the project to reconnect it.`}</p>
      {mayConnect ? (
        <ButtonLink
          className="justify-self-start"
          to="/$orgId/project/$projectId/channels"
          params={ids}
          search={{ reconnect: channel.channelId, variant: way?.value }}
        >
          {`Reconnect as ${way?.label ?? platformName(channel.platformName)}`}
        </ButtonLink>
      ) : null}
    </>
  )
}
