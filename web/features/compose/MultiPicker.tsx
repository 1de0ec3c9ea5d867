import { useId, useState, type ReactNode } from 'react'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { FilterChip } from '#web/ui/Chip.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'

type Option = { id: string; name: string; mark: ReactNode }
type Props = {
  /** "Labels", "Campaigns" */
  name: string
  options: readonly Option[]
  chosen: readonly string[]
  onChange: (ids: string[]) => void
  /** What to offer for a name that doesn't exist. */
  create?: ((name: string, done: () => void) => ReactNode) | undefined
}

/** Labels, campaigns: search, select, and create a missing one in place. */
export function MultiPicker({ name, options, chosen, onChange, create }: Props) {
  const [open, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const id = useId()
  const words = search.trim().toLowerCase()
  const fitting = options.filter((option) => option.name.toLowerCase().includes(words))
  const isNew = words !== '' && !options.some((option) => option.name.toLowerCase() === words)
  const picked = options.filter((option) => chosen.includes(option.id))
  return (
    <Popover
      label={name}
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        setSearch('')
      }}
      className="w-68"
      trigger={
        <FilterChip
          on={picked.length > 0}
          opens
          aria-label={picked.length > 0 ? `${name}: ${picked.map((one) => one.name).join(', ')}` : name}
          className="max-w-full"
        >
          {picked.length === 0 ? (
            name
          ) : (
            <span className="flex min-w-0 items-center gap-2">
              {picked.slice(0, 3).map((one) => (
                <span key={one.id} className="flex min-w-0 items-center gap-1.5">
                  {one.mark}
                  <span dir="auto" className="max-w-28 truncate">
                    {one.name}
                  </span>
                </span>
              ))}
              {picked.length > 3 ? <span className="tnum">+{picked.length - 3}</span> : null}
            </span>
          )}
        </FilterChip>
      }
    >
      <div className="grid gap-2.5">
        <TextInput
          aria-label={`Find ${name.toLowerCase()}`}
          aria-controls={`${id}-list`}
          placeholder={create ? 'Find or create' : 'Find'}
          maxLength={50}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <ul id={`${id}-list`} aria-label={name} className="-mx-1 grid max-h-56 gap-1.5 overflow-y-auto px-1 py-0.5">
          {fitting.map((option) => (
            <li key={option.id}>
              <Checkbox
                checked={chosen.includes(option.id)}
                onChange={({ target }) =>
                  onChange(target.checked ? [...chosen, option.id] : chosen.filter((one) => one !== option.id))
                }
                label={
                  <span className="flex min-w-0 items-center gap-2">
                    {option.mark}
                    <span dir="auto" className="truncate">
                      {option.name}
                    </span>
                  </span>
                }
              />
            </li>
          ))}
        </ul>
        {fitting.length === 0 && !(isNew && create) ? (
          <p className="text-sm text-ink-muted">
            {options.length === 0 && !words
              ? `No ${name.toLowerCase()} yet${create ? '. Type a name to create one.' : '.'}`
              : 'Nothing found'}
          </p>
        ) : null}
        {isNew && create ? create(search.trim(), () => setSearch('')) : null}
      </div>
    </Popover>
  )
}
