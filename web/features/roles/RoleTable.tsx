import Copy from 'lucide-react/icons/copy'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Eye from 'lucide-react/icons/eye'
import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import type { Role } from '#contract/roles.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { summaryOf } from '#web/lib/roleWords.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/Menu.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { DeleteRoleDialog } from './DeleteRoleDialog.tsx'

export type RoleRights = { create: boolean; edit: boolean; remove: boolean }

type Props = {
  ids: ProjectIds
  roles: readonly Role[]
  may: RoleRights
  onOpen: (roleId: string) => void
  onDuplicate: (roleId: string) => void
}

/** The project's roles with what each can do. */
export function RoleTable({ ids, roles, may, onOpen, onDuplicate }: Props) {
  const [deleting, setDeleting] = useState<string>()
  const asked = roles.find((role) => role.roleId === deleting)
  const columns: readonly Column<Role>[] = [
    {
      key: 'name',
      header: 'Name',
      className: 'rows:w-52',
      cell: (row) => (
        <span className="flex min-w-0 items-center gap-2">
          <button
            type="button"
            onClick={() => onOpen(row.roleId)}
            className="hit-area truncate rounded-sm font-semibold hover:underline"
          >
            {row.name}
          </button>
          {row.kind === 'custom' ? <Badge tone="accent">Custom</Badge> : null}
        </span>
      ),
    },
    { key: 'can', header: 'Can', cell: (row) => <Can role={row} /> },
    {
      key: 'members',
      header: 'Members',
      className: 'rows:w-36',
      cell: (row) => (
        <span className="tnum whitespace-nowrap">
          {row.members}
          {row.invites > 0 ? <span className="text-ink-muted">{`, ${row.invites} invited`}</span> : null}
        </span>
      ),
    },
    {
      key: 'action',
      header: 'Action',
      align: 'end',
      corner: true,
      cell: (row) => {
        const own = row.kind === 'custom'
        return (
          <Menu
            align="end"
            label={`Actions for ${row.name}`}
            trigger={<IconButton label={`Actions for ${row.name}`} icon={<Ellipsis size={16} />} />}
          >
            <MenuItem
              icon={own && may.edit ? <Pencil size={15} /> : <Eye size={15} />}
              onSelect={() => onOpen(row.roleId)}
            >
              {own && may.edit ? 'Edit' : 'View permissions'}
            </MenuItem>
            {may.create ? (
              <MenuItem icon={<Copy size={15} />} onSelect={() => onDuplicate(row.roleId)}>
                Duplicate
              </MenuItem>
            ) : null}
            {own ? (
              <>
                <MenuSeparator />
                <MenuItem
                  danger={may.remove}
                  disabled={!may.remove}
                  icon={<Trash size={15} />}
                  onSelect={() => setDeleting(row.roleId)}
                >
                  Delete
                </MenuItem>
                {may.remove ? null : <MenuLabel>Your role doesn't allow deleting roles.</MenuLabel>}
              </>
            ) : null}
          </Menu>
        )
      },
    },
  ]
  return (
    <>
      <Table label="Roles" columns={columns} rows={roles} rowKey={(row) => row.roleId} />
      {asked ? <DeleteRoleDialog ids={ids} role={asked} onClose={() => setDeleting(undefined)} /> : null}
    </>
  )
}

/** A role's first permissions; the rest is a click away. */
const SHOWN = 2
function Can({ role }: { role: Role }) {
  const { can, looksAt } = summaryOf(role.permissions)
  if (role.kind === 'admin') return <span className="text-ink-muted">Everything in the project</span>
  if (can.length === 0) return <span className="text-ink-muted">{looksAt.length > 0 ? 'View only' : 'Nothing'}</span>
  return (
    <span className="text-ink-muted">{`${can.slice(0, SHOWN).join('. ')}${can.length > SHOWN ? `, and ${can.length - SHOWN} more` : ''}`}</span>
  )
}
