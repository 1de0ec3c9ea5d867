import ChevronDown from 'lucide-react/icons/chevron-down'
import Search from 'lucide-react/icons/search'
import { clsx } from 'clsx'
import { useState } from 'react'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { Checkbox } from './Checkbox.tsx'
import { controlClass, useField } from './Field.tsx'
import { PlatformIcon } from './PlatformIcon.tsx'
import { Popover } from './Popover.tsx'
import { Switch } from './Switch.tsx'
import { TextInput } from './TextInput.tsx'

/** A channel as access lists name it. */
export type NamedChannel = {
  channelId: string
  channelName: string
  platformName: PlatformKey
  profileUrl: string | null
}

/** From this many on, a list of channels can be searched. */
export const SEARCH_FROM = 9

type Props = {
  channels: readonly NamedChannel[]
  /** Null: every channel, including future ones. */
  value: readonly string[] | null
  onChange: (value: string[] | null) => void
  /** Whether all channels can be chosen: only by people who have all of them. */
  mayAll?: boolean
  /** Names the panel if there's no Field around it. */
  label?: string
  /** Why nothing can be chosen here, shown instead of the choice. */
  fixed?: string | undefined
  size?: 'm' | 'l'
}

/**
 * Which channels someone can access: all, including future ones, or selected ones. Looks like a select, opens a list.
 */
export function ChannelChoice({
  channels,
  value,
  onChange,
  mayAll = true,
  label = 'Channels',
  fixed,
  size = 'm',
}: Props) {
  const field = useField({})
  const [search, setSearch] = useState('')
  const shown = channels.filter((channel) => channel.channelName.toLowerCase().includes(search.trim().toLowerCase()))
  const toggle = (channelId: string, on: boolean) =>
    onChange(
      channels
        .map((channel) => channel.channelId)
        .filter((id) => (id === channelId ? on : value === null || value.includes(id))),
    )
  const look = clsx(
    controlClass,
    'flex items-center justify-between gap-2 pr-2.5 pl-2.5 text-left',
    size === 'l' ? 'h-10' : 'h-8 pointer-coarse:h-10',
  )
  const text = fixed ?? summaryOf(channels, value)
  return (
    <Popover
      label={label}
      className="w-72"
      trigger={
        <button
          type="button"
          {...field}
          aria-label={field.id ? undefined : `${label}: ${text}`}
          disabled={fixed !== undefined}
          className={look}
        >
          <span className={clsx('truncate', value?.length === 0 ? 'text-ink-muted' : '')}>{text}</span>
          <ChevronDown size={14} aria-hidden className="shrink-0 text-ink-muted" />
        </button>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {mayAll ? (
          <Switch
            label="All channels, including future ones"
            checked={value === null}
            onChange={(event) => onChange(event.target.checked ? null : channels.map((channel) => channel.channelId))}
          />
        ) : null}
        {channels.length >= SEARCH_FROM ? (
          <TextInput
            aria-label="Search channels"
            placeholder="Search channels"
            start={<Search size={14} aria-hidden />}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        ) : null}
        {channels.length === 0 ? (
          <p className="text-sm text-ink-muted">No channels are connected yet.</p>
        ) : (
          <ul aria-label={label} className="grid max-h-64 grid-cols-[minmax(0,1fr)] gap-2.5 overflow-y-auto py-0.5">
            {shown.map((channel) => (
              <li key={channel.channelId}>
                <Checkbox
                  checked={value === null || value.includes(channel.channelId)}
                  onChange={(event) => toggle(channel.channelId, event.target.checked)}
                  label={
                    <span className="flex min-w-0 items-center gap-2">
                      <PlatformIcon platform={channel.platformName} size={16} />
                      <span className="truncate">{channel.channelName}</span>
                    </span>
                  }
                />
              </li>
            ))}
            {shown.length === 0 ? <li className="text-sm text-ink-muted">No channels match.</li> : null}
          </ul>
        )}
      </div>
    </Popover>
  )
}

/** "All channels", "Northlight", "3 of 9 channels" */
function summaryOf(channels: readonly NamedChannel[], value: readonly string[] | null): string {
  if (value === null) return 'All channels'
  if (value.length === 0) return 'Choose channels'
  const only = value.length === 1 ? channels.find((channel) => channel.channelId === value[0])?.channelName : undefined
  return only ?? `${value.length} of ${channels.length} channels`
}
