import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { counterNote } from './bounds.ts'
import { SettingsLink, TextButton } from './links.tsx'

type Props = {
  value: number
  onChange: (value: number) => void
  min: number
  max: number
  isIndividual: boolean
  price: string
  onLeave: () => void
  onTeam: () => void
}

/** How many channels beyond the plan's. At its limits it says why it stops, and how to continue. */
export function AddonCounter({ value, onChange, min, max, isIndividual, price, onLeave, onTeam }: Props) {
  const note = counterNote(value, { min, max, isIndividual })
  // the text being typed: a number's first digit may be below the minimum
  const [typed, setTyped] = useState<string>()
  const set = (next: number) => {
    setTyped(undefined)
    onChange(Math.min(max, Math.max(min, next)))
  }
  const type = (text: string) => {
    const digits = text.replaceAll(/\D/g, '')
    const next = Number(digits)
    if (digits !== '' && next >= min) return set(next)
    setTyped(digits)
  }
  return (
    <div className="grid gap-1.5">
      <Field label="Channel Addons" hint={price}>
        <span className="flex items-center gap-1.5">
          <IconButton
            label="One less"
            icon={<Minus size={15} />}
            disabled={value <= min}
            onClick={() => set(value - 1)}
          />
          <TextInput
            inputMode="numeric"
            value={typed ?? String(value)}
            className="tnum w-16 [&_input]:text-center"
            onChange={(event) => type(event.target.value)}
            onBlur={() => (typed === undefined ? undefined : set(Number(typed)))}
          />
          <IconButton
            label="One more"
            icon={<Plus size={15} />}
            disabled={value >= max}
            onClick={() => set(value + 1)}
          />
        </span>
      </Field>
      <p aria-live="polite" className="text-sm text-pretty text-wait empty:hidden">
        {note ? (
          <>
            {note.text}{' '}
            {note.to === 'channels' ? (
              <SettingsLink tab="channels" onFollow={onLeave} />
            ) : note.to === 'team' ? (
              <TextButton onClick={onTeam}>Upgrade to Team Plan</TextButton>
            ) : null}
          </>
        ) : null}
      </p>
    </div>
  )
}
