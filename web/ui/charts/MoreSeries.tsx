import { useState } from 'react'
import type { Series } from '#charts/data.ts'
import { Checkbox } from '../Checkbox.tsx'
import { Popover } from '../Popover.tsx'
import { TextInput } from '../TextInput.tsx'

type Props = {
  label: string
  series: readonly Series[]
  listed: ReadonlySet<string>
  onChoose: (keys: ReadonlySet<string>) => void
}

/** From this many on, the list can be searched. */
const SEARCHED_FROM = 9

/** "92 more": a list of all series, to choose those that are drawn. */
export default function MoreSeries({ label, series, listed, onChoose }: Props) {
  const [words, setWords] = useState('')
  const found = series.filter(({ name }) => name.toLowerCase().includes(words.trim().toLowerCase()))
  const more = series.filter(({ key }) => !listed.has(key)).length
  const toggle = (key: string, on: boolean) => {
    const next = new Set(listed)
    if (on) next.add(key)
    // an empty chart says nothing
    else if (next.size > 1) next.delete(key)
    onChoose(next)
  }
  return (
    <Popover
      label={`Lines of ${label}`}
      className="w-72"
      onOpenChange={() => setWords('')}
      trigger={
        <button
          type="button"
          className="flex h-7 items-center rounded-sm px-1.5 whitespace-nowrap text-ink-muted underline decoration-dotted underline-offset-3 hover:bg-hover hover:text-ink"
        >
          {more} more
        </button>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
        {series.length >= SEARCHED_FROM ? (
          <TextInput
            aria-label="Search lines"
            placeholder="Search"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        ) : null}
        {found.length === 0 ? <p className="text-ink-muted">No results.</p> : null}
        <ul className="grid max-h-80 grid-cols-[minmax(0,1fr)] gap-2.5 overflow-y-auto pointer-coarse:gap-0">
          {found.map(({ key, name }) => (
            <li key={key} className="pointer-coarse:py-2">
              <Checkbox
                label={<span className="block truncate">{name}</span>}
                checked={listed.has(key)}
                onChange={(event) => toggle(key, event.target.checked)}
              />
            </li>
          ))}
        </ul>
      </div>
    </Popover>
  )
}
