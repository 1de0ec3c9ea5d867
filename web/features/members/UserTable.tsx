import { useState } from 'react'
import type { ProjectUser } from '#contract/members.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { PersonName } from '#web/ui/PersonName.tsx'
import { PlanReader } from '#web/ui/PlanReader.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { channelsInWords, ChannelTags } from './ChannelTags.tsx'
import { PermissionsCell } from './PermissionsCell.tsx'
import { nameOf, type MemberRights, type RowAction } from './rights.ts'
import { UserActions } from './UserActions.tsx'
import { UserDialog } from './UserDialog.tsx'

type Props = { ids: ProjectIds; users: readonly ProjectUser[]; may: MemberRights }

/** The project's members, their permissions and actions. */
export function UserTable({ ids, users, may }: Props) {
  const [asked, setAsked] = useState<{ userId: string; action: RowAction }>()
  // the row as it is now, not as it was when the menu opened
  const user = users.find((one) => one.userId === asked?.userId)
  const ask = (row: ProjectUser) => (action: RowAction) => setAsked({ userId: row.userId, action })
  const columns: readonly Column<ProjectUser>[] = [
    { key: 'name', header: 'Name', cell: (row) => <NameCell user={row} /> },
    { key: 'role', header: 'Role', cell: (row) => <RoleCell user={row} /> },
    { key: 'permissions', header: 'Permissions', cell: (row) => <PermissionsCell ids={ids} user={row} /> },
    {
      key: 'channels',
      header: 'Channel Access',
      cell: (row) => (
        <Tooltip text="Channel Access">
          <button
            type="button"
            onClick={() => ask(row)('access')}
            aria-label={`Channel access of ${nameOf(row)}: ${channelsInWords(row)}`}
            className="hit-area inline-flex max-w-full min-w-0 items-center gap-1 rounded-md cards:flex-wrap"
          >
            <ChannelTags {...row} />
          </button>
        </Tooltip>
      ),
    },
    {
      key: 'action',
      header: 'Action',
      align: 'end',
      corner: true,
      cell: (row) => <UserActions user={row} may={may} onAction={ask(row)} />,
    },
  ]
  return (
    <>
      <Table label="Users" columns={columns} rows={users} rowKey={(row) => row.userId} />
      {asked && user ? (
        <UserDialog
          key={`${asked.userId} ${asked.action}`}
          ids={ids}
          user={user}
          may={may}
          action={asked.action}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
    </>
  )
}

function NameCell({ user }: { user: ProjectUser }) {
  const name = nameOf(user)
  return (
    <PersonName name={name} pictureUrl={user.profileUrl} isYou={user.isYou}>
      {name === user.email ? null : (
        <span dir="auto" className="truncate text-sm text-ink-muted">
          {user.email}
        </span>
      )}
    </PersonName>
  )
}

function RoleCell({ user }: { user: ProjectUser }) {
  return (
    <span className="grid min-w-0 rows:min-w-max">
      <span dir="auto" className={user.role ? 'truncate' : 'text-ink-muted'}>
        {user.role?.name ?? 'View only'}
      </span>
      {user.isOrgAdmin ? <span className="truncate text-sm text-ink-muted">Organization admin</span> : null}
      {user.planLocked ? <PlanReader /> : null}
    </span>
  )
}
