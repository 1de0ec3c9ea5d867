import type { BulkImport } from '#contract/bulk.ts'
import { momentOf } from '#web/lib/format.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Table } from '#web/ui/Table.tsx'
import { lookOfImport, summaryOf } from './messages.ts'

/** The imports of the project, newest first. */
export function BulkImports({
  imports,
  onOpen,
}: {
  imports: readonly BulkImport[]
  onOpen: (importId: string) => void
}) {
  const zone = useProjectZone()
  return (
    <Table
      label="Imports"
      rows={imports}
      rowKey={({ importId }) => importId}
      columns={[
        {
          key: 'name',
          header: 'Import',
          cell: ({ importId, name }) => (
            <button
              type="button"
              className="hit-area max-w-full min-w-0 truncate text-left font-semibold hover:underline"
              onClick={() => onOpen(importId)}
            >
              {name}
            </button>
          ),
        },
        {
          key: 'rows',
          header: 'Rows',
          cell: ({ counts }) => <span className="tnum text-ink-muted">{summaryOf(counts)}</span>,
        },
        { key: 'by', header: 'By', cell: ({ author }) => author.name },
        {
          key: 'at',
          header: 'Added',
          cell: ({ createdAt }) => <span className="tnum whitespace-nowrap">{momentOf(createdAt, zone)}</span>,
        },
        {
          key: 'state',
          header: 'Status',
          cell: (one) => {
            const { word, tone } = lookOfImport(one)
            return <Badge tone={tone}>{word}</Badge>
          },
        },
      ]}
    />
  )
}
