import ChevronDown from 'lucide-react/icons/chevron-down'
import Globe from 'lucide-react/icons/globe'
import { useId, useMemo, useState, type KeyboardEvent } from 'react'
import { clsx } from 'clsx'
import { QUICK_ZONES } from '#contract/common.ts'
import { offsetText } from '#contract/format.ts'
import { zoneText } from '#web/lib/dates.ts'
import { controlClass, useField } from './Field.tsx'
import { Popover } from './Popover.tsx'
import { TextInput } from './TextInput.tsx'

/** Enough to scroll through; a search narrows the four hundred down. */
const SHOWN = 60
const quick = Object.entries(QUICK_ZONES)

/** An IANA zone, with its offset at `at`; IST, CST, EST and PST are one click. */
export function ZonePicker({
  label = 'Time zone',
  value,
  onChange,
  at,
  className,
}: {
  label?: string
  value: string
  onChange: (zone: string) => void
  at: Date
  className?: string
}) {
  const [open, setOpen] = useState(false)
  const field = useField({})
  const choose = (zone: string) => {
    onChange(zone)
    setOpen(false)
  }
  return (
    <div className={clsx('grid gap-1.5', className)}>
      <Popover
        label={label}
        open={open}
        onOpenChange={setOpen}
        className="w-80 max-w-[calc(100vw-32px)]"
        trigger={
          <button
            {...field}
            type="button"
            aria-label={`${label}, ${zoneText(value, at)}`}
            className={clsx(controlClass, 'flex h-8 items-center gap-2 px-2.5 text-left pointer-coarse:h-10')}
          >
            <Globe size={14} aria-hidden className="shrink-0 text-ink-muted" />
            <span className="min-w-0 grow truncate">{zoneText(value, at)}</span>
            <ChevronDown size={14} aria-hidden className="shrink-0 text-ink-muted" />
          </button>
        }
      >
        <ZoneSearch value={value} at={at} onChoose={choose} />
      </Popover>
      <div role="group" aria-label="Quick time zones" className="flex gap-1">
        {quick.map(([name, zone]) => (
          <button
            key={name}
            type="button"
            aria-pressed={zone === value}
            title={zoneText(zone, at)}
            onClick={() => onChange(zone)}
            className="h-6 rounded-md px-2 text-xs font-semibold text-ink-muted inset-ring inset-ring-line hover:bg-hover hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-ink aria-pressed:inset-ring-accent pointer-coarse:h-9"
          >
            {name}
          </button>
        ))}
      </div>
    </div>
  )
}

function ZoneSearch({ value, at, onChoose }: { value: string; at: Date; onChoose: (zone: string) => void }) {
  const id = useId()
  const [wanted, setWanted] = useState('')
  const [active, setActive] = useState(0)
  const found = useMemo(() => {
    const words = wanted
      .toLowerCase()
      .split(/[\s/_]+/)
      .filter(Boolean)
    const all = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
    const hits =
      words.length === 0
        ? [value, ...all.filter((zone) => zone !== value)]
        : all.filter((zone) => words.every((word) => zone.toLowerCase().includes(word)))
    return hits.slice(0, SHOWN)
  }, [wanted, value])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const next = Math.max(0, Math.min(found.length - 1, active + (event.key === 'ArrowDown' ? 1 : -1)))
      setActive(next)
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    }
    const chosen = found[active]
    if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      onChoose(chosen)
    }
  }

  return (
    <div className="grid gap-2">
      <TextInput
        role="combobox"
        aria-label="Search for a city or zone"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
        placeholder="City or zone"
        autoComplete="off"
        onKeyDown={onKeyDown}
        value={wanted}
        onChange={(event) => {
          setWanted(event.target.value)
          setActive(0)
        }}
      />
      <ul id={`${id}-list`} role="listbox" aria-label="Time zones" className="max-h-64 overflow-y-auto">
        {found.map((zone, i) => (
          // the search field keeps the focus and moves the active line: keys are handled above
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <li
            key={zone}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === active}
            onClick={() => onChoose(zone)}
            className="flex min-h-8 cursor-pointer items-center gap-2 rounded-[6px] px-2 hover:bg-hover aria-selected:bg-hover"
          >
            <span dir="auto" className="min-w-0 grow truncate">
              {zone.replaceAll('_', ' ')}
            </span>
            <span className="tnum shrink-0 text-sm text-ink-muted">{offsetText(at, zone)}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 ? (
        <p role="status" className="px-2 py-1.5 text-ink-muted">
          No time zones match.
        </p>
      ) : null}
    </div>
  )
}
