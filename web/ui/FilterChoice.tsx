import { useState, type ReactNode } from 'react'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { FilterChip } from '#web/ui/Chip.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'

type Option<V extends string> = {
  value: V
  name: string
  label: ReactNode
  /** What a search finds it by; its name by default. */
  found?: string
}
type Props<V extends string> = {
  name: string
  chosen: readonly V[] | undefined
  onChange: (chosen: V[] | undefined) => void
  options: readonly Option<V>[]
  /** So many can be chosen at most; any number by default. */
  most?: number
  /** Above the list, such as how several are combined. */
  before?: ReactNode
  /** Below it, such as a link to manage them. */
  after?: ReactNode
}

/** From this many on, the list can be searched. */
const SEARCHED_FROM = 9

/** A chip that opens a list to choose from. What is chosen and no longer listed counts as chosen. */
export function FilterChoice<V extends string>({
  name,
  chosen = [],
  onChange,
  options,
  most = Infinity,
  before,
  after,
}: Props<V>) {
  const [words, setWords] = useState('')
  const on = chosen.length > 0
  const only = chosen.length === 1 ? options.find((option) => option.value === chosen[0])?.name : undefined
  const shown = words
    ? options.filter(({ name: own, found = own }) => found.toLowerCase().includes(words.trim().toLowerCase()))
    : options
  const toggle = (value: V, checked: boolean) => {
    const next = options.map((option) => option.value).filter((one) => (one === value ? checked : chosen.includes(one)))
    onChange(next.length > 0 ? next : undefined)
  }
  return (
    <Popover
      label={`Filter by ${name.toLowerCase()}`}
      className="w-68"
      onOpenChange={() => setWords('')}
      trigger={
        <FilterChip on={on} opens>
          <span dir="auto" className="truncate">
            {on ? `${name}: ${only ?? `${chosen.length} of ${options.length}`}` : name}
          </span>
        </FilterChip>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
        {before}
        {options.length >= SEARCHED_FROM ? (
          <TextInput
            aria-label={`Search ${name.toLowerCase()}`}
            placeholder="Search"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        ) : null}
        {shown.length === 0 ? (
          <p className="text-ink-muted">{options.length === 0 ? 'Nothing to choose from yet.' : 'No results.'}</p>
        ) : (
          <ul className="grid max-h-80 grid-cols-[minmax(0,1fr)] gap-2.5 overflow-y-auto pointer-coarse:gap-0">
            {shown.map((option) => (
              <li key={option.value} className="pointer-coarse:py-2">
                <Checkbox
                  label={option.label}
                  checked={chosen.includes(option.value)}
                  disabled={chosen.length >= most && !chosen.includes(option.value)}
                  onChange={(event) => toggle(option.value, event.target.checked)}
                />
              </li>
            ))}
          </ul>
        )}
        {after}
      </div>
    </Popover>
  )
}
