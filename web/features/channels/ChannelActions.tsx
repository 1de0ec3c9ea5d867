import CirclePause from 'lucide-react/icons/circle-pause'
import CirclePlay from 'lucide-react/icons/circle-play'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Plug from 'lucide-react/icons/plug'
import Trash from 'lucide-react/icons/trash-2'
import { useId, type ReactNode } from 'react'
import type { Channel } from '#contract/channels.ts'
import { errorCatalog } from '#contract/errors.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import { useNow } from '#web/lib/now.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/Menu.tsx'
import { actionsFor, type RowAction } from './state.ts'

const looks: Record<RowAction, { label: string; icon: ReactNode }> = {
  edit: { label: 'Edit', icon: <Pencil size={15} /> },
  enable: { label: 'Enable', icon: <CirclePlay size={15} /> },
  disable: { label: 'Disable', icon: <CirclePause size={15} /> },
  reconnect: { label: 'Reconnect', icon: <Plug size={15} /> },
  reactivate: { label: 'Reactivate', icon: <CirclePlay size={15} /> },
  unlock: { label: 'Reactivate', icon: <CirclePlay size={15} /> },
  delete: { label: 'Delete', icon: <Trash size={15} /> },
}
/** What fixes a channel is next to its row as well as in the menu. */
const fixing: readonly RowAction[] = ['enable', 'reactivate', 'reconnect']

export type Rights = { edit: boolean; connect: boolean; remove: boolean }

type Props = { channel: Channel; may: Rights; onAction: (action: RowAction) => void }

/** The one action that fixes the channel, as a button; nothing if all is well or others have to do it. */
export function FixChannel({ channel, may, onAction }: Props) {
  const fix = useActions(channel).find((action) => fixing.includes(action) && isAllowed(action, may))
  return fix ? (
    <Button size="s" onClick={() => onAction(fix)} aria-label={`${looks[fix].label} ${channel.channelName}`}>
      {looks[fix].label}
    </Button>
  ) : null
}

/** A channel's actions: the one that fixes it as a button, all in a menu. On a phone, the button is at the status. */
export function ChannelActions({ channel, may, onAction }: Props) {
  const reasonId = useId()
  const actions = useActions(channel)
  // a role that allows none of them has no menu
  if (!actions.some((action) => isAllowed(action, may))) return null
  const denied = actions.some((action) => !isAllowed(action, may))
  const item = (action: RowAction) => {
    const { label, icon } = looks[action]
    // actions the role doesn't allow stay reachable by keyboard, with their reason
    return isAllowed(action, may) ? (
      <MenuItem key={action} icon={icon} danger={action === 'delete'} onSelect={() => onAction(action)}>
        {label}
      </MenuItem>
    ) : (
      <MenuItem
        key={action}
        icon={icon}
        aria-disabled
        aria-describedby={reasonId}
        className="cursor-not-allowed opacity-50"
        onSelect={(event) => event.preventDefault()}
      >
        {label}
      </MenuItem>
    )
  }
  return (
    <span className="inline-flex items-center gap-1">
      <span className="cards:hidden">
        <FixChannel channel={channel} may={may} onAction={onAction} />
      </span>
      <Menu
        align="end"
        label={`Actions for ${channel.channelName}`}
        trigger={<IconButton label={`Actions for ${channel.channelName}`} icon={<Ellipsis size={16} />} />}
      >
        {actions.filter((action) => action !== 'delete').map(item)}
        <MenuSeparator />
        {item('delete')}
        {denied ? (
          <p id={reasonId} className="max-w-48 px-2 pt-1 pb-1.5 text-xs text-pretty text-ink-muted">
            {errorCatalog.FORBIDDEN.detail}
          </p>
        ) : null}
      </Menu>
    </span>
  )
}

/**
 * The actions that the channel's state allows. A simulated account has nothing to sign in to, unless its platform's
 * page is simulated as well.
 */
function useActions(channel: Channel): readonly RowAction[] {
  const now = useNow()
  return actionsFor(channel, now).filter(
    (action) =>
      !channel.simulated ||
      platformRules[channel.platformName].app !== null ||
      (action !== 'reconnect' && action !== 'reactivate'),
  )
}

function isAllowed(action: RowAction, may: Rights): boolean {
  if (action === 'delete') return may.remove
  return action === 'reconnect' || action === 'reactivate' ? may.connect : may.edit
}
