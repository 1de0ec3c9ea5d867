import History from 'lucide-react/icons/history'
import { postActivity } from '#contract/postNotes.ts'
import { timelineKinds, type Post } from '#contract/posts.ts'
import { agoOf, dayAndTimeOf } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { Timeline, type TimelineItem } from '#web/ui/Timeline.tsx'
import { lookOf, wordsOf } from './timelineOf.ts'

/** Who did what to the post and when, newest first, as the server recorded it. */
export function PostActivity({ post }: { post: Post }) {
  const now = useNow()
  const query = useCall(
    postActivity,
    { params: { ...useProjectIds(), postId: post.postId } },
    { handles: true, staleTime: 0 },
  )
  const platform = post.channel ? platformName(post.channel.platformName) : 'the platform'
  return (
    <Loaded
      query={query}
      skeleton={<SkeletonLines lines={5} label="Loading the activity" />}
      isEmpty={({ activity }) => activity.length === 0}
      empty={<EmptyState className="py-6!" icon={<History size={20} />} title="Nothing has happened yet" />}
    >
      {({ activity }) => (
        <Timeline
          label="Activity"
          items={activity.toReversed().map(({ at, by, action, detail }, i): TimelineItem => {
            const kind = timelineKinds.find((one) => one === action)
            const entry = { at, by: by?.name ?? null, dueAt: textOf(detail['dueAt']), note: textOf(detail['note']) }
            return {
              key: `${at}-${i}`,
              state: kind ? lookOf(kind) : 'done',
              text: kind
                ? wordsOf({ ...entry, kind }, (instant) => dayAndTimeOf(instant, post.timezone), platform)
                : `${action.charAt(0).toUpperCase()}${action.slice(1).replaceAll('_', ' ')}${by ? ` by ${by.name}` : ''}`,
              ...(entry.note ? { detail: entry.note } : {}),
              time: agoOf(at, now, post.timezone),
              at,
            }
          })}
        />
      )}
    </Loaded>
  )
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
