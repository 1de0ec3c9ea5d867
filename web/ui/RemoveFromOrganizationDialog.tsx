import type { ComponentProps } from 'react'
import { removeFromOrganization } from '#contract/members.ts'
import { useSend } from '#web/lib/queries.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { RemovedUsersPosts } from './RemovedUsersPosts.tsx'
import { toast } from './toast.ts'

type Props = {
  orgId: string
  name: string
  /** `projects` is the number of the person's projects; undefined while it's unknown. */
  user: { userId: string; scheduledPosts: number | null; projects: number | undefined }
  facts: ComponentProps<typeof ConfirmDialog>['facts']
  onClose: () => void
}

/** Asks before a person is removed from the organization, and removes them. */
export function RemoveFromOrganizationDialog({ orgId, name, user, facts, onClose }: Props) {
  const send = useSend(removeFromOrganization, {
    onSuccess: ({ message }) => {
      toast.success(message ?? 'User deleted from org successfully')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      facts={facts}
      onOpenChange={onClose}
      title={`Remove ${name} from the organization?`}
      action="Remove from organization"
      loading={send.isPending}
      onConfirm={() => send.mutate({ params: { orgId, userId: user.userId } })}
    >
      <p>{`${name} loses access to the organization${andProjects(user.projects)} immediately and can only come back with a new invitation.`}</p>
      <RemovedUsersPosts scheduled={user.scheduledPosts} />
    </ConfirmDialog>
  )
}

function andProjects(projects: number | undefined): string {
  if (projects === 0) return ''
  if (projects === 1) return ' and its project'
  return projects === undefined ? ' and its projects' : ` and all ${projects} projects`
}
