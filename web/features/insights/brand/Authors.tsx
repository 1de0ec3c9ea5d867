import type { BrandTalk } from '#contract/analytics/brand.ts'
import { count } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { OutsideLink } from '#web/ui/Link.tsx'
import { paperClass } from '#web/ui/Panel.tsx'

/** The people who wrote most, with how often. */
export function Authors({ authors }: { authors: BrandTalk['authors'] }) {
  if (authors.length === 0)
    return <p className="text-ink-muted">Nobody wrote in these days, or their names may no longer be kept.</p>
  return (
    <ol aria-label="Who wrote most" className={`${paperClass} divide-y divide-line`}>
      {authors.map(({ platform, name, handle, pictureUrl, profileUrl, count: n }) => (
        <li key={`${platform} ${handle} ${name}`} className="flex items-center gap-3 px-3.5 py-2.5">
          <Avatar name={name} src={pictureUrl} size={30} platform={platform} />
          <div className="min-w-0 grow">
            <p dir="auto" className="truncate font-semibold">
              {name}
            </p>
            <p dir="auto" className="truncate text-sm text-ink-muted">
              {profileUrl ? (
                <OutsideLink href={profileUrl} className="touch-area">
                  {handle || 'Profile'}
                </OutsideLink>
              ) : (
                handle
              )}
            </p>
          </div>
          <span className="tnum shrink-0 font-semibold">{count(n, 'time')}</span>
        </li>
      ))}
    </ol>
  )
}
