import type { Channel } from '#contract/channels.ts'
import { sentenceOf } from '#contract/failures/catalog.ts'
import type { PostRow } from '#contract/postLists.ts'
import { count, dayAndTimeOf } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { ButtonLink, Link } from '#web/ui/Link.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { StatusBadge, StatusMark } from '#web/ui/StatusBadge.tsx'
import { ZoneNote } from '#web/ui/ZoneNote.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'
import { PostLink } from './PostLink.tsx'

type Props = {
  ids: ProjectIds
  /** Failed ones, the first of `total`. */ posts: readonly PostRow[]
  total: number
  disconnected: readonly Channel[]
  zone: string
  mayConnect: boolean
}

/** Failed posts, and disconnected channels. */
export function NeedsYou({ ids, posts: failed, total, disconnected, zone, mayConnect }: Props) {
  const now = useNow()
  return (
    <Panel
      title="Needs attention"
      aside={
        total > failed.length ? (
          <Link to="/$orgId/project/$projectId/posts/$tab" params={{ ...ids, tab: 'failed' }}>
            See all {total}
          </Link>
        ) : failed.length > 0 ? (
          <ZoneNote zone={zone} at={now} />
        ) : null
      }
    >
      {disconnected.map((channel) => (
        <Banner
          key={channel.channelId}
          tone="wait"
          title={`${channel.channelName} on ${platformName(channel.platformName)} ${channel.status === 'TOKEN_EXPIRED' ? 'needs to be reconnected' : 'is disconnected'}`}
          actions={
            mayConnect ? (
              <ButtonLink
                size="s"
                tone="primary"
                to="/$orgId/project/$projectId/channels"
                params={ids}
                search={{ reconnect: channel.channelId }}
              >
                Reconnect
              </ButtonLink>
            ) : null
          }
        >
          {mayConnect ? channel.problem : 'Ask a project admin to reconnect it.'}{' '}
          <Waiting posts={channel.scheduledPosts ?? 0} />
        </Banner>
      ))}
      {failed.length > 0 ? (
        <ul className={`${paperClass} divide-y divide-line`}>
          {failed.map((post) => (
            <li key={post.postId}>
              <PostLink
                post={post}
                time={dayAndTimeOf(post.at, zone)}
                detail={
                  post.failure ? <span className="text-sm text-pretty text-bad">{sentenceOf(post.failure)}</span> : null
                }
                end={
                  <>
                    <span className="max-md:hidden">
                      <StatusBadge status={post.status} />
                    </span>
                    <span className="self-start pt-0.5 md:hidden">
                      <StatusMark status={post.status} size={15} />
                    </span>
                  </>
                }
              />
            </li>
          ))}
        </ul>
      ) : null}
    </Panel>
  )
}

function Waiting({ posts }: { posts: number }) {
  return posts > 0 ? `${count(posts, 'post')} ${posts === 1 ? 'is' : 'are'} waiting for it.` : null
}
