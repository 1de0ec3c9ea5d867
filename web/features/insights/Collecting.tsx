import { useState } from 'react'
import { insightsCollecting } from '#contract/analytics/collecting.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { dayText } from '#web/lib/dates.ts'
import { count, momentOf } from '#web/lib/format.ts'
import { useProjectIds, useProjectZone, type ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Link } from '#web/ui/Link.tsx'
import { paperClass } from '#web/ui/Panel.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { Progress } from '#web/ui/Progress.tsx'
import { collectingLines, type CollectingLine } from './collectingLines.ts'
import { useChannels } from './useChannels.ts'
import { useToday } from './useToday.ts'

const FIRST = 3

type Props = { /** Only its channels. */ platform?: PlatformKey; /** Only this one. */ channelId?: string }

/** What is still being read of the project's channels, and what is in the way. Nothing while all is well. */
export default function Collecting({ platform, channelId: only }: Props) {
  const ids = useProjectIds()
  const channels = useChannels(ids)
  const today = useToday()
  const [all, setAll] = useState(false)
  const found = useCall(insightsCollecting, { params: ids }, { handles: true })
  const isShown = (channel: { platformName: PlatformKey } | undefined) =>
    channel !== undefined && (platform === undefined || channel.platformName === platform)
  const lines = collectingLines(found.data?.channels ?? [], today).filter(
    ({ channelId }) => isShown(channels.get(channelId)) && (only === undefined || channelId === only),
  )
  if (lines.length === 0) return null
  const shown = all ? lines : lines.slice(0, FIRST)
  return (
    <section aria-label="Figures to come" className={`${paperClass} grid gap-2.5 px-3.5 py-3`}>
      <h2 className="font-semibold">Figures to come</h2>
      <ul className="grid gap-2.5">
        {shown.map((line) => {
          const channel = channels.get(line.channelId)
          return (
            <li key={`${line.channelId} ${line.kind}`} className="flex items-start gap-2">
              {channel ? <PlatformIcon platform={channel.platformName} size={16} /> : null}
              <div className="min-w-0 grow">
                <Line ids={ids} line={line} name={channel?.shownName ?? ''} />
              </div>
            </li>
          )
        })}
      </ul>
      {lines.length > FIRST ? (
        <Button size="s" tone="quiet" className="justify-self-start" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${count(lines.length, 'reading')}`}
        </Button>
      ) : null}
    </section>
  )
}

function Line({ ids, line, name }: { ids: ProjectIds; line: CollectingLine; name: string }) {
  const zone = useProjectZone()
  const said = (text: string, link?: React.ReactNode) => (
    <p className="text-pretty">
      <span className="font-medium">{name}</span>{' '}
      <span className="text-ink-muted">
        {text} {link}
      </span>
    </p>
  )
  switch (line.kind) {
    case 'disconnected':
      return said(
        "It's disconnected, so nothing new is read.",
        <Link to="/$orgId/project/$projectId/channels" params={ids} search={{ reconnect: line.channelId }}>
          Reconnect
        </Link>,
      )
    case 'rights':
      return said(
        'A permission is missing to read its figures.',
        <Link to="/$orgId/project/$projectId/channels" params={ids} search={{ reconnect: line.channelId }}>
          Reconnect
        </Link>,
      )
    case 'off':
      return said(
        'The platform charges for reading. Nothing is read until a monthly limit is set.',
        <Link to="/$orgId/project/$projectId/org-settings" params={ids}>
          Organization settings
        </Link>,
      )
    case 'soon':
      return said('The first figures come within ten minutes.')
    case 'late':
      return said(
        line.at === null
          ? 'The last reading failed.'
          : `The last reading failed. We try again on ${momentOf(line.at, zone)}.`,
      )
    case 'history':
      return (
        <Progress
          label={`${name}: figures back to ${dayText(line.day)}`}
          value={line.done}
          max={line.all}
          note={`${line.done} of ${count(line.all, 'day')}`}
        />
      )
    case 'posts':
    default:
      return (
        <Progress
          label={`${name}: newest posts`}
          value={line.done}
          max={line.all}
          note={`${line.done} of up to ${line.all}`}
        />
      )
  }
}
