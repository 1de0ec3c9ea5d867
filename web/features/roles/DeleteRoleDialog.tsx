import { listInvites } from '#contract/invites.ts'
import { listUsers } from '#contract/members.ts'
import { deleteRole, type Role } from '#contract/roles.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { toast } from '#web/ui/toast.ts'

type Props = { ids: ProjectIds; role: Role; onClose: () => void }

/** Deletes a custom role that nobody has; otherwise says who does. */
export function DeleteRoleDialog(props: Props) {
  return props.role.members + props.role.invites > 0 ? <InUse {...props} /> : <Delete {...props} />
}

function Delete({ ids, role, onClose }: Props) {
  const send = useSend(deleteRole, {
    // someone got it in the meantime: the reloaded list shows who
    onError: onClose,
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Role deleted successfully')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete the role ${role.name}?`}
      action="Delete role"
      loading={send.isPending}
      onConfirm={() => send.mutate({ params: { ...ids, roleId: role.roleId } })}
    >
      Nobody has this role. You can't undo this.
    </ConfirmDialog>
  )
}

function InUse({ ids, role, onClose }: Props) {
  const users = useCall(listUsers, { params: ids, query: { limit: 100 } }, { handles: true, enabled: role.members > 0 })
  const invites = useCall(listInvites, { params: ids }, { handles: true, enabled: role.invites > 0 })
  const holders =
    users.data?.users
      .filter((user) => user.role?.roleId === role.roleId)
      .map((user) => `${user.firstName} ${user.lastName}`.trim() || user.email) ?? []
  const invited =
    invites.data?.invites
      .filter((invite) => invite.role.roleId === role.roleId)
      .map((invite) => `${invite.email}, invited`) ?? []
  const names = [...holders, ...invited]
  const rest = role.members + role.invites - names.length
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`The role ${role.name} is in use`}
      description="Give these people another role first, or revoke their invitation."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <ButtonLink to="/$orgId/project/$projectId/users" params={ids} tone="primary">
            Manage Users
          </ButtonLink>
        </>
      }
    >
      <ul className="grid gap-1">
        {names.map((name) => (
          <li dir="auto" key={name} className="truncate font-medium">
            {name}
          </li>
        ))}
        {rest > 0 ? (
          <li className="text-ink-muted">{names.length > 0 ? `and ${rest} more` : count(rest, 'person', 'people')}</li>
        ) : null}
      </ul>
    </Dialog>
  )
}
