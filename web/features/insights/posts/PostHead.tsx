import RefreshCw from 'lucide-react/icons/refresh-cw'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { insightsReadPost, type PostInsights } from '#contract/analytics/posts.ts'
import { postTypeLabel } from '#contract/platforms/registry.ts'
import { excerptText } from '#contract/postLists.ts'
import { dayAndTimeOf, momentOf } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectZone, type ProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink, OutsideButtonLink } from '#web/ui/Link.tsx'
import { paperClass } from '#web/ui/Panel.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { toast } from '#web/ui/toast.ts'
import type { NamedChannels } from '../useChannels.ts'
import { PostThumbnail } from './PostThumbnail.tsx'

type Props = { ids: ProjectIds; post: PostInsights; channels: NamedChannels }

/** What the post is, where it is, and when its figures are read. */
export function PostHead({ ids, post, channels }: Props) {
  const zone = useProjectZone()
  const maySeePosts = useMay([['post', 'view']]) === 'yes'
  const { platformName: platform, permalink, goneAt, origin, publishedAt } = post
  return (
    <div className={`${paperClass} flex items-start gap-x-4 gap-y-3 p-3.5 max-md:flex-wrap`}>
      <PostThumbnail post={post} className="size-14 rounded-md md:size-20" />
      <div className="grid min-w-0 flex-1 basis-40 gap-1">
        <p dir="auto" className="line-clamp-3 text-base font-medium text-pretty">
          {excerptText(post.excerpt)}
        </p>
        <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-ink-muted">
          <PlatformIcon platform={platform} size={16} named />
          <span>{channels.get(post.channelId)?.shownName ?? 'Disconnected channel'}</span>
          <span>· {postTypeLabel(platform, post.postType)} ·</span>
          <span className="tnum">{dayAndTimeOf(publishedAt, zone)}</span>
        </p>
        {goneAt !== null ? (
          <p className="text-sm text-wait">
            {platformName(platform)} hasn't had this post since {momentOf(goneAt, zone)}. Its figures stay.
          </p>
        ) : origin === 'elsewhere' ? (
          <p className="text-sm text-ink-muted">Published in {platformName(platform)} or with another tool.</p>
        ) : null}
        <NextReading ids={ids} post={post} />
      </div>
      <div className="flex flex-wrap gap-2">
        {origin === 'here' && maySeePosts ? (
          <ButtonLink size="s" to="." search={(before) => ({ ...before, post: post.postId })}>
            Open post
          </ButtonLink>
        ) : null}
        {permalink !== null && goneAt === null ? (
          <OutsideButtonLink size="s" href={permalink}>
            View on {platformName(platform)}
          </OutsideButtonLink>
        ) : null}
      </div>
    </div>
  )
}

/** When the figures were read and are read next; of old posts, they can be read on request. */
function NextReading({ ids, post }: Omit<Props, 'channels'>) {
  const { postId, readings, nextReadAt, goneAt, postType } = post
  const zone = useProjectZone()
  const read = useSend(insightsReadPost, {
    refreshes: [],
    onSuccess: ({ nextReadAt: at }) =>
      at === null
        ? toast.success('These figures were read less than a day ago.')
        : toast.success("We'll read its figures within ten minutes."),
  })
  const now = useNow()
  const price = platformFigures[post.platformName].readPrices?.post
  const mayPay = useMay([['insights', 'create']]) === 'yes'
  const last = readings.at(-1)
  const isOver = goneAt !== null || postType === 'story'
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-muted">
      <span className="tnum">
        {last ? `Read ${momentOf(last.readAt, zone)}` : 'Not read yet'}
        {nextReadAt === null
          ? ''
          : new Date(nextReadAt) <= now
            ? ', next within ten minutes'
            : `, next ${momentOf(nextReadAt, zone)}`}
      </span>
      {nextReadAt === null && !isOver && (price === undefined || mayPay) ? (
        <Button
          size="s"
          tone="quiet"
          icon={<RefreshCw size={13} aria-hidden />}
          loading={read.isPending}
          onClick={() => read.mutate({ params: { ...ids, postId } })}
        >
          Read its figures now{price === undefined ? '' : ` for $${price}`}
        </Button>
      ) : null}
    </p>
  )
}
