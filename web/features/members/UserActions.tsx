import Ellipsis from 'lucide-react/icons/ellipsis'
import RadioTower from 'lucide-react/icons/radio-tower'
import ShieldCheck from 'lucide-react/icons/shield-check'
import ShieldMinus from 'lucide-react/icons/shield-minus'
import UserCog from 'lucide-react/icons/user-cog'
import UserMinus from 'lucide-react/icons/user-minus'
import UserX from 'lucide-react/icons/user-x'
import { Fragment, type ReactNode } from 'react'
import type { ProjectUser } from '#contract/members.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/Menu.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { actionsOf, nameOf, whyNot, type MemberRights, type RowAction } from './rights.ts'

const looks: Record<RowAction, { label: string; icon: ReactNode; danger?: boolean }> = {
  role: { label: 'Change role', icon: <UserCog size={15} /> },
  access: { label: 'Channel Access', icon: <RadioTower size={15} /> },
  makeAdmin: { label: 'Make organization admin', icon: <ShieldCheck size={15} /> },
  takeAdmin: { label: 'Remove as organization admin', icon: <ShieldMinus size={15} /> },
  leaveProject: { label: 'Remove from project', icon: <UserMinus size={15} />, danger: true },
  leaveOrganization: { label: 'Remove from organization', icon: <UserX size={15} />, danger: true },
}

/** A row's menu. Disabled actions are listed too, with the reason. */
export function UserActions({
  user,
  may,
  onAction,
}: {
  user: ProjectUser
  may: MemberRights
  onAction: (action: RowAction) => void
}) {
  const label = `Actions for ${nameOf(user)}`
  const actions = actionsOf(user, may).map((action) => ({ action, ...looks[action], why: whyNot(action, user, may) }))
  // shown once below the actions, for keyboards and touch, which tooltips don't reach
  const reasons = [...new Set(actions.flatMap(({ why }) => why ?? []))]
  return (
    <Menu
      align="end"
      label={label}
      className="max-w-72"
      trigger={<IconButton label={label} icon={<Ellipsis size={16} />} />}
    >
      {actions.map(({ action, label: words, icon, danger = false, why }) => {
        const item = (
          <MenuItem icon={icon} danger={danger && !why} disabled={why !== undefined} onSelect={() => onAction(action)}>
            {words}
          </MenuItem>
        )
        return (
          <Fragment key={action}>
            {action === 'leaveProject' ? <MenuSeparator /> : null}
            {why ? <Tooltip text={why}>{item}</Tooltip> : item}
          </Fragment>
        )
      })}
      {reasons.length > 0 ? <MenuSeparator /> : null}
      {reasons.map((reason) => (
        <MenuLabel key={reason}>{reason}</MenuLabel>
      ))}
    </Menu>
  )
}
