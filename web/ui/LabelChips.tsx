import { CHIPS_SHOWN } from '#contract/constants.ts'
import { LabelDot } from './LabelDot.tsx'
import type { LabelColor } from './labelLook.ts'
import { Tooltip } from './Tooltip.tsx'

type Shown = { labelId: string; labelName: string; color: LabelColor }
const look =
  'inline-flex h-5 max-w-36 min-w-0 items-center gap-1.5 rounded-full bg-sunken px-2 text-xs font-medium text-ink-muted inset-ring inset-ring-line'

/** A post's labels: the first two, and how many more. `all` shows every one. */
export function LabelChips({ labels, all = false }: { labels: readonly Shown[]; all?: boolean }) {
  if (labels.length === 0) return null
  const rest = all ? [] : labels.slice(CHIPS_SHOWN)
  return (
    <span className="inline-flex max-w-full min-w-0 flex-wrap items-center gap-1">
      <span className="sr-only">Labels: </span>
      {labels.slice(0, all ? labels.length : CHIPS_SHOWN).map(({ labelId, labelName, color }) => (
        <span key={labelId} className={look}>
          <LabelDot color={color} className="size-2!" />
          <span dir="auto" className="truncate">
            {labelName}
          </span>
        </span>
      ))}
      {rest.length > 0 ? (
        <Tooltip text={rest.map(({ labelName }) => labelName).join(', ')}>
          <button
            type="button"
            className={`tnum ${look}`}
            aria-label={`and ${rest.length} more: ${rest.map(({ labelName }) => labelName).join(', ')}`}
          >
            +{rest.length}
          </button>
        </Tooltip>
      ) : null}
    </span>
  )
}
