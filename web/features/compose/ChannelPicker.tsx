import { clsx } from 'clsx'
import { memo } from 'react'
import Check from 'lucide-react/icons/check'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { Channel } from '#contract/channels.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'

const NOT_YET = 'cannot be published to yet here'

type Props = { channels: readonly Channel[]; chosen: readonly string[]; onChange: (channelIds: string[]) => void; locked?: boolean; /** Platforms that nothing can be published to on this installation. */ unable?: ReadonlySet<PlatformKey>; error?: string | undefined }

/** Where the post goes: every channel is a switch. One that needs a person says so and can still be planned for. */
export const ChannelPicker = memo(function ChannelPicker({ channels, chosen, onChange, locked = false, unable, error }: Props) {
  const usable = channels.filter((channel) => channel.enabled)
  const toggle = (channelId: string) => onChange(channels.map((channel) => channel.channelId).filter((id) => (id === channelId ? !chosen.includes(id) : chosen.includes(id))))
  const all = usable.length > 0 && usable.every((channel) => chosen.includes(channel.channelId))
  return (
    <fieldset aria-describedby={error ? 'channels-error' : undefined} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <legend className="sr-only">Channels</legend>
      <div className={clsx('flex flex-wrap gap-2', channels.length > 3 ? 'max-md:-mx-3.5 max-md:flex-nowrap max-md:overflow-x-auto max-md:px-3.5 max-md:py-1 max-md:*:shrink-0' : '')}>
        {channels.map((channel) => {
          const on = chosen.includes(channel.channelId)
          const trouble = !channel.enabled ? 'disabled' : channel.status === 'CONNECTED' ? undefined : 'needs to be reconnected'
          const note = trouble ?? (unable?.has(channel.platformName) ? NOT_YET : undefined)
          return (
            <label
              key={channel.channelId}
              title={note ? `${channel.handle} ${note}` : channel.handle}
              className={clsx(
                'relative flex h-11 max-w-60 min-w-0 items-center gap-2.5 rounded-md border pr-3 pl-2 select-none has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
                on ? 'border-accent bg-accent-soft' : 'border-line bg-surface hover:border-line-strong',
                locked || !channel.enabled ? 'cursor-not-allowed' : 'cursor-pointer',
                channel.enabled ? '' : 'opacity-60',
              )}
            >
              <input type="checkbox" className="absolute inset-0 z-1 cursor-[inherit] opacity-0" checked={on} disabled={locked || (!channel.enabled && !on)} onChange={() => toggle(channel.channelId)} aria-label={`${channel.channelName}, ${platformName(channel.platformName)}${note ? `, ${note}` : ''}${channel.simulated ? ', simulated' : ''}`} />
              <Avatar name={channel.channelName} src={channel.profileUrl} platform={channel.platformName} size={26} />
              <span className="min-w-0">
                <span className="block truncate leading-tight font-semibold">{channel.channelName}</span>
                <span className="block truncate text-xs leading-tight text-ink-muted">{note === NOT_YET ? NOT_YET : channel.simulated ? 'simulated' : channel.handle}</span>
              </span>
              {note ? <TriangleAlert size={14} aria-hidden className="shrink-0 text-wait" /> : on ? <Check size={14} aria-hidden className="shrink-0 text-accent" /> : null}
            </label>
          )
        })}
        {usable.length > 2 && !locked ? (
          <Button tone="quiet" size="s" className="self-center" onClick={() => onChange(all ? [] : usable.map((channel) => channel.channelId))}>
            {all ? 'None' : 'All'}
          </Button>
        ) : null}
      </div>
      {error ? (
        <p id="channels-error" role="alert" className="text-sm text-bad">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
})
