import type { ProjectUser } from '#contract/members.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { ChannelAccessDialog } from './ChannelAccessDialog.tsx'
import { ChannelsDialog } from './ChannelsDialog.tsx'
import { ChangeRoleDialog } from './ChangeRoleDialog.tsx'
import { AdminDialog, LeaveOrganizationDialog, RemoveFromProjectDialog } from './RemoveDialogs.tsx'
import { whyNot, type MemberRights, type RowAction } from './rights.ts'

type Props = { ids: ProjectIds; user: ProjectUser; may: MemberRights; action: RowAction; onClose: () => void }

/** The dialog behind each action of a row; people who can't edit the channels can view them. */
export function UserDialog({ action, may, ...rest }: Props) {
  switch (action) {
    case 'role':
      return <ChangeRoleDialog {...rest} />
    case 'makeAdmin':
    case 'takeAdmin':
      return <AdminDialog {...rest} make={action === 'makeAdmin'} />
    case 'leaveProject':
      return <RemoveFromProjectDialog {...rest} />
    case 'leaveOrganization':
      return <LeaveOrganizationDialog {...rest} />
    case 'access':
    default: {
      const { role } = rest.user
      return role && !whyNot('access', rest.user, may) ? (
        <ChannelAccessDialog {...rest} roleId={role.roleId} />
      ) : (
        <ChannelsDialog {...rest} why={whyNot('access', rest.user, may)} />
      )
    }
  }
}
