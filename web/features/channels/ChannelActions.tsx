import CirclePause from 'lucide-react/icons/circle-pause'
import CirclePlay from 'lucide-react/icons/circle-play'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Plug from 'lucide-react/icons/plug'
import Trash from 'lucide-react/icons/trash-2'
import type { ReactNode } from 'react'
import type { Channel } from '#contract/channels.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/Menu.tsx'
import { canConnect } from './connectForms.ts'
import { actionsFor, type RowAction } from './state.ts'

const looks: Record<RowAction, { label: string; icon: ReactNode }> = {
  edit: { label: 'Edit', icon: <Pencil size={15} /> },
  enable: { label: 'Enable', icon: <CirclePlay size={15} /> },
  disable: { label: 'Disable', icon: <CirclePause size={15} /> },
  reconnect: { label: 'Reconnect', icon: <Plug size={15} /> },
  reactivate: { label: 'Reactivate', icon: <CirclePlay size={15} /> },
  delete: { label: 'Delete', icon: <Trash size={15} /> },
}
/** What mends a channel stands beside its row as well as in the menu. */
const mending: readonly RowAction[] = ['enable', 'reactivate']

export type Rights = { edit: boolean; connect: boolean; remove: boolean }

type Props = { channel: Channel; may: Rights; onAction: (action: RowAction) => void }

/** The one thing that mends the channel, as a button; nothing when all is well or others have to. */
export function MendChannel({ channel, may, onAction }: Props) {
  const allowed = allowedOf(channel, may)
  const mend = allowed.find((action) => mending.includes(action)) ?? (allowed[0] === 'reconnect' ? allowed[0] : undefined)
  return mend ? (
    <Button size="s" onClick={() => onAction(mend)} aria-label={`${looks[mend].label} ${channel.channelName}`}>
      {looks[mend].label}
    </Button>
  ) : null
}

/** What can be done to a channel: the thing that mends it as a button, everything in a menu. On a phone the button stands at the status. */
export function ChannelActions({ channel, may, onAction }: Props) {
  const allowed = allowedOf(channel, may)
  if (allowed.length === 0) return <span className="text-sm text-ink-muted">View only</span>
  const harmless = allowed.filter((action) => action !== 'delete')
  return (
    <span className="inline-flex items-center gap-1">
      <span className="max-md:hidden">
        <MendChannel channel={channel} may={may} onAction={onAction} />
      </span>
      <Menu align="end" label={`Actions for ${channel.channelName}`} trigger={<IconButton label={`Actions for ${channel.channelName}`} icon={<Ellipsis size={16} />} />}>
        {harmless.map((action) => (
          <MenuItem key={action} icon={looks[action].icon} onSelect={() => onAction(action)}>
            {looks[action].label}
          </MenuItem>
        ))}
        {allowed.includes('delete') ? (
          <>
            {harmless.length > 0 ? <MenuSeparator /> : null}
            <MenuItem danger icon={looks.delete.icon} onSelect={() => onAction('delete')}>
              {looks.delete.label}
            </MenuItem>
          </>
        ) : null}
      </Menu>
    </span>
  )
}

const allowedOf = (channel: Channel, may: Rights) => actionsFor(channel).filter((action) => isAllowed(action, channel, may))

function isAllowed(action: RowAction, channel: Channel, may: Rights): boolean {
  if (action === 'delete') return may.remove
  if (action !== 'reconnect' && action !== 'reactivate') return may.edit
  // a simulated account has no password to enter
  return may.connect && !channel.simulated && canConnect(channel.platformName)
}
