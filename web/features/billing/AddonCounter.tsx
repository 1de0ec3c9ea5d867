import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { counterNote } from './bounds.ts'
import { SettingsLink, TextButton } from './links.tsx'

type Props = { value: number; onChange: (value: number) => void; min: number; max: number; isIndividual: boolean; price: string; onLeave: () => void; onTeam: () => void }

/** How many channels beyond those of the plan. At its ends it says why it goes no further, and the way out. */
export function AddonCounter({ value, onChange, min, max, isIndividual, price, onLeave, onTeam }: Props) {
  const note = counterNote(value, { min, max, isIndividual })
  const set = (next: number) => onChange(Math.min(max, Math.max(min, Math.trunc(next))))
  return (
    <div className="grid gap-1.5">
      <Field label="Channel Addons" hint={price}>
        <span className="flex items-center gap-1.5">
          <IconButton label="One less" icon={<Minus size={15} />} disabled={value <= min} onClick={() => set(value - 1)} />
          <TextInput
            inputMode="numeric"
            value={String(value)}
            className="tnum w-20"
            onChange={(event) => {
              const typed = Number(event.target.value)
              if (Number.isFinite(typed)) set(typed)
            }}
          />
          <IconButton label="One more" icon={<Plus size={15} />} disabled={value >= max} onClick={() => set(value + 1)} />
        </span>
      </Field>
      <p aria-live="polite" className="text-sm text-pretty text-wait empty:hidden">
        {note ? (
          <>
            {note.text} {note.to === 'channels' ? <SettingsLink tab="channels" onFollow={onLeave} /> : note.to === 'team' ? <TextButton onClick={onTeam}>Upgrade to Team Plan</TextButton> : null}
          </>
        ) : null}
      </p>
    </div>
  )
}
