import ChevronDown from 'lucide-react/icons/chevron-down'
import { useState } from 'react'
import type { Series } from '#charts/data.ts'
import type { Looks } from '#charts/looks.ts'
import { Checkbox } from '../Checkbox.tsx'
import { Popover } from '../Popover.tsx'
import { TextInput } from '../TextInput.tsx'
import { Sample, type SampleShape } from './Sample.tsx'

type Props = {
  label: string
  /** Of the button. */ words: string
  series: readonly Series[]
  listed: ReadonlySet<string>
  looks: Looks
  shape: SampleShape
  onChoose: (keys: ReadonlySet<string>) => void
}

/** From this many on, the list can be searched. */
const SEARCHED_FROM = 9

/** A button that opens a list of all series, to choose those that are drawn. */
export default function MoreSeries({ label, words: text, series, listed, looks, shape, onChoose }: Props) {
  const [words, setWords] = useState('')
  const found = series.filter(({ name }) => name.toLowerCase().includes(words.trim().toLowerCase()))
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
          className="flex h-7 max-w-full min-w-0 items-center gap-1 rounded-sm px-1.5 whitespace-nowrap text-ink-muted hover:bg-hover hover:text-ink"
        >
          <span dir="auto" className="truncate">
            {text}
          </span>
          <ChevronDown size={14} aria-hidden className="shrink-0" />
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
          {found.map((one) => (
            <li key={one.key} className="pointer-coarse:py-2">
              <Checkbox
                label={
                  <span className="flex items-center gap-1.5">
                    <Sample of={one} looks={looks} shape={shape} />
                    <span dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
                      {one.name}
                    </span>
                  </span>
                }
                checked={listed.has(one.key)}
                onChange={(event) => toggle(one.key, event.target.checked)}
              />
            </li>
          ))}
        </ul>
      </div>
    </Popover>
  )
}
