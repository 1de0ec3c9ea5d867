import { clsx } from 'clsx'
import { useState } from 'react'
import Check from 'lucide-react/icons/check'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { useCheckResults, useComposer, useComposerState, useOptions, useVersion } from './ComposerContext.ts'

const NOT_YET = 'not available yet'
/** From this many on, finding a channel takes a search. */
const MANY = 12

/**
 * Where the post goes: every channel is a switch. One that needs attention says so and can still be used. Choosing one
 * moves none of the others.
 */
export function ChannelPicker() {
  const { store, channels: all, edited, zone, began } = useComposer()
  const { unable } = useOptions()
  const { channelError: error } = useCheckResults()
  const { chosen: picked } = useVersion()
  const chosen = useComposerState(({ doc }) => doc.channelIds)
  // an edited post has a fixed channel
  const locked = edited !== undefined
  const channels = locked ? picked : all
  const onChange = (channelIds: readonly string[]) =>
    store.dispatch({ type: 'channelsChosen', channelIds, beginning: { channels: all, zone, began } })
  const [words, setWords] = useState('')
  const usable = channels.filter((channel) => channel.enabled)
  const toggle = (channelId: string) =>
    onChange(
      channels
        .map((channel) => channel.channelId)
        .filter((id) => (id === channelId ? !chosen.includes(id) : chosen.includes(id))),
    )
  const isAll = usable.length > 0 && usable.every((channel) => chosen.includes(channel.channelId))
  const sought = words.trim().toLowerCase()
  const shown =
    sought === ''
      ? channels
      : channels.filter((channel) =>
          `${channel.channelName} ${channel.handle} ${platformName(channel.platformName)}`
            .toLowerCase()
            .includes(sought),
        )
  return (
    <fieldset
      aria-describedby={error ? 'channels-error' : undefined}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2"
    >
      <legend className="sr-only">Channels</legend>
      {usable.length > 2 && !locked ? (
        <div className="flex min-h-8 items-center gap-3">
          <span className="tnum mr-auto text-sm text-ink-muted">
            {chosen.length} of {channels.length} channels
          </span>
          {channels.length > MANY ? (
            <TextInput
              type="search"
              aria-label="Find a channel"
              placeholder="Find a channel"
              value={words}
              onChange={({ target }) => setWords(target.value)}
              className="h-8! max-w-44 text-sm"
            />
          ) : null}
          <Button
            tone="quiet"
            size="s"
            onClick={() => onChange(isAll ? [] : usable.map((channel) => channel.channelId))}
          >
            {isAll ? 'None' : 'All'}
          </Button>
        </div>
      ) : null}
      <div
        className={clsx(
          'grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-2',
          // two scrolling rows instead of a wall in front of the text
          channels.length > 4
            ? 'max-md:-mx-3.5 max-md:auto-cols-[10.5rem] max-md:grid-flow-col max-md:grid-cols-none max-md:grid-rows-2 max-md:overflow-x-auto max-md:px-3.5 max-md:py-1.5'
            : '',
        )}
      >
        {shown.map((channel) => {
          const on = chosen.includes(channel.channelId)
          const trouble = !channel.enabled
            ? 'disabled'
            : channel.status === 'CONNECTED'
              ? undefined
              : 'needs to be reconnected'
          const note = trouble ?? (unable.has(channel.platformName) ? NOT_YET : undefined)
          return (
            <label
              key={channel.channelId}
              title={`${channel.channelName}, ${channel.handle}${note ? ` ${note}` : ''}`}
              className={clsx(
                'relative flex h-11 min-w-0 items-center gap-2 rounded-md border px-1.5 select-none has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
                on ? 'border-accent bg-accent-soft' : 'border-line bg-surface hover:border-line-strong',
                locked || !channel.enabled ? 'cursor-not-allowed' : 'cursor-pointer',
                channel.enabled ? '' : 'opacity-60',
              )}
            >
              <input
                type="checkbox"
                className="absolute inset-0 z-1 cursor-[inherit] opacity-0"
                checked={on}
                disabled={locked || (!channel.enabled && !on)}
                onChange={() => toggle(channel.channelId)}
                aria-label={`${channel.channelName}, ${platformName(channel.platformName)}${note ? `, ${note}` : ''}${channel.simulated ? ', simulated' : ''}`}
              />
              <Avatar name={channel.channelName} src={channel.profileUrl} platform={channel.platformName} size={26} />
              <span className="min-w-0 grow">
                <span dir="auto" className="block truncate leading-tight font-semibold">
                  {channel.channelName}
                </span>
                <span
                  dir="auto"
                  className={clsx('block truncate text-xs leading-tight', note ? 'text-wait' : 'text-ink-muted')}
                >
                  {note ?? `${platformName(channel.platformName)}${channel.simulated ? ', simulated' : ''}`}
                </span>
              </span>
              {on ? (
                <span
                  aria-hidden
                  className="absolute -top-1.5 -right-1.5 grid size-4 place-items-center rounded-full bg-accent text-on-accent"
                >
                  <Check size={11} strokeWidth={3} />
                </span>
              ) : null}
              {note ? <TriangleAlert size={14} aria-hidden className="shrink-0 text-wait" /> : null}
            </label>
          )
        })}
        {shown.length === 0 ? (
          <p className="col-span-full self-center text-sm text-ink-muted">No channels match.</p>
        ) : null}
      </div>
      {error ? (
        <p id="channels-error" role="alert" className="text-sm text-bad">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
