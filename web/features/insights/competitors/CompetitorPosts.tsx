import type { ComparedAccount, CompetitorPost } from '#contract/analytics/competitors.ts'
import type { FigureName } from '#contract/analytics/catalog/names.ts'
import { platformFigure } from '#contract/analytics/catalog/catalog.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { dateOf } from '#web/lib/format.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { OutsideLink } from '#web/ui/Link.tsx'
import { paperClass } from '#web/ui/Panel.tsx'

const numbers = new Intl.NumberFormat('en')
const shown: readonly FigureName[] = ['views', 'impressions', 'reactions', 'comments', 'shares']

type Props = { platform: PlatformKey; posts: readonly CompetitorPost[]; accounts: readonly ComparedAccount[] }

/** Posts of competitors with what the platform tells of them, each with a link to it. */
export function CompetitorPosts({ platform, posts, accounts }: Props) {
  const zone = useProjectZone()
  const byId = new Map(accounts.map((account) => [account.id, account]))
  if (posts.length === 0)
    return <p className="text-ink-muted">We know of no posts that these competitors published in these days.</p>
  return (
    <ol className={`${paperClass} divide-y divide-line`}>
      {posts.map((post) => {
        const account = byId.get(post.competitorId)
        if (!account) return null
        return (
          <li key={`${post.competitorId} ${post.postId}`} className="flex items-start gap-3 px-3.5 py-3">
            <Avatar name={account.name} src={account.pictureUrl} size={28} />
            <div className="grid min-w-0 grow gap-1">
              <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
                <span className="font-semibold">{account.name}</span>
                <span className="text-ink-muted">{dateOf(post.publishedAt, zone)}</span>
              </p>
              <p dir="auto" className="line-clamp-2 text-pretty break-words">
                {post.excerpt || 'A post without text'}
              </p>
              <p className="tnum flex flex-wrap gap-x-3 text-sm text-ink-muted">
                {shown
                  .flatMap((name) => {
                    const value = post.figures[name]
                    const term = platformFigure(platform, 'post', name)?.term
                    return value === undefined || term === undefined ? [] : [`${term} ${numbers.format(value)}`]
                  })
                  .map((text) => (
                    <span key={text}>{text}</span>
                  ))}
                {post.permalink ? (
                  <OutsideLink href={post.permalink} className="touch-area">
                    Open post
                  </OutsideLink>
                ) : null}
              </p>
            </div>
          </li>
        )
      })}
    </ol>
  )
}
