import { Link } from '@tanstack/react-router'
import type { inboxChannels } from '#contract/inbox/conversations.ts'
import type { inboxCounts } from '#contract/inbox/counts.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { distinctions } from '#web/ui/channelSelection.ts'
import { FilterChip } from '#web/ui/Chip.tsx'
import { exactly, INBOX } from './inboxSearch.ts'
import { inboxViews, type InboxView } from './inboxViews.ts'
import { isReadable } from './reading.ts'
import { viewLook } from './views.ts'

type Counts = ReplyOf<typeof inboxCounts> | undefined
const item =
  'flex h-8 min-w-0 items-center gap-2.5 rounded-md px-2.5 text-ink-muted hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-ink pointer-coarse:h-10'

/** The inbox's views with how much is in each, and its channels. */
export function InboxNav({
  view,
  counts,
  channels,
  channelIds,
}: {
  view: InboxView
  counts: Counts
  channels: ReplyOf<typeof inboxChannels>['channels']
  channelIds: readonly string[] | undefined
}) {
  const openOf = (channelId: string) => counts?.channels.find((one) => one.channelId === channelId)?.open
  // of a channel that isn't read now, there may be conversations
  const listed = channels.filter((channel) => isReadable(channel) || openOf(channel.channelId))
  const apart = distinctions(listed)
  return (
    <>
      <nav aria-label="Inbox views" className="grid grid-cols-[minmax(0,1fr)] gap-px">
        {inboxViews.map((one) => {
          const { label, icon: Icon, count } = viewLook[one]
          return (
            <Link
              key={one}
              from={INBOX}
              to="."
              activeOptions={exactly}
              search={(before) => ({
                ...before,
                view: one === 'open' ? undefined : one,
                status: undefined,
                c: undefined,
              })}
              aria-current={one === view ? 'page' : undefined}
              className={item}
            >
              <Icon size={15} aria-hidden className="shrink-0" />
              <span className="truncate">{label}</span>
              <Count>{count && counts?.[count]}</Count>
            </Link>
          )
        })}
      </nav>
      {channels.length > 1 ? (
        <nav aria-label="Channels" className="grid grid-cols-[minmax(0,1fr)] gap-px">
          <h2 className="px-2.5 pb-1 text-xs font-semibold text-ink-muted">Channels</h2>
          {listed.map(({ channelId, channelName, platformName, profileUrl }) => {
            const on = channelIds?.length === 1 && channelIds[0] === channelId
            return (
              <Link
                key={channelId}
                from={INBOX}
                to="."
                activeOptions={exactly}
                search={(before) => ({ ...before, channelIds: on ? undefined : [channelId], c: undefined })}
                aria-current={on ? 'page' : undefined}
                className={item}
              >
                <Avatar name={channelName} src={profileUrl} size={20} platform={platformName} />
                <span dir="auto" className="truncate">
                  {channelName}
                  {apart.has(channelId) ? <span className="text-xs"> {apart.get(channelId)}</span> : null}
                </span>
                <Count>{openOf(channelId)}</Count>
              </Link>
            )
          })}
        </nav>
      ) : null}
    </>
  )
}

function Count({ children }: { children: number | undefined }) {
  // zeros say nothing that one could do
  return children ? (
    <span className="tnum ml-auto shrink-0 text-xs text-ink-muted">{children.toLocaleString('en')}</span>
  ) : null
}

/** The same views where there is no room for a column. */
export function ViewMenu({
  view,
  counts,
  onView,
}: {
  view: InboxView
  counts: Counts
  onView: (view: InboxView) => void
}) {
  const { label, count } = viewLook[view]
  const here = count && counts?.[count]
  return (
    <Menu
      label="Inbox views"
      trigger={
        <FilterChip on opens>
          {label} {here ? <span className="tnum font-normal">{here.toLocaleString('en')}</span> : null}
        </FilterChip>
      }
    >
      {inboxViews.map((one) => {
        const look = viewLook[one]
        const inIt = look.count && counts?.[look.count]
        return (
          <MenuItem
            key={one}
            icon={<look.icon size={15} aria-hidden />}
            end={inIt ? inIt.toLocaleString('en') : undefined}
            aria-current={one === view ? 'true' : undefined}
            className={one === view ? 'font-semibold text-accent' : ''}
            onSelect={() => onView(one)}
          >
            {look.label}
          </MenuItem>
        )
      })}
    </Menu>
  )
}
