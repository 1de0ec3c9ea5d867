import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import type { CannedResponse } from '#contract/inbox/cannedResponses.ts'
import { count, dateOf } from '#web/lib/format.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'

type Props = {
  responses: readonly CannedResponse[]
  may: { edit: boolean; remove: boolean }
  onEdit: (response: CannedResponse) => void
  onDelete: (response: CannedResponse) => void
}

/** Canned responses with how often they were sent, and what can be done with each. */
export function CannedResponseTable({ responses, may, onEdit, onDelete }: Props) {
  const zone = useProjectZone()
  const columns: Column<CannedResponse>[] = [
    {
      key: 'name',
      header: 'Name',
      names: true,
      cell: (response) => <span className="font-semibold">{response.name}</span>,
    },
    {
      key: 'text',
      header: 'Text',
      cell: ({ text }) => (
        <span dir="auto" className="line-clamp-2 max-w-140 break-words whitespace-pre-line">
          {text}
        </span>
      ),
    },
    {
      key: 'used',
      header: 'Used',
      cell: ({ used }) => <span className="tnum">{used === 0 ? 'Never' : count(used, 'time')}</span>,
    },
    {
      key: 'updated',
      header: 'Updated',
      cell: ({ updatedAt, author }) => (
        <span className="tnum text-ink-muted">
          {dateOf(updatedAt, zone)}
          {author ? `, ${author.name}` : ''}
        </span>
      ),
    },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      corner: true,
      align: 'end',
      cell: (response) =>
        may.edit || may.remove ? (
          <Menu
            align="end"
            trigger={<IconButton label={`Actions for ${response.name}`} icon={<Ellipsis size={16} />} />}
          >
            {may.edit ? (
              <MenuItem icon={<Pencil size={14} aria-hidden />} onSelect={() => onEdit(response)}>
                Edit
              </MenuItem>
            ) : null}
            {may.remove ? (
              <MenuItem danger icon={<Trash size={14} aria-hidden />} onSelect={() => onDelete(response)}>
                Delete
              </MenuItem>
            ) : null}
          </Menu>
        ) : null,
    },
  ]
  return <Table label="Canned responses" columns={columns} rows={responses} rowKey={(one) => one.responseId} />
}
