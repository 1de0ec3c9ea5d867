import { useId } from 'react'
import { LABEL_COLORS } from '#contract/constants.ts'
import { LabelDot } from './LabelDot.tsx'
import { labelLook, type LabelColor } from './labelLook.ts'

/** One of the ten colors of labels and campaigns, each with its name. */
export function ColorPicker({
  value,
  onChange,
  label = 'Color',
}: {
  value: LabelColor
  onChange: (color: LabelColor) => void
  label?: string
}) {
  const id = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold">{label}</legend>
      <div className="grid grid-cols-2 gap-1 sm:grid-cols-3">
        {LABEL_COLORS.map((color) => (
          <label
            key={color}
            className="relative flex h-8 cursor-pointer items-center gap-2 rounded-md px-2 hover:bg-hover has-checked:bg-accent-soft has-checked:inset-ring has-checked:inset-ring-accent has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-10"
          >
            <input
              type="radio"
              name={id}
              value={color}
              checked={value === color}
              onChange={() => onChange(color)}
              className="absolute inset-0 cursor-pointer appearance-none opacity-0"
            />
            <LabelDot color={color} />
            {labelLook[color].name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
