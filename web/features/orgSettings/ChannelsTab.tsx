import RadioTower from 'lucide-react/icons/radio-tower'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState, type ReactNode } from 'react'
import { FIRST_PAGE } from '#contract/constants.ts'
import { deleteOrgChannel, listOrgChannels, type OrgChannel } from '#contract/orgSettings.ts'
import { count, dateOf } from '#web/lib/format.ts'
import { useCall, useFresh, useSend } from '#web/lib/queries.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { PlanLocked } from '#web/ui/PlanLocked.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { toast } from '#web/ui/toast.ts'
import type { PagedTab } from './pagedTab.ts'

/** Every channel of the organization, in all projects. `setup` leads to where platforms are set up. */
export function ChannelsTab({ orgId, zone, page, onPage, setup }: PagedTab & { setup: ReactNode }) {
  const channels = useCall(
    listOrgChannels,
    { params: { orgId }, query: { page } },
    { keepPrevious: true, handles: true },
  )
  const [asked, setAsked] = useState<string>()
  const chosen = channels.data?.channels.find((one) => one.channelId === asked)
  const columns: readonly Column<OrgChannel>[] = [
    { key: 'account', header: 'Account', cell: (row) => <Account channel={row} /> },
    {
      key: 'platform',
      header: 'Platform',
      cell: (row) => (
        <span className="flex items-center gap-2 whitespace-nowrap">
          <PlatformIcon platform={row.platformName} size={15} />
          {platformName(row.platformName)}
        </span>
      ),
    },
    {
      key: 'project',
      header: 'Project',
      cell: (row) => (
        <bdi dir="auto" className="truncate">
          {row.projectName}
        </bdi>
      ),
    },
    {
      key: 'connected',
      header: 'Connected on',
      cell: (row) => <span className="tnum whitespace-nowrap">{dateOf(row.createdAt, zone)}</span>,
    },
    {
      key: 'status',
      header: 'Status',
      cell: (row) => (
        <span className="grid min-w-0 justify-items-start gap-1">
          <Badge tone={row.connectionState === 'Active' ? 'ok' : 'neutral'}>{row.connectionState}</Badge>
          {row.planLocked && !row.deleting ? (
            <PlanLocked platform={row.platformName} waiting={row.scheduledPosts} />
          ) : null}
        </span>
      ),
    },
    {
      key: 'action',
      header: 'Action',
      align: 'end',
      corner: true,
      cell: (row) =>
        row.deleting ? (
          <span className="text-sm text-ink-muted">Deleting</span>
        ) : (
          <IconButton
            label={`Delete ${row.channelName}`}
            icon={<Trash2 size={15} />}
            tone="danger"
            onClick={() => setAsked(row.channelId)}
          />
        ),
    },
  ]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-ink-muted">
        <span className="tnum">{channels.data ? count(channels.data.pagination.totalCount, 'channel') : ' '}</span>
        {setup}
      </p>
      <Loaded
        query={channels}
        isEmpty={({ channels: rows }) => rows.length === 0}
        empty={
          page > FIRST_PAGE ? (
            <EmptyState
              icon={<RadioTower size={20} />}
              title="No channels on this page"
              action={<Button onClick={() => onPage(FIRST_PAGE)}>First page</Button>}
            />
          ) : (
            <EmptyState icon={<RadioTower size={20} />} title="No channels found in your account">
              Add a channel to your account to get started
            </EmptyState>
          )
        }
      >
        {({ channels: rows, pagination }) => (
          <>
            <Table label="Channels" columns={columns} rows={rows} rowKey={(row) => row.channelId} />
            <Pagination
              page={pagination.currentPage}
              totalPages={pagination.totalPages}
              onPage={onPage}
              loading={channels.isPlaceholderData}
            />
          </>
        )}
      </Loaded>
      {chosen ? <DeleteDialog orgId={orgId} channel={chosen} page={page} onClose={() => setAsked(undefined)} /> : null}
    </div>
  )
}

function Account({ channel }: { channel: OrgChannel }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={channel.channelName} src={channel.profileUrl} size={30} />
      <span className="grid min-w-0">
        <bdi dir="auto" className="truncate font-semibold" title={channel.channelName}>
          {channel.channelName}
        </bdi>
        {channel.domain ? <span className="truncate text-sm text-ink-muted">{channel.domain}</span> : null}
      </span>
    </span>
  )
}

function DeleteDialog({
  orgId,
  channel,
  page,
  onClose,
}: {
  orgId: string
  channel: OrgChannel
  page: number
  onClose: () => void
}) {
  const facts = useFresh(listOrgChannels, { params: { orgId }, query: { page } })
  const send = useSend(deleteOrgChannel, {
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Channel deleted successfully')
      onClose()
    },
  })
  const posts = channel.scheduledPosts
  return (
    <ConfirmDialog
      open
      facts={facts}
      onOpenChange={onClose}
      title={`Delete ${channel.channelName}?`}
      action="Delete channel"
      loading={send.isPending}
      onConfirm={() => send.mutate({ params: { orgId, channelId: channel.channelId } })}
    >
      {posts > 0
        ? `${count(posts, 'scheduled post')} ${posts === 1 ? 'becomes a draft' : 'become drafts'} in ${channel.projectName}. `
        : 'This channel has no scheduled posts. '}
      Published posts stay on {platformName(channel.platformName)} and in the history of {channel.projectName}.
    </ConfirmDialog>
  )
}
