import CalendarClock from 'lucide-react/icons/calendar-clock'
import CalendarDays from 'lucide-react/icons/calendar-days'
import ChevronDown from 'lucide-react/icons/chevron-down'
import CircleCheck from 'lucide-react/icons/circle-check'
import Mail from 'lucide-react/icons/mail'
import Undo from 'lucide-react/icons/undo-2'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { dayText, wallOf, type Day } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { OutsideLink } from '#web/ui/Link.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/Menu.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { Assignee, Labels, Mood, type Opened, type Part } from './ConversationChips.tsx'
import { FollowUpDialog } from './FollowUpDialog.tsx'
import { followUpDays } from './followUpDays.ts'
import type { ConversationRow } from './heldConversations.ts'
import { nameOf, statusLook } from './look.ts'
import type { InboxActions } from './useInboxActions.ts'

/** What a key can open. */
export type Asked = 'assign' | 'label' | 'followUp'
type Props = {
  row: ConversationRow
  actions: InboxActions
  /** What is open, by its button or its key. */
  asked: Asked | undefined
  onAsk: (asked: Asked, open: boolean) => void
  mayEdit: boolean
  /** It replaced the list, so that the focus must come along. */
  takesFocus: boolean
  /** Closes it and goes on to the next one. */
  onClose: () => void
  /** After it was put off: what comes next. */
  onPutOff: () => void
  onUnread: () => void
  onManageLabels: () => void
  /** The team's discussions about it. */
  discussions: ReactNode
  /** The way back to the list, where it covers the list. */
  back: ReactNode
}

/** Who it is with, and everything that can be done with the conversation as a whole. */
export function ConversationHead({
  row,
  actions,
  asked,
  onAsk,
  mayEdit,
  takesFocus,
  onClose,
  onPutOff,
  onUnread,
  onManageLabels,
  discussions,
  back,
}: Props) {
  const name = nameOf(row)
  const { person, channel } = row
  const status = statusLook[row.status]
  const openedBy = (which: Asked) => ({
    open: asked === which,
    onOpenChange: (open: boolean) => onAsk(which, open),
  })
  return (
    <header className="grid shrink-0 grid-cols-[minmax(0,1fr)] gap-2 border-b border-line px-4 py-2.5 max-md:px-2 max-md:py-1.5">
      <div className="flex min-w-0 items-center gap-3 max-md:gap-2">
        {back}
        <Avatar name={name} src={person?.pictureUrl} size={36} platform={channel.platformName} />
        <div className="min-w-0 grow">
          <Name key={row.conversationId} name={name} takesFocus={takesFocus} />
          <p className="flex min-w-0 items-center gap-1.5 text-sm text-ink-muted">
            {person?.url ? (
              <OutsideLink href={person.url} className="truncate">
                {person.handle || 'Profile'}
              </OutsideLink>
            ) : person?.handle && person.handle !== name ? (
              <span dir="auto" className="truncate">
                {person.handle}
              </span>
            ) : null}
            <span className="flex min-w-0 items-center gap-1">
              to
              <PlatformIcon platform={channel.platformName} size={13} />
              <span dir="auto" className="truncate">
                {channel.channelName}
              </span>
            </span>
          </p>
        </div>
        <div className="flex shrink-0 items-center gap-1.5">
          <IconButton label="Mark as unread" shortcut="U" icon={<Mail size={16} />} onClick={onUnread} />
          {mayEdit ? (
            <>
              <FollowUp row={row} actions={actions} onPutOff={onPutOff} {...openedBy('followUp')} />
              {row.status === 'CLOSED' ? (
                <Button icon={<Undo size={15} aria-hidden />} onClick={() => actions.setStatus(row, 'OPEN')}>
                  Reopen
                </Button>
              ) : (
                <Button icon={<CircleCheck size={15} aria-hidden />} onClick={onClose}>
                  Close
                </Button>
              )}
            </>
          ) : null}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-1.5 max-md:-m-1 max-md:flex-nowrap max-md:overflow-x-auto max-md:p-1 max-md:*:shrink-0">
        <Badge tone={status.tone} icon={<status.icon size={13} aria-hidden />}>
          {row.status === 'FOLLOWUP' && row.followUpOn
            ? `Follow up on ${dayText(row.followUpOn).slice(0, -5)}`
            : status.word}
        </Badge>
        <Assignee row={row} actions={actions} mayEdit={mayEdit} {...openedBy('assign')} />
        <Labels
          row={row}
          actions={actions}
          mayEdit={mayEdit}
          onManageLabels={() => {
            onAsk('label', false)
            onManageLabels()
          }}
          {...openedBy('label')}
        />
        <Mood row={row} actions={actions} mayEdit={mayEdit} />
        <span className="md:ml-auto">{discussions}</span>
      </div>
    </header>
  )
}

function Name({ name, takesFocus }: { name: string; takesFocus: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true })
  }, [takesFocus])
  return (
    <h2 dir="auto" ref={heading} tabIndex={-1} className="truncate text-lg leading-tight font-bold">
      {name}
    </h2>
  )
}

function FollowUp({ row, actions, onPutOff, ...opened }: Part & Opened & Pick<Props, 'onPutOff'>) {
  const zone = useProjectZone()
  const today = wallOf(useNow(), zone).day
  const [picking, setPicking] = useState(false)
  const choose = (day: Day) => {
    actions.setStatus(row, 'FOLLOWUP', day)
    onPutOff()
  }
  return (
    <>
      <Menu
        align="end"
        label="Follow up"
        {...opened}
        trigger={
          <Button icon={<CalendarClock size={15} aria-hidden />}>
            <span className="max-md:sr-only">Follow up</span>
            <ChevronDown size={13} aria-hidden />
          </Button>
        }
      >
        {followUpDays(today).map(({ name, day, text }) => (
          <MenuItem key={name} end={text} onSelect={() => choose(day)}>
            {name}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem icon={<CalendarDays size={14} aria-hidden />} onSelect={() => setPicking(true)}>
          Pick a day
        </MenuItem>
        {row.status === 'FOLLOWUP' ? (
          <MenuItem icon={<Undo size={14} aria-hidden />} onSelect={() => actions.setStatus(row, 'OPEN')}>
            Open it now
          </MenuItem>
        ) : null}
      </Menu>
      {picking ? (
        <FollowUpDialog
          onClose={() => setPicking(false)}
          onChoose={(day) => {
            setPicking(false)
            choose(day)
          }}
        />
      ) : null}
    </>
  )
}
