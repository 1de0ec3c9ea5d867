import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import type { Day } from '#web/lib/dates.ts'
import { FoldedPanel } from '#web/ui/FoldedPanel.tsx'
import { paperClass } from '#web/ui/Panel.tsx'
import { finalSentence } from '#contract/analytics/insightWords.ts'
import { finalRule, type NotFinal as Lines } from './finality.ts'

/** Which platforms can still change the values of which days, and when they no longer do. Nothing if all are final. */
export function NotFinal({ lines, to }: { lines: readonly Lines[]; /** The last day of the range. */ to: Day }) {
  if (lines.length === 0) return null
  return (
    <FoldedPanel title="Not final yet" name="not-final">
      <ul className={`${paperClass} grid gap-2 px-3.5 py-3`}>
        {lines.map(({ finalUntil, hours, zone, platforms }) => (
          <li key={platforms.join()} className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="flex gap-1">
              {platforms.map((platform) => (
                <PlatformIcon key={platform} platform={platform} size={16} named />
              ))}
            </span>
            <span className="font-medium">{platforms.map(platformName).join(', ')}</span>
            <span className="text-pretty text-ink-muted">
              {finalUntil === null ? 'No day is final yet.' : finalSentence(finalUntil)}{' '}
              {finalRule({ hours, zone }, to)}
            </span>
          </li>
        ))}
      </ul>
    </FoldedPanel>
  )
}
