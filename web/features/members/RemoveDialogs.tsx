import { appointAdmin, listOrgUsers, listUsers, removeFromProject, type ProjectUser } from '#contract/members.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useFresh, useSend } from '#web/lib/queries.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { RemoveFromOrganizationDialog } from '#web/ui/RemoveFromOrganizationDialog.tsx'
import { RemovedUsersPosts } from '#web/ui/RemovedUsersPosts.tsx'
import { toast } from '#web/ui/toast.ts'
import { nameOf } from './rights.ts'

type Props = { ids: ProjectIds; user: ProjectUser; onClose: () => void }

export function RemoveFromProjectDialog({ ids, user, onClose }: Props) {
  const facts = useFresh(listUsers, { params: ids, query: { limit: 100 } })
  const found = facts.data?.users.find((one) => one.userId === user.userId)
  const send = useSend(removeFromProject, {
    onSuccess: ({ message }) => {
      toast.success(message ?? 'User deleted from project successfully')
      onClose()
    },
  })
  const name = nameOf(user)
  return (
    <ConfirmDialog
      open
      facts={facts}
      onOpenChange={onClose}
      title={`Remove ${name} from the project?`}
      action="Remove from project"
      loading={send.isPending}
      onConfirm={() => send.mutate({ params: { ...ids, userId: user.userId } })}
    >
      <p>{`${name} loses access to this project immediately but stays in the organization.`}</p>
      <RemovedUsersPosts scheduled={found?.scheduledPosts ?? user.scheduledPosts} />
    </ConfirmDialog>
  )
}

export function LeaveOrganizationDialog({ ids: { orgId }, user, onClose }: Props) {
  const facts = useFresh(listOrgUsers, { params: { orgId }, query: { limit: 100 } })
  const found = facts.data?.users.find((one) => one.userId === user.userId)
  const known = { ...user, ...found, projects: found?.projects.length }
  return <RemoveFromOrganizationDialog orgId={orgId} name={nameOf(user)} user={known} facts={facts} onClose={onClose} />
}

export function AdminDialog({ ids: { orgId }, user, make, onClose }: Props & { make: boolean }) {
  const name = nameOf(user)
  const send = useSend(appointAdmin, {
    onSuccess: ({ message }) => {
      toast.success(
        message ?? (make ? `${name} is now an organization admin` : `${name} is no longer an organization admin`),
      )
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={make ? `Make ${name} an organization admin?` : `Remove ${name} as organization admin?`}
      action={make ? 'Make admin' : 'Remove as admin'}
      danger={!make}
      loading={send.isPending}
      onConfirm={() => send.mutate({ params: { orgId, userId: user.userId }, body: { isOrgAdmin: make } })}
    >
      {make
        ? "They'll be an Admin in every project. They'll be able to add and remove other admins, and change organization settings."
        : `They stay in the organization and keep their role in each project. ${user.role ? `Their role here is ${user.role.name}.` : "They don't have a role in this project."}`}
    </ConfirmDialog>
  )
}
