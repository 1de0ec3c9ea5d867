import { getRouteApi, useNavigate } from '@tanstack/react-router'
import MailPlus from 'lucide-react/icons/mail-plus'
import UserPlus from 'lucide-react/icons/user-plus'
import Users from 'lucide-react/icons/users'
import { useState } from 'react'
import { allChannels } from '#contract/channels.ts'
import { FIRST_PAGE } from '#contract/constants.ts'
import { listInvites } from '#contract/invites.ts'
import { listUsers } from '#contract/members.ts'
import { myPermissions, plan } from '#contract/organizations.ts'
import { InviteDialog } from '#web/features/invites/InviteDialog.tsx'
import { InviteTable } from '#web/features/invites/InviteTable.tsx'
import { AddUserDialog } from '#web/features/members/AddUserDialog.tsx'
import type { MemberRights } from '#web/features/members/rights.ts'
import { UserTable } from '#web/features/members/UserTable.tsx'
import { count } from '#web/lib/format.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { EmptyState } from '#web/ui/states.tsx'

const route = getRouteApi('/$orgId/project/$projectId/users')
type Adding = 'member' | 'invite'

export default function UsersScreen() {
  const ids = useProjectIds()
  const { page = FIRST_PAGE, add } = route.useSearch()
  const navigate = useNavigate({ from: '/$orgId/project/$projectId/users' })
  const go = (search: { page?: number; add?: Adding | undefined }) =>
    void navigate({ search: (before) => ({ ...before, add: undefined, ...search }), replace: true })
  const [address, setAddress] = useState<string>()

  const users = useCall(listUsers, { params: ids, query: { page } }, { keepPrevious: true, handles: true })
  const mine = useCall(myPermissions, { params: ids }, { handles: true })
  const may: MemberRights = {
    add: useMay([['user', 'add']]) === 'yes',
    remove: useMay([['user', 'delete']]) === 'yes',
    assign: useMay([['role', 'assign']]) === 'yes',
    isOrgAdmin: mine.data?.isOrgAdmin ?? false,
  }
  const channels = useCall(allChannels, { params: ids }, { handles: true, enabled: may.add })
  const seats = useSeats(ids.orgId, may.add)
  const open = (kind: Adding, email?: string) => {
    setAddress(email)
    go({ add: kind })
  }
  const buttons = may.add ? (
    <>
      <Button icon={<UserPlus size={15} aria-hidden />} onClick={() => open('member')}>
        Add User
      </Button>
      <Button icon={<MailPlus size={15} aria-hidden />} onClick={() => open('invite')}>
        Invite User
      </Button>
    </>
  ) : null

  return (
    <Page
      title="Manage Users"
      controls={users.data ? <span className="flex gap-2 max-md:hidden">{buttons}</span> : null}
      bar={
        users.data ? (
          <div className="flex grow flex-wrap items-center justify-between gap-3">
            <p className="tnum flex flex-wrap gap-x-4 text-ink-muted">
              <span>
                Total Users <b className="font-bold text-ink">{users.data.pagination.totalCount}</b>
              </span>
              {seats ? <span>{seats}</span> : null}
            </p>
            {buttons ? <span className="flex gap-2 md:hidden">{buttons}</span> : null}
          </div>
        ) : null
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Loaded
          query={users}
          isEmpty={({ users: rows }) => rows.length === 0}
          empty={
            <EmptyState
              icon={<Users size={20} />}
              title={page > FIRST_PAGE ? 'No users on this page' : 'No users yet'}
              action={page > FIRST_PAGE ? <Button onClick={() => go({ page: FIRST_PAGE })}>First page</Button> : null}
            />
          }
        >
          {({ users: rows, pagination }) => (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
              <UserTable ids={ids} users={rows} may={may} />
              <Pagination
                page={pagination.currentPage}
                totalPages={pagination.totalPages}
                onPage={(next) => go({ page: next })}
                loading={users.isPlaceholderData}
              />
            </div>
          )}
        </Loaded>
        {may.add ? <PendingInvitations /> : null}
      </div>
      {may.add && add === 'member' ? (
        <AddUserDialog
          ids={ids}
          channels={channels}
          onClose={() => go({})}
          onInvite={(email) => open('invite', email)}
        />
      ) : null}
      {may.add && add === 'invite' ? (
        <InviteDialog ids={ids} channels={channels} email={address} seats={seats} onClose={() => go({})} />
      ) : null}
    </Page>
  )
}

/** Open invitations; shows nothing if there are none. */
function PendingInvitations() {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const invites = useCall(listInvites, { params: ids }, { handles: true })
  if (invites.data?.invites.length === 0) return null
  return (
    <section aria-labelledby="pending-invitations" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 id="pending-invitations" className="text-lg font-bold">
        Pending invitations
      </h2>
      <Loaded query={invites}>{({ invites: rows }) => <InviteTable ids={ids} invites={rows} zone={zone} />}</Loaded>
    </section>
  )
}

/** "2 of 5 users of the plan"; how many it includes where some can only view; nothing for a plan without a limit. */
function useSeats(orgId: string, wanted: boolean): string | undefined {
  const facts = useCall(plan, { params: { orgId } }, { handles: true, enabled: wanted }).data
  if (!facts || facts.maxUsers === null) return undefined
  const included = count(facts.maxUsers, 'user')
  return facts.currentUsers > facts.maxUsers
    ? `Your plan includes ${included}`
    : `${facts.currentUsers} of ${included} in your plan`
}
