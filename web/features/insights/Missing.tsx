import type { MissingChannels } from '#contract/analytics/overview.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Popover } from '#web/ui/Popover.tsx'
import { MissingList } from './MissingList.tsx'
import { countMissing } from './missingLines.ts'
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
      label={`Not included in ${title}`}
      className="w-80"
      align="end"
      focusWhole
      trigger={
        <button
          type="button"
          className="hit-area relative ml-auto min-h-6 rounded-sm px-1 text-xs whitespace-nowrap text-ink-muted underline decoration-dotted underline-offset-3 hover:text-ink"
          aria-label={`${total} not included in ${title}`}
        >
          {total} not included
        </button>
      }
    >
      <MissingList ids={ids} missing={missing} channels={channels} />
    </Popover>
  )
}
