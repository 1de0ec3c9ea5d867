import Ellipsis from 'lucide-react/icons/ellipsis'
import Link2 from 'lucide-react/icons/link-2'
import Send from 'lucide-react/icons/send'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { listInvites, resendInvite, revokeInvite, type Invite } from '#contract/invites.ts'
import { publishingWords } from '#contract/permissions.ts'
import { count, dateOf } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/Menu.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { toast } from '#web/ui/toast.ts'

type Props = { ids: ProjectIds; invites: readonly Invite[]; zone: string }

/** Invitations that wait for an answer, and expired ones. */
export function InviteTable({ ids, invites, zone }: Props) {
  const [revoking, setRevoking] = useState<string>()
  const resend = useSend(resendInvite, {
    refreshes: [listInvites],
    onSuccess: ({ message }) => toast.success(message ?? 'Invitation resent'),
  })
  const revoke = useSend(revokeInvite, {
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Invitation revoked')
      setRevoking(undefined)
    },
  })
  const asked = invites.find((invite) => invite.inviteId === revoking)
  const day = (instant: string) => (
    <time dateTime={instant} className="whitespace-nowrap">
      {dateOf(instant, zone)}
    </time>
  )
  const columns: readonly Column<Invite>[] = [
    {
      key: 'email',
      header: 'Email',
      cell: (row) => (
        <span className="grid min-w-0">
          <span dir="auto" className="truncate font-semibold">
            {row.email}
          </span>
          {row.invitedBy ? (
            <span className="truncate text-sm text-ink-muted">{`Invited by ${row.invitedBy}`}</span>
          ) : null}
        </span>
      ),
    },
    {
      key: 'role',
      header: 'Role',
      cell: (row) => (
        <span className="grid min-w-0">
          <span dir="auto" className="truncate">
            {row.role.name}
          </span>
          <span className="truncate text-sm text-ink-muted">
            {row.channels === null
              ? publishingWords[row.publishes]
              : `${publishingWords[row.publishes]}, ${count(row.channels.length + row.moreChannels, 'channel')}`}
          </span>
        </span>
      ),
    },
    { key: 'sent', header: 'Sent', cell: (row) => day(row.sentAt) },
    {
      key: 'expires',
      header: 'Expires',
      cell: (row) => (row.state === 'expired' ? <Badge tone="wait">Expired</Badge> : day(row.expiresAt)),
    },
    {
      key: 'action',
      header: 'Action',
      align: 'end',
      corner: true,
      cell: (row) => (
        <Menu
          align="end"
          label={`Actions for ${row.email}`}
          trigger={<IconButton label={`Actions for ${row.email}`} icon={<Ellipsis size={16} />} />}
        >
          <MenuItem
            icon={<Send size={15} />}
            onSelect={() => resend.mutate({ params: { ...ids, inviteId: row.inviteId } })}
          >
            Resend
          </MenuItem>
          {row.state === 'open' ? (
            <MenuItem icon={<Link2 size={15} />} onSelect={() => void copyLink(row.link)}>
              Copy link
            </MenuItem>
          ) : null}
          <MenuSeparator />
          <MenuItem danger icon={<Trash size={15} />} onSelect={() => setRevoking(row.inviteId)}>
            Revoke
          </MenuItem>
        </Menu>
      ),
    },
  ]
  return (
    <>
      <Table label="Pending invitations" columns={columns} rows={invites} rowKey={(row) => row.inviteId} />
      {asked ? (
        <ConfirmDialog
          open
          onOpenChange={() => setRevoking(undefined)}
          title={`Revoke the invitation for ${asked.email}?`}
          action="Revoke"
          loading={revoke.isPending}
          onConfirm={() => revoke.mutate({ params: { ...ids, inviteId: asked.inviteId } })}
        >
          The link in their email stops working immediately. You can invite this person again.
        </ConfirmDialog>
      ) : null}
    </>
  )
}

/** Only someone signed in with the invited email can use it. */
async function copyLink(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link)
    toast.success('Link copied')
  } catch {
    // plain http, or denied by the person: the link can still be selected and copied
    toast.warning(`Copy this link: ${link}`)
  }
}
