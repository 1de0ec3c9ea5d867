import ChevronDown from 'lucide-react/icons/chevron-down'
import Search from 'lucide-react/icons/search'
import { clsx } from 'clsx'
import { useState, type Ref } from 'react'
import { Button } from './Button.tsx'
import {
  distinctions,
  fitsSearch,
  selectionInWords,
  switchAll,
  switchOne,
  type ChannelSelection,
  type NamedChannel,
} from './channelSelection.ts'
import { Checkbox } from './Checkbox.tsx'
import { controlClass, useField } from './Field.tsx'
import { PlatformIcon } from './PlatformIcon.tsx'
import { Popover } from './Popover.tsx'
import { Switch } from './Switch.tsx'
import { TextInput } from './TextInput.tsx'

/** From this many on, a list of channels can be searched. */
export const SEARCH_FROM = 9

type Props = {
  channels: readonly NamedChannel[]
  /** Null: every channel, including future ones. */
  value: ChannelSelection
  onChange: (value: string[] | null) => void
  /** Whether all channels can be chosen: only by people who have all of them. */
  mayAll?: boolean
  /** Names the panel if there's no Field around it. */
  label?: string
  /** Why nothing can be chosen here, shown instead of the choice. */
  fixed?: string | undefined
  size?: 'm' | 'l'
  /** The button that opens it, for a form that focuses its first error. */
  ref?: Ref<HTMLButtonElement>
}

/**
 * Which channels someone can access: all, including future ones, or selected ones. Looks like a select, opens a list.
 * Switching "All channels" off leaves none selected.
 */
export function ChannelChoice({
  channels,
  value,
  onChange,
  mayAll = true,
  label = 'Channels',
  fixed,
  size = 'm',
  ref,
}: Props) {
  const field = useField({})
  const look = clsx(
    controlClass,
    'flex items-center justify-between gap-2 pr-2.5 pl-2.5 text-left',
    size === 'l' ? 'h-10' : 'h-8 pointer-coarse:h-10',
  )
  const text = fixed ?? selectionInWords(channels, value)
  return (
    <Popover
      label={label}
      className="w-80"
      trigger={
        <button
          type="button"
          ref={ref}
          {...field}
          aria-label={field.id ? undefined : `${label}: ${text}`}
          disabled={fixed !== undefined}
          className={look}
        >
          <span
            dir="auto"
            className={clsx('truncate', value?.length === 0 && fixed === undefined ? 'text-ink-muted' : '')}
          >
            {text}
          </span>
          <ChevronDown size={14} aria-hidden className="shrink-0 text-ink-muted" />
        </button>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {mayAll ? (
          <Switch
            label="All channels, including future ones"
            hint={value === null && channels.length > 0 ? 'Turn this off to choose channels.' : undefined}
            checked={value === null}
            onChange={(event) => onChange(switchAll(event.target.checked))}
          />
        ) : null}
        {channels.length === 0 ? (
          <p className="text-sm text-ink-muted">No channels are connected yet.</p>
        ) : value === null ? null : (
          <ChannelList channels={channels} selected={value} onChange={onChange} label={label} />
        )}
      </div>
    </Popover>
  )
}

type ListProps = {
  channels: readonly NamedChannel[]
  selected: readonly string[]
  onChange: (selected: string[]) => void
  label: string
}

function ChannelList({ channels, selected, onChange, label }: ListProps) {
  const [search, setSearch] = useState('')
  const shown = channels.filter((channel) => fitsSearch(channel, search))
  const apart = distinctions(channels)
  const addShown = () =>
    onChange(shown.reduce((all, { channelId }) => switchOne(channels, all, channelId, true), [...selected]))
  return (
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
      <div className="flex items-center gap-1">
        <p role="status" className="tnum mr-auto text-sm text-ink-muted">
          {`${selected.length} of ${channels.length} selected`}
        </p>
        <Button
          tone="quiet"
          size="s"
          disabled={shown.every(({ channelId }) => selected.includes(channelId))}
          onClick={addShown}
        >
          All
        </Button>
        <Button tone="quiet" size="s" disabled={selected.length === 0} onClick={() => onChange([])}>
          None
        </Button>
      </div>
      <ul aria-label={label} className="grid max-h-64 grid-cols-[minmax(0,1fr)] gap-2.5 overflow-y-auto py-0.5">
        {shown.map((channel) => {
          const distinction = apart.get(channel.channelId)
          return (
            <li key={channel.channelId}>
              <Checkbox
                checked={selected.includes(channel.channelId)}
                onChange={(event) => onChange(switchOne(channels, selected, channel.channelId, event.target.checked))}
                label={
                  <span className="flex min-w-0 items-center gap-2">
                    <PlatformIcon platform={channel.platformName} size={16} named={distinction !== undefined} />
                    <span
                      dir="auto"
                      className={clsx('truncate', distinction === undefined ? '' : 'max-w-[60%] shrink-0')}
                    >
                      {channel.channelName}
                    </span>
                    {distinction === undefined ? null : (
                      <span dir="auto" className="truncate text-sm text-ink-muted" title={distinction}>
                        {distinction}
                      </span>
                    )}
                  </span>
                }
              />
            </li>
          )
        })}
        {shown.length === 0 ? <li className="text-sm text-ink-muted">No channels match.</li> : null}
      </ul>
    </>
  )
}
