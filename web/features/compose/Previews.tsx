import { useState, type ReactNode } from 'react'
import type { Channel } from '#contract/channels.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { Select } from '#web/ui/Select.tsx'

/** How the post will look, account by account. */
export function Previews({
  channels,
  active,
  noneYet,
  render,
}: {
  channels: readonly Channel[]
  /** The channel whose version is being edited. */ active: string | undefined
  /** What is said instead of a preview while no channel is chosen. */ noneYet: string
  render: (channel: Channel) => ReactNode
}) {
  const [wanted, setWanted] = useState<{ channelId: string; at: string | undefined }>()
  // editing another version previews it, unless a preview was chosen
  const shownId = wanted && wanted.at === active ? wanted.channelId : (active ?? wanted?.channelId)
  const shown = channels.find((channel) => channel.channelId === shownId) ?? channels[0]
  return (
    <section aria-labelledby="preview" className="grid content-start gap-2.5">
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h2 id="preview" className="font-bold">
          Preview
        </h2>
        {channels.length > 1 && shown ? (
          <Select
            aria-label="Preview for"
            className="max-w-56"
            value={shown.channelId}
            onChange={(event) => setWanted({ channelId: event.target.value, at: active })}
            options={channels.map((channel) => ({
              value: channel.channelId,
              label: `${platformName(channel.platformName)}: ${channel.channelName}`,
            }))}
          />
        ) : null}
      </div>
      {shown ? (
        render(shown)
      ) : (
        <p className="rounded-lg border border-dashed border-line-strong px-4 py-10 text-center text-ink-muted">
          {noneYet}
        </p>
      )}
    </section>
  )
}
