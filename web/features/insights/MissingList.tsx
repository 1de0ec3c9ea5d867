import type { MissingChannels } from '#contract/analytics/overview.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Link } from '#web/ui/Link.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { missingWords } from '#contract/analytics/insightWords.ts'
import { missingLines } from './missingLines.ts'
import type { NamedChannels } from './useChannels.ts'

/** Channels that lack a figure, each with the reason and what to do about it. */
export function MissingList({
  ids,
  missing,
  channels,
}: {
  ids: ProjectIds
  missing: readonly MissingChannels[]
  channels: NamedChannels
}) {
  return (
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
  )
}
