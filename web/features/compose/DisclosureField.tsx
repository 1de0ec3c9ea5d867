import { useId } from 'react'
import type { DetailRule } from '#contract/platforms/rules.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import type { Details } from './doc.ts'

type Props = {
  label: string
  rule: DetailRule
  details: Details
  error: string | undefined
  onChange: (change: Details) => void
}

const none = { yourBrand: false, brandedContent: false }
// the names of the parts are the contract's own
const names = Object.keys(none) as (keyof typeof none)[]

/** What the post promotes: off by default, and once it's on, at least one kind has to be chosen. */
export function DisclosureField({ label, rule, details: { disclosure }, error, onChange }: Props) {
  const errorId = useId()
  const chosen = disclosure ?? none
  const kinds = names.flatMap((name) =>
    (rule.options ?? []).filter(({ value }) => value === name).map((option) => ({ ...option, name })),
  )
  // the platform shows the stronger label
  const shownAs = kinds.findLast(({ name }) => chosen[name])?.shownAs
  return (
    <fieldset className="grid content-start gap-2 sm:col-span-2" aria-describedby={error ? errorId : undefined}>
      <legend className="sr-only">{label}</legend>
      <Switch
        label={label}
        hint="Turn on if this post promotes a brand, product or service, yours or someone else's."
        checked={disclosure !== undefined}
        onChange={({ target }) => onChange({ disclosure: target.checked ? none : undefined })}
      />
      {disclosure ? (
        <div className="grid gap-2 pl-11.5">
          {kinds.map(({ name, label: kind, hint }) => (
            <Checkbox
              key={name}
              label={kind}
              hint={hint}
              checked={chosen[name]}
              onChange={({ target }) => onChange({ disclosure: { ...chosen, [name]: target.checked } })}
            />
          ))}
          <p role="status" className="text-sm text-ink-muted">
            {shownAs ? `Your photo/video will be labeled as "${shownAs}".` : null}
          </p>
        </div>
      ) : null}
      {error ? (
        <p id={errorId} role="alert" className="text-sm text-bad">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
