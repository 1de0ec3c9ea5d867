import { useState, type ReactNode } from 'react'
import type { Channel } from '#contract/channels.ts'
import { Select } from '#web/ui/Select.tsx'

/** How the post will look, account by account. */
export function Previews({ channels, render }: { channels: readonly Channel[]; render: (channel: Channel | undefined) => ReactNode }) {
  const [wanted, setWanted] = useState<string>()
  const shown = channels.find((channel) => channel.channelId === wanted) ?? channels[0]
  return (
    <section aria-labelledby="preview" className="grid content-start gap-2.5">
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h2 id="preview" className="font-bold">
          Preview
        </h2>
        {channels.length > 1 && shown ? <Select aria-label="Preview for" className="max-w-56" value={shown.channelId} onChange={(event) => setWanted(event.target.value)} options={channels.map((channel) => ({ value: channel.channelId, label: channel.channelName }))} /> : null}
      </div>
      {render(shown)}
    </section>
  )
}
