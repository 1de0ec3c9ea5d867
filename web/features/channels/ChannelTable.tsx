import { useState } from 'react'
import type { Channel } from '#contract/channels.ts'
import { dateOf } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { ChannelActions, FixChannel, type Rights } from './ChannelActions.tsx'
import { ChannelDialog } from './ChannelDialogs.tsx'
import { ChannelName } from './ChannelName.tsx'
import { ChannelStatus } from './ChannelStatus.tsx'
import type { RowAction } from './state.ts'

type Props = { ids: ProjectIds; channels: readonly Channel[]; may: Rights; zone: string }

/** The project's accounts, their statuses, and their actions. */
export function ChannelTable({ ids, channels, may, zone }: Props) {
  const [asked, setAsked] = useState<{ channelId: string; action: RowAction }>()
  // the row as it is now, not as it was when the menu opened
  const channel = channels.find((one) => one.channelId === asked?.channelId)
  const ask = (row: Channel) => (action: RowAction) => setAsked({ channelId: row.channelId, action })
  const columns: readonly Column<Channel>[] = [
    { key: 'account', header: 'Account', cell: (row) => <ChannelName channel={row} /> },
    {
      key: 'platform',
      header: 'Platform',
      cell: (row) => (
        <span className="inline-flex items-center gap-2 whitespace-nowrap">
          <PlatformIcon platform={row.platformName} named size={16} />
          {platformName(row.platformName)}
        </span>
      ),
    },
    {
      key: 'connectedOn',
      header: 'Connected on',
      cell: (row) => (
        <time dateTime={row.connectedOn} className="whitespace-nowrap">
          {dateOf(row.connectedOn, zone)}
        </time>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      cell: (row) => (
        <span className="grid min-w-0 justify-items-start gap-1.5">
          <ChannelStatus channel={row} />
          <span className="empty:hidden rows:hidden">
            <FixChannel channel={row} may={may} onAction={ask(row)} />
          </span>
        </span>
      ),
    },
    {
      key: 'action',
      header: 'Action',
      align: 'end',
      corner: true,
      cell: (row) => <ChannelActions channel={row} may={may} onAction={ask(row)} />,
    },
  ]
  return (
    <>
      <Table label="Channels" columns={columns} rows={channels} rowKey={(row) => row.channelId} />
      {asked && channel ? (
        <ChannelDialog
          key={`${asked.channelId} ${asked.action}`}
          ids={ids}
          channel={channel}
          action={asked.action}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
    </>
  )
}
