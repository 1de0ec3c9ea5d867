import FilterX from 'lucide-react/icons/filter-x'
import Inbox from 'lucide-react/icons/inbox'
import RadioTower from 'lucide-react/icons/radio-tower'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { DeniedState, EmptyState } from '#web/ui/states.tsx'
import type { InboxView } from './inboxViews.ts'
import { isFiltering, type InboxFilters } from './inboxSearch.ts'
import { chosenChannels, isFirstReading, isReadable, isUnconnected, unreadable, type ReadChannel } from './reading.ts'
import { viewLook } from './views.ts'

type Props = {
  view: InboxView
  /** Undefined while they're being asked for, or can't be. */
  channels: readonly ReadChannel[] | undefined
  filters: InboxFilters
  onReset: () => void
}

/** Why nothing is in the list, and what to do about it. */
export function InboxEmpty({ view, channels = [], filters, onReset }: Props) {
  const ids = useProjectIds()
  const mayConnect = useMay([['channel', 'create']]) === 'yes'
  const maySee = useMay([
    ['dm', 'view'],
    ['comment', 'view'],
  ])
  if (maySee === 'no') return <DeniedState />
  const chosen = chosenChannels(channels, filters)
  if (chosen && chosen.length > 0 && !chosen.some(isReadable))
    return (
      <EmptyState
        icon={<RadioTower size={20} />}
        title="Nothing to read here"
        action={<Button onClick={onReset}>Reset filters</Button>}
      >
        <Unreadable channels={chosen} />
      </EmptyState>
    )
  if (isFiltering(filters))
    return (
      <EmptyState
        icon={<FilterX size={20} />}
        title="No conversations match these filters"
        action={<Button onClick={onReset}>Reset filters</Button>}
      >
        Remove a filter to see more.
      </EmptyState>
    )
  const connect = mayConnect ? (
    <ButtonLink to="/$orgId/project/$projectId/channels" params={ids} search={{ connect: 'list' }}>
      Connect a channel
    </ButtonLink>
  ) : null
  if (channels.length === 0)
    return (
      <EmptyState icon={<RadioTower size={20} />} title="No channels yet" action={connect}>
        Connect a channel, and what people write to it appears here.
      </EmptyState>
    )
  if (!channels.some(isReadable))
    return (
      <EmptyState icon={<RadioTower size={20} />} title="Nothing to read here" action={connect}>
        <Unreadable channels={channels} />
      </EmptyState>
    )
  // the banner above says what to do
  if (isUnconnected(channels))
    return (
      <EmptyState icon={<RadioTower size={20} />} title="Your inbox isn't connected yet">
        Conversations appear here once a channel is reconnected.
      </EmptyState>
    )
  if (isFirstReading(channels))
    return (
      <EmptyState icon={<RefreshCw size={20} />} title="We're reading your conversations">
        Those of the last 30 days appear here in a few minutes.
      </EmptyState>
    )
  const { icon: Icon, empty } = viewLook[view]
  return (
    <EmptyState icon={view === 'open' ? <Inbox size={20} /> : <Icon size={20} />} title={empty.title}>
      {empty.words}
    </EmptyState>
  )
}

/** What the platforms don't let anyone read, once for each. */
export function Unreadable({ channels }: { channels: readonly ReadChannel[] }) {
  return unreadable(channels).map(({ platform, why }) => (
    <p key={platform} className="text-pretty">
      {why}
    </p>
  ))
}
