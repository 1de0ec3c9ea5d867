import type { ReplyOf } from '#contract/endpoint.ts'
import type { auditFilters } from '#contract/audit.ts'
import { actionWords, entityWords } from '#contract/auditWords.ts'
import { Button } from '#web/ui/Button.tsx'
import { FilterChip } from '#web/ui/Chip.tsx'
import { DayRange } from '#web/ui/DayRange.tsx'
import { Menu, MenuChoice } from '#web/ui/Menu.tsx'
import { isNarrowed, type AuditSearch } from './search.ts'

type Props = {
  known: ReplyOf<typeof auditFilters> | undefined
  search: AuditSearch
  onSearch: (search: AuditSearch) => void
}

/** By whom, what, on what kind of thing, and on which days. The choices are those that occur in the audit. */
export function AuditFilterBar({ known, search, onSearch }: Props) {
  const set = (change: AuditSearch) => onSearch({ ...search, ...change })
  return (
    <div role="group" aria-label="Filters" className="flex flex-wrap items-center gap-1.5">
      <Choice
        label="Person"
        all="Everybody"
        value={search.who}
        options={(known?.users ?? []).map(({ userId, name }) => ({ value: userId, label: name || 'Deleted account' }))}
        onChange={(who) => set({ who })}
      />
      <Choice
        label="Action"
        all="Every action"
        value={search.did}
        options={(known?.actions ?? []).map((action) => ({ value: action, label: capital(actionWords(action)) }))}
        onChange={(did) => set({ did })}
      />
      <Choice
        label="Kind"
        all="Every kind"
        value={search.kind}
        options={(known?.entityTypes ?? []).map((kind) => ({ value: kind, label: capital(entityWords(kind)) }))}
        onChange={(kind) => set({ kind })}
      />
      <DayRange value={search} onChange={set} />
      {isNarrowed(search) ? (
        <Button size="s" tone="quiet" onClick={() => onSearch({})}>
          Clear
        </Button>
      ) : null}
    </div>
  )
}

type ChoiceProps = {
  label: string
  all: string
  value: string | undefined
  options: { value: string; label: string }[]
  onChange: (value: string | undefined) => void
}

function Choice({ label, all, value = '', options, onChange }: ChoiceProps) {
  // keep showing what the URL names, even if it occurs in no entry
  const chosen =
    value === '' ? undefined : (options.find((option) => option.value === value) ?? { value, label: 'Unknown' })
  return (
    <Menu
      label={label}
      trigger={
        <FilterChip on={chosen !== undefined} opens>
          {chosen ? `${label}: ${chosen.label}` : label}
        </FilterChip>
      }
    >
      <MenuChoice
        label={label}
        value={value}
        options={[{ value: '', label: all }, ...options]}
        onChange={(next) => onChange(next || undefined)}
      />
    </Menu>
  )
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
