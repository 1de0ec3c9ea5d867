import { DELETED_LINK, type BioFigures } from '#contract/linkInBio/figures.ts'
import { Table, type Column } from '#web/ui/Table.tsx'

type Item = BioFigures['items'][number]

/** How often each link was clicked, the most clicked first. */
export function ClicksByLink({ items }: { items: readonly Item[] }) {
  const most = Math.max(1, ...items.map(({ clicks }) => clicks ?? 0))
  const columns: readonly Column<Item>[] = [
    {
      key: 'link',
      header: 'Link',
      cell: ({ label, url }) => (
        <span className="grid min-w-0">
          <span dir="auto" className="truncate font-semibold">
            {label ?? DELETED_LINK}
          </span>
          {url ? <span className="truncate text-sm text-ink-muted">{url}</span> : null}
        </span>
      ),
    },
    {
      key: 'clicks',
      header: 'Clicks',
      align: 'end',
      className: 'rows:w-56',
      cell: ({ clicks }) =>
        clicks === null ? (
          <span className="text-sm text-ink-muted">Not counted</span>
        ) : (
          <span className="flex items-center justify-end gap-2.5">
            <span aria-hidden className="h-1.5 grow overflow-hidden rounded-full bg-sunken max-sm:hidden">
              <span style={{ width: `${(clicks / most) * 100}%` }} className="block h-full rounded-full bg-accent" />
            </span>
            <span className="tnum w-12 text-right">{clicks.toLocaleString('en')}</span>
          </span>
        ),
    },
    {
      key: 'before',
      header: 'Before',
      align: 'end',
      className: 'rows:w-24',
      cell: ({ before }) => (
        <span className="tnum text-ink-muted">{before === null ? '–' : before.toLocaleString('en')}</span>
      ),
    },
  ]
  if (items.length === 0) return null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-bold">Clicks by link</h2>
      <Table
        figures
        label="Clicks by link"
        columns={columns}
        rows={items.toSorted((one, other) => (other.clicks ?? -1) - (one.clicks ?? -1))}
        rowKey={({ number }) => String(number)}
      />
    </div>
  )
}
