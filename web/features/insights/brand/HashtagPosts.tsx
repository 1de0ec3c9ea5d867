import type { HashtagPosts as Posts } from '#contract/analytics/hashtags.ts'
import { count, dayAndTimeOf } from '#web/lib/format.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { OutsideLink } from '#web/ui/Link.tsx'
import { paperClass } from '#web/ui/Panel.tsx'

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const DASH = '–'
const shown = (value: number | null): string => (value === null ? DASH : numbers.format(value))
const kinds = { picture: 'Picture', video: 'Video', carousel: 'Carousel' }

type Props = { title: string; list: Posts; none: string }

/** Posts with a hashtag in the platform's order, and the medians of what they have. */
export function HashtagPosts({ title, list: { posts, median }, none }: Props) {
  const zone = useProjectZone()
  return (
    <section aria-label={title} className="grid min-w-0 content-start gap-2">
      <h3 className="font-semibold">{title}</h3>
      {posts.length === 0 ? (
        <p className="text-ink-muted">{none}</p>
      ) : (
        <>
          <p className="tnum text-sm text-ink-muted">
            Median of {count(posts.length, 'post')}, as far as they show it: likes {shown(median.likes)}, comments{' '}
            {shown(median.comments)}
          </p>
          <ol aria-label={title} className={`${paperClass} divide-y divide-line`}>
            {posts.map((post) => (
              <li key={post.postId} className="grid gap-1 px-3.5 py-2.5">
                <p dir="auto" className="line-clamp-2 text-pretty break-words">
                  {post.excerpt || 'A post without text'}
                </p>
                <p className="tnum flex flex-wrap gap-x-3 text-sm text-ink-muted">
                  <span>{kinds[post.type]}</span>
                  {post.publishedAt ? <span>{dayAndTimeOf(post.publishedAt, zone)}</span> : null}
                  <span>Likes {shown(post.likes)}</span>
                  <span>Comments {shown(post.comments)}</span>
                  {post.permalink ? (
                    <OutsideLink href={post.permalink} className="touch-area">
                      Open post
                    </OutsideLink>
                  ) : null}
                </p>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  )
}
