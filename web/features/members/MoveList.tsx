import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { useId, useRef } from 'react'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import type { NamedChannel } from '#web/ui/channelSelection.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'

type Props = {
  kind: 'selected' | 'available'
  /** Those that match the search. */
  channels: readonly NamedChannel[]
  /** What tells channels with the same name apart, by ID. */
  apart: ReadonlyMap<string, string>
  total: number
  onMove: (channels: readonly NamedChannel[]) => void
  /** Why none of them can be moved. */
  why?: string | undefined
}

const words = {
  selected: {
    title: 'Selected',
    one: 'Remove',
    all: 'Remove all but one',
    none: 'No channels are selected.',
    Icon: ArrowRight,
  },
  available: { title: 'Available', one: 'Add', all: 'Add all', none: 'Every channel is selected.', Icon: ArrowLeft },
}

/** One of two lists: every channel in it is a button that moves it to the other. */
export function MoveList({ kind, channels, apart, total, onMove, why }: Props) {
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const { title, one, all, none, Icon } = words[kind]
  const move = (channel: NamedChannel, row: number) => {
    if (why) return
    onMove([channel])
    // the focus moves to what replaces the moved one
    requestAnimationFrame(() => {
      const buttons = list.current?.querySelectorAll('button') ?? []
      const next = buttons[Math.min(row, buttons.length - 1)]
      if (next) next.focus()
      else document.getElementById(`${id}-title`)?.focus()
    })
  }
  return (
    <section aria-labelledby={`${id}-title`} className="flex min-w-0 flex-col gap-1.5">
      <div className="flex h-7 items-center justify-between gap-2">
        <h3 id={`${id}-title`} tabIndex={-1} className="text-sm font-semibold">
          {title} <span className="tnum font-normal text-ink-muted">{total}</span>
        </h3>
        <Button
          tone="quiet"
          size="s"
          disabled={channels.length === 0 || why !== undefined}
          onClick={() => onMove(channels)}
        >
          {all}
        </Button>
      </div>
      <ul
        ref={list}
        aria-labelledby={`${id}-title`}
        className="h-60 overflow-y-auto rounded-md border border-line bg-surface p-1 max-md:h-auto max-md:max-h-48 max-md:min-h-12"
      >
        {channels.map((channel, row) => {
          const button = (
            <button
              type="button"
              aria-disabled={why !== undefined}
              aria-describedby={why ? `${id}-why` : undefined}
              aria-label={`${one} ${channel.channelName}, ${apart.get(channel.channelId) ?? platformName(channel.platformName)}`}
              onClick={() => move(channel, row)}
              className="group flex min-h-9 w-full items-center gap-2.5 rounded-[6px] px-2 py-1 text-left hover:bg-hover focus-visible:-outline-offset-2 aria-disabled:cursor-not-allowed pointer-coarse:min-h-10"
            >
              <Avatar name={channel.channelName} src={channel.profileUrl} platform={channel.platformName} size={22} />
              <span className="grid min-w-0 grow">
                <span dir="auto" className="truncate">
                  {channel.channelName}
                </span>
                {apart.has(channel.channelId) ? (
                  <span className="truncate text-sm leading-tight text-ink-muted">{apart.get(channel.channelId)}</span>
                ) : null}
              </span>
              <Icon
                size={14}
                aria-hidden
                className="shrink-0 text-ink-faint group-hover:text-ink group-aria-disabled:invisible max-md:rotate-90"
              />
            </button>
          )
          return <li key={channel.channelId}>{why ? <Tooltip text={why}>{button}</Tooltip> : button}</li>
        })}
        {channels.length === 0 ? (
          <li className="px-2 py-1.5 text-sm text-ink-muted">{total === 0 ? none : 'No channels match.'}</li>
        ) : null}
      </ul>
      {why && total > 0 ? (
        <p id={`${id}-why`} className="text-sm text-ink-muted">
          {why}
        </p>
      ) : null}
    </section>
  )
}
