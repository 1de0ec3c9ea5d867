import Search from 'lucide-react/icons/search'
import { useState } from 'react'
import { allChannels } from '#contract/channels.ts'
import type { ProjectUser } from '#contract/members.ts'
import { myPermissions } from '#contract/organizations.ts'
import { assignRole } from '#contract/roles.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { SEARCH_FROM } from '#web/ui/ChannelChoice.tsx'
import { CHANNEL_WANTED, distinctions, fitsSearch, type NamedChannel } from '#web/ui/channelSelection.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { MoveList } from './MoveList.tsx'
import { nameOf } from './rights.ts'

type Props = { ids: ProjectIds; user: ProjectUser; roleId: string; onClose: () => void }

/** A member's channels, moved between a selected and an available list. At least one stays selected. */
export function ChannelAccessDialog({ ids, user, roleId, onClose }: Props) {
  const channels = useCall(allChannels, { params: ids }, { handles: true, staleTime: 0 })
  const mine = useCall(myPermissions, { params: ids }, { handles: true })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Channel Access"
      description={`The channels ${nameOf(user)} can access with the role ${user.role?.name ?? ''}.`}
      size="m"
    >
      <Loaded query={channels} skeleton={<SkeletonLines lines={6} />}>
        {({ channels: all }) => (
          <Loaded query={mine} skeleton={<SkeletonLines lines={6} />}>
            {({ channelIds }) => (
              <Lists
                ids={ids}
                user={user}
                roleId={roleId}
                channels={all}
                mayAll={channelIds === null}
                onClose={onClose}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Dialog>
  )
}

type ListsProps = Props & { channels: readonly NamedChannel[]; mayAll: boolean }

function Lists({ ids, user, roleId, channels, mayAll, onClose }: ListsProps) {
  const everyId = channels.map((channel) => channel.channelId)
  const [all, setAll] = useState(user.channels === null && mayAll)
  // none, once "All channels" is switched off
  const [chosen, setChosen] = useState<string[]>(
    user.channels?.map((channel) => channel.channelId) ?? (mayAll ? [] : everyId),
  )
  const [search, setSearch] = useState('')
  const [said, setSaid] = useState('')
  const send = useSend(assignRole, {
    handles: ['ROLE_EXCEEDS', 'OWN_ACCESS', 'ORG_ADMIN', 'BAD_INPUT', 'NOT_FOUND'],
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Role assigned successfully')
      onClose()
    },
  })

  const fits = (channel: NamedChannel) => fitsSearch(channel, search)
  const apart = distinctions(channels)
  const selected = channels.filter((channel) => chosen.includes(channel.channelId))
  const available = channels.filter((channel) => !chosen.includes(channel.channelId))
  const add = (added: readonly NamedChannel[]) => {
    setChosen([...chosen, ...added.map((channel) => channel.channelId)])
    setSaid(`${sayOf(added)} selected`)
  }
  const remove = (removed: readonly NamedChannel[]) => {
    // at least one stays
    const kept = removed.length >= selected.length ? removed.slice(1) : removed
    const gone = new Set(kept.map((channel) => channel.channelId))
    setChosen(chosen.filter((channelId) => !gone.has(channelId)))
    setSaid(`${sayOf(kept)} no longer selected`)
  }
  const last = selected.length === 1 ? 'At least one channel must stay selected.' : undefined
  const empty = !all && selected.length === 0

  return (
    <div className="grid gap-4">
      {send.error ? (
        <Banner
          tone="bad"
          live
          title={Object.values(send.error.errors)[0]?.[0] ?? send.error.detail ?? send.error.title}
        />
      ) : null}
      {mayAll ? (
        <Switch
          label="All channels, including future ones"
          hint="Channels you connect later are included automatically."
          checked={all}
          onChange={(event) => setAll(event.target.checked)}
        />
      ) : null}
      {all ? null : (
        <>
          {channels.length >= SEARCH_FROM ? (
            <TextInput
              aria-label="Search channels"
              placeholder="Search channels"
              start={<Search size={14} aria-hidden />}
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          ) : null}
          <div className="grid gap-4 md:grid-cols-2">
            <MoveList
              kind="selected"
              apart={apart}
              channels={selected.filter(fits)}
              total={selected.length}
              onMove={remove}
              why={last}
            />
            <MoveList
              kind="available"
              apart={apart}
              channels={available.filter(fits)}
              total={available.length}
              onMove={add}
            />
          </div>
          {user.moreChannels > 0 ? (
            <p className="text-sm text-ink-muted">{`${count(user.moreChannels, 'channel')} you can't access yourself won't change.`}</p>
          ) : null}
        </>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
      <div className="flex flex-wrap items-center justify-end gap-2">
        {empty ? <p className="mr-auto text-sm text-ink-muted">{CHANNEL_WANTED}.</p> : null}
        <Button onClick={onClose}>Cancel</Button>
        <Button
          tone="primary"
          disabled={empty}
          loading={send.isPending}
          onClick={() =>
            send.mutate({
              params: ids,
              body: { roleId, userId: user.userId, channelIds: all ? null : chosen, publishing: user.publishing },
            })
          }
        >
          Save
        </Button>
      </div>
    </div>
  )
}

const sayOf = (channels: readonly NamedChannel[]): string =>
  channels.length === 1 ? (channels[0]?.channelName ?? '') : `${channels.length} channels`
