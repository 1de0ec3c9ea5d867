import type { GroupMissing } from '#contract/analytics/compared.ts'
import { figureName } from '#contract/analytics/labels.ts'
import { count } from '#web/lib/format.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { Link } from '#web/ui/Link.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { isFixedByReconnecting, missingWords } from '#contract/analytics/insightWords.ts'

type Props = { /** The campaign or label. */ name: string; missing: readonly GroupMissing[] }

/** Which figures the posts of a campaign or label aren't in for a reason of their own, by platform: a button that opens the list. */
export function MissingFigures({ name, missing }: Props) {
  const ids = useProjectIds()
  if (missing.length === 0) return null
  const [only, other] = [...new Set(missing.map(({ platform }) => platform))]
  const text =
    only !== undefined && other === undefined
      ? `${platformName(only)} lacks figures`
      : `${new Set(missing.map(({ platform }) => platform)).size} platforms lack figures`
  return (
    <Popover
      label={`Figures missing from ${name}`}
      className="w-80"
      focusWhole
      trigger={
        <button
          type="button"
          className="hit-area min-h-6 justify-self-start rounded-sm text-left text-xs text-ink-muted underline decoration-dotted underline-offset-3 hover:text-ink"
          aria-label={`${text}: ${name}`}
        >
          {text}
        </button>
      }
    >
      <ul className="grid gap-2">
        {missing.map(({ platform, reason, channels, channelId, names }) => (
          <li key={`${platform} ${reason} ${names.join()}`} className="flex items-start gap-2">
            <PlatformIcon platform={platform} size={16} />
            <span className="min-w-0">
              <span className="font-medium">
                {platformName(platform)}
                {channels > 1 ? `, ${count(channels, 'channel')}` : ''}
              </span>
              <span className="block text-sm text-pretty">{names.map(figureName).join(', ')}</span>
              <span className="block text-sm text-pretty text-ink-muted">
                {missingWords[reason]}.{' '}
                {isFixedByReconnecting(reason) && channelId !== null ? (
                  <Link to="/$orgId/project/$projectId/channels" params={ids} search={{ reconnect: channelId }}>
                    Reconnect
                  </Link>
                ) : null}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Popover>
  )
}
