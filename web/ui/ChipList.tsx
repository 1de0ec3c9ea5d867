import { CHIPS_SHOWN } from '#contract/constants.ts'
import { Chip } from './Chip.tsx'
import { Tooltip } from './Tooltip.tsx'

/** The first two items and a "+n" for the rest, which names them on hover and focus. */
export function ChipList({ items, none = 'None' }: { items: readonly string[]; none?: string }) {
  if (items.length === 0) return <span className="text-ink-muted">{none}</span>
  const rest = items.slice(CHIPS_SHOWN)
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1 cards:flex-wrap">
      {items.slice(0, CHIPS_SHOWN).map((item) => (
        <Chip key={item}>{item}</Chip>
      ))}
      {rest.length > 0 ? (
        <Tooltip text={rest.join(', ')}>
          <button
            type="button"
            className="tnum h-6 shrink-0 rounded-md bg-sunken px-2 text-sm text-ink-muted inset-ring inset-ring-line"
            aria-label={`and ${rest.length} more: ${rest.join(', ')}`}
          >
            +{rest.length}
          </button>
        </Tooltip>
      ) : null}
    </span>
  )
}
