import { useState } from 'react'
import type { BulkRow } from '#contract/bulk.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Select } from '#web/ui/Select.tsx'
import { rowsInWords } from './messages.ts'

export type BulkChannel = { handle: string; platformName: PlatformKey }

/** What a row's cell says for a channel: its handle, with the platform if another one has the same. */
const channelCell = ({ handle, platformName }: BulkChannel, all: readonly BulkChannel[]): string =>
  all.filter((one) => one.handle.toLowerCase() === handle.toLowerCase()).length > 1
    ? `${platformRules[platformName].label}: ${handle}`
    : handle

/** Rows that a person can give a channel together: those that name none, as in other tools' files. */
const withoutChannel = (rows: readonly BulkRow[]): BulkRow[] =>
  rows.filter(({ state, cells }) => state === 'open' && cells.channel === '')

/** One channel for all rows without one. */
export function MissingChannels({
  rows,
  channels,
  loading,
  onUse,
}: {
  rows: readonly BulkRow[]
  channels: readonly BulkChannel[]
  loading: boolean
  onUse: (rows: readonly BulkRow[], cell: string) => void
}) {
  const [chosen, setChosen] = useState('')
  const lacking = withoutChannel(rows)
  if (lacking.length === 0 || channels.length === 0) return null
  const options = channels.map((channel) => {
    const cell = channelCell(channel, channels)
    return { value: cell, label: `${platformRules[channel.platformName].label}: ${channel.handle}` }
  })
  const cell = options.find(({ value }) => value === chosen)?.value ?? options[0]?.value ?? ''
  return (
    <Banner tone="info" title={`${rowsInWords(lacking.length)} without a channel`}>
      <div className="mt-1 flex flex-wrap items-center gap-2">
        <Select
          aria-label="Channel for rows without one"
          className="w-64"
          value={cell}
          options={options}
          onChange={(event) => setChosen(event.target.value)}
        />
        <Button loading={loading} onClick={() => onUse(lacking, cell)}>
          Use for these rows
        </Button>
      </div>
    </Banner>
  )
}
