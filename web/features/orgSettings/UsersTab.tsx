import Ellipsis from 'lucide-react/icons/ellipsis'
import LogOut from 'lucide-react/icons/log-out'
import UserX from 'lucide-react/icons/user-x'
import { useState } from 'react'
import { FIRST_PAGE } from '#contract/constants.ts'
import { endMemberSessions, listOrgUsers, type OrgUser } from '#contract/members.ts'
import { count, dateOf } from '#web/lib/format.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useCall, useFresh, useSend } from '#web/lib/queries.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ChipList } from '#web/ui/ChipList.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { PersonName } from '#web/ui/PersonName.tsx'
import { PlanReader } from '#web/ui/PlanReader.tsx'
import { RemoveFromOrganizationDialog } from '#web/ui/RemoveFromOrganizationDialog.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { toast } from '#web/ui/toast.ts'
import type { PagedTab } from './pagedTab.ts'

/** Every member of the organization with the projects that they are in. */
export function UsersTab({ orgId, zone, page, onPage }: PagedTab) {
  const users = useCall(listOrgUsers, { params: { orgId }, query: { page } }, { keepPrevious: true, handles: true })
  const mayDelete = useMay([['user', 'delete']]) === 'yes'
  const [asked, setAsked] = useState<string>()
  const [loggingOut, setLoggingOut] = useState<OrgUser>()
  const chosen = users.data?.users.find((one) => one.userId === asked)
  const columns: readonly Column<OrgUser>[] = [
    { key: 'name', header: 'Name', cell: (row) => <NameCell user={row} /> },
    {
      key: 'project',
      header: 'Project',
      cell: (row) => <ChipList items={row.projects.map(({ projectName }) => projectName)} />,
    },
    {
      key: 'added',
      header: 'Added On',
      cell: (row) => <span className="tnum whitespace-nowrap">{dateOf(row.addedOn, zone)}</span>,
    },
    {
      key: 'channels',
      header: 'Channel Access',
      cell: (row) => <span className={row.projects.length > 0 ? '' : 'text-ink-muted'}>{accessOf(row)}</span>,
    },
    {
      key: 'action',
      header: 'Action',
      align: 'end',
      corner: true,
      cell: (row) => (
        <Menu
          align="end"
          label={`Actions for ${nameOf(row)}`}
          trigger={<IconButton label={`Actions for ${nameOf(row)}`} icon={<Ellipsis size={16} />} />}
        >
          <MenuItem
            icon={<LogOut size={15} />}
            why={row.isYou ? 'End your own sessions in your profile.' : undefined}
            onSelect={() => setLoggingOut(row)}
          >
            Log out everywhere
          </MenuItem>
          <MenuItem
            icon={<UserX size={15} />}
            danger
            why={row.isYou ? "You can't remove yourself." : mayDelete ? undefined : "Your role doesn't allow this."}
            onSelect={() => setAsked(row.userId)}
          >
            Delete
          </MenuItem>
        </Menu>
      ),
    },
  ]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Loaded
        query={users}
        isEmpty={({ users: rows }) => rows.length === 0}
        empty={
          <EmptyState
            title={page > FIRST_PAGE ? 'No users on this page' : 'No users yet'}
            action={page > FIRST_PAGE ? <Button onClick={() => onPage(FIRST_PAGE)}>First page</Button> : null}
          />
        }
      >
        {({ users: rows, pagination }) => (
          <>
            <p className="tnum text-ink-muted">{count(pagination.totalCount, 'user')}</p>
            <Table label="Users" columns={columns} rows={rows} rowKey={(row) => row.userId} />
            <Pagination
              page={pagination.currentPage}
              totalPages={pagination.totalPages}
              onPage={onPage}
              loading={users.isPlaceholderData}
            />
          </>
        )}
      </Loaded>
      {loggingOut ? <LogOutDialog orgId={orgId} user={loggingOut} onClose={() => setLoggingOut(undefined)} /> : null}
      {chosen ? <DeleteDialog orgId={orgId} user={chosen} page={page} onClose={() => setAsked(undefined)} /> : null}
    </div>
  )
}

const nameOf = ({ firstName, lastName, email }: OrgUser): string => `${firstName} ${lastName}`.trim() || email

/** "All channels", "3 channels", or "All of Flagship, 2 of Second" where it differs. */
function accessOf({ projects }: OrgUser): string {
  if (projects.length === 0) return 'No Access'
  if (projects.every(({ channels }) => channels === null)) return 'All channels'
  if (projects.length === 1) return count(projects[0]?.channels ?? 0, 'channel')
  return projects
    .map(({ projectName, channels }) => `${channels === null ? 'All' : channels} of ${projectName}`)
    .join(', ')
}

function NameCell({ user }: { user: OrgUser }) {
  const twoFactor = user.secondFactor ? <Badge tone="ok">2FA</Badge> : null
  return (
    <PersonName name={nameOf(user)} pictureUrl={user.profileUrl} isYou={user.isYou} badges={twoFactor}>
      <span className="truncate text-sm text-ink-muted">{user.isOrgAdmin ? 'Organization admin' : user.email}</span>
      {user.planLocked ? <PlanReader /> : null}
    </PersonName>
  )
}

function DeleteDialog({
  orgId,
  user,
  page,
  onClose,
}: {
  orgId: string
  user: OrgUser
  page: number
  onClose: () => void
}) {
  const facts = useFresh(listOrgUsers, { params: { orgId }, query: { page } })
  const known = { ...user, projects: user.projects.length }
  return <RemoveFromOrganizationDialog orgId={orgId} name={nameOf(user)} user={known} facts={facts} onClose={onClose} />
}

function LogOutDialog({ orgId, user, onClose }: { orgId: string; user: OrgUser; onClose: () => void }) {
  const send = useSend(endMemberSessions, {
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Logged out on all devices')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Log ${nameOf(user)} out everywhere?`}
      action="Log out everywhere"
      loading={send.isPending}
      onConfirm={() => send.mutate({ params: { orgId, userId: user.userId } })}
    >
      <p>
        This ends their sessions on all devices, in every organization they belong to. They can log in again, and
        we&apos;ll email them about it.
      </p>
    </ConfirmDialog>
  )
}
