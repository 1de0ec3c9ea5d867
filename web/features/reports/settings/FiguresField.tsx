import ChevronDown from 'lucide-react/icons/chevron-down'
import { useState } from 'react'
import { figureMeaning, figureName } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { controlClass, Field, useField } from '#web/ui/Field.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { namesText } from '../editor/blockWords.ts'

type Props = {
  label: string
  offered: readonly FigureKey[]
  chosen: readonly FigureKey[]
  most: number
  error?: string | undefined
  onChange: (names: FigureKey[]) => void
}

/** Several figures, each with what it means. They're shown in the order in which they were chosen. */
export function FiguresField({ label, offered, chosen, most, error, onChange }: Props) {
  return (
    <Field label={label} error={error} aside={<span className="tnum">{`${chosen.length} of at most ${most}`}</span>}>
      <Choice label={label} offered={offered} chosen={chosen} most={most} onChange={onChange} />
    </Field>
  )
}

function Choice({ label, offered, chosen, most, onChange }: Props) {
  const field = useField({})
  const [words, setWords] = useState('')
  const wanted = words.trim().toLowerCase()
  const shown = offered.filter((name) => figureName(name).toLowerCase().includes(wanted))
  const toggle = (name: FigureKey) =>
    onChange(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])
  return (
    <Popover
      label={label}
      className="w-84 max-w-[calc(100vw-32px)]"
      onOpenChange={() => setWords('')}
      trigger={
        <button
          {...field}
          type="button"
          aria-label={`${label}: ${namesText(chosen)}`}
          className={`${controlClass} flex min-h-8 items-center justify-between gap-2 px-2.5 py-1 text-left pointer-coarse:min-h-10`}
        >
          <span className={chosen.length === 0 ? 'text-ink-muted' : ''}>
            {chosen.length === 0 ? namesText(chosen) : chosen.map(figureName).join(', ')}
          </span>
          <ChevronDown size={14} aria-hidden className="shrink-0 text-ink-muted" />
        </button>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
        <TextInput
          aria-label="Search figures"
          placeholder="Search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        {shown.length === 0 ? <p className="text-ink-muted">No results.</p> : null}
        <ul className="grid max-h-80 gap-2.5 overflow-y-auto pointer-coarse:gap-0">
          {shown.map((name) => (
            <li key={name} className="pointer-coarse:py-2">
              <Checkbox
                label={figureName(name)}
                hint={figureMeaning(name)}
                checked={chosen.includes(name)}
                disabled={!chosen.includes(name) && chosen.length >= most}
                onChange={() => toggle(name)}
              />
            </li>
          ))}
        </ul>
      </div>
    </Popover>
  )
}
