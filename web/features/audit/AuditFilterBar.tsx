import type { ReplyOf } from '#contract/endpoint.ts'
import type { auditFilters } from '#contract/audit.ts'
import { Button } from '#web/ui/Button.tsx'
import { DatePicker } from '#web/ui/DatePicker.tsx'
import { Select } from '#web/ui/Select.tsx'
import { isNarrowed, type AuditSearch } from './search.ts'
import { asLabel, inWords } from './words.ts'

type Props = { known: ReplyOf<typeof auditFilters> | undefined; search: AuditSearch; onSearch: (search: AuditSearch) => void }

/** By whom, what, on what kind of thing, and on which days. Choices are what stands in the audit. */
export function AuditFilterBar({ known, search, onSearch }: Props) {
  const set = (change: AuditSearch) => onSearch({ ...search, ...change })
  return (
    <div role="group" aria-label="Filters" className="flex flex-wrap items-center gap-2">
      <Choice label="Person" all="Everybody" value={search.who} options={(known?.users ?? []).map(({ userId, name }) => ({ value: userId, label: name || 'Deleted account' }))} onChange={(who) => set({ who })} />
      <Choice label="Action" all="Every action" value={search.did} options={(known?.actions ?? []).map((action) => ({ value: action, label: inWords(action) }))} onChange={(did) => set({ did })} />
      <Choice label="Kind" all="Every kind" value={search.kind} options={(known?.entityTypes ?? []).map((kind) => ({ value: kind, label: asLabel(kind) }))} onChange={(kind) => set({ kind })} />
      <span className="flex items-center gap-2">
        <DatePicker label="From" value={search.from} {...(search.to !== undefined && { max: search.to })} onChange={(from) => set({ from })} className="w-40" />
        <span aria-hidden className="text-ink-muted">
          to
        </span>
        <DatePicker label="To" value={search.to} {...(search.from !== undefined && { min: search.from })} onChange={(to) => set({ to })} className="w-40" />
      </span>
      {isNarrowed(search) ? (
        <Button size="s" tone="quiet" onClick={() => onSearch({})}>
          Clear
        </Button>
      ) : null}
    </div>
  )
}

type ChoiceProps = { label: string; all: string; value: string | undefined; options: { value: string; label: string }[]; onChange: (value: string | undefined) => void }

function Choice({ label, all, value = '', options, onChange }: ChoiceProps) {
  // what the address names stays to be seen, also when it stands in no entry
  const shown = value === '' || options.some((option) => option.value === value) ? options : [...options, { value, label: 'Unknown' }]
  return <Select aria-label={label} className="w-40" value={value} placeholder={all} options={shown} onChange={(event) => onChange(event.target.value || undefined)} />
}
