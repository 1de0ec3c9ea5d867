import type { MissingChannels } from '#contract/analytics/overview.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Link } from '#web/ui/Link.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { missingWords } from './insightWords.ts'
import { countMissing, missingLines } from './missingLines.ts'
import type { NamedChannels } from './useChannels.ts'

type Props = {
  ids: ProjectIds
  /** The figure's name. */ title: string
  missing: readonly MissingChannels[]
  channels: NamedChannels
}

/** The channels that aren't in the figure, and why: a button that opens the list. */
export function Missing({ ids, title, missing, channels }: Props) {
  const total = countMissing(missing)
  return (
    <Popover
      label={`Missing from ${title}`}
      className="w-80"
      align="end"
      focusWhole
      trigger={
        <button
          type="button"
          className="hit-area relative ml-auto rounded-sm px-1 text-xs whitespace-nowrap text-ink-muted underline decoration-dotted underline-offset-3 hover:text-ink"
          aria-label={`${total} missing from ${title}`}
        >
          {total} missing
        </button>
      }
    >
      <ul className="grid gap-2">
        {missingLines(missing, channels).map(({ key, platform, name, reason, reconnect }) => (
          <li key={key} className="flex items-start gap-2">
            <PlatformIcon platform={platform} size={16} named={typeof name === 'number'} />
            <span className="min-w-0">
              <span className="font-medium">
                {typeof name === 'string' ? name : `${platformName(platform)}, ${count(name, 'channel')}`}
              </span>
              <span className="block text-sm text-pretty text-ink-muted">
                {missingWords[reason]}.{' '}
                {reconnect === null ? null : (
                  <Link to="/$orgId/project/$projectId/channels" params={ids} search={{ reconnect }}>
                    Reconnect
                  </Link>
                )}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Popover>
  )
}
