import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import Hourglass from 'lucide-react/icons/hourglass'
import Reply from 'lucide-react/icons/reply'
import ShieldQuestion from 'lucide-react/icons/shield-question-mark'
import StickyNote from 'lucide-react/icons/sticky-note'
import Star from 'lucide-react/icons/star'
import { dayText } from '#web/lib/dates.ts'
import { count } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { LabelDot } from '#web/ui/LabelDot.tsx'
import { MarkedText } from '#web/ui/LinkedText.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { inkTone } from '#web/ui/tones.ts'
import type { ConversationRow as Row } from './heldConversations.ts'
import { foundInRow, kindLook, nameOf, sentimentLook, shortTimeOf, statusLook, unsentLook, waitOf } from './look.ts'
import { exactly, INBOX, opening } from './inboxSearch.ts'

/** In rem: each row has the same, so that a list of any length knows where each of them is. */
export const ROW_HEIGHT = 5.5

type Props = {
  row: Row
  now: Date
  zone: string
  open: boolean
  chosen: boolean
  /** Shift chooses everything in between. */
  onChoose: (checked: boolean, range: boolean) => void
  onOpen: () => void
  /** What tells its channel from another one of the same name. */
  apart: string | undefined
}

/** A conversation in the list: who, what, when, and what has to be done about it. */
export function ConversationRow({ row, now, zone, open, chosen, onChoose, onOpen, apart }: Props) {
  const name = nameOf(row)
  const kind = kindLook[row.kind]
  const preview = row.preview || (row.rating === null ? 'Nothing to show' : `No text, ${count(row.rating, 'star')}`)
  return (
    <div
      className={clsx(
        'group/row relative grid h-full grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 border-b border-line py-2.5 pr-3.5 pl-3',
        open ? 'bg-accent-soft' : chosen ? 'bg-sunken' : 'hover:bg-hover',
      )}
    >
      {row.unread ? <span aria-hidden className="absolute top-5.5 left-1 size-1.5 rounded-full bg-accent" /> : null}
      <span className="relative grid size-9 place-items-center">
        <Avatar
          name={name}
          src={row.person?.pictureUrl}
          size={36}
          platform={row.channel.platformName}
          className={clsx(
            chosen
              ? 'invisible'
              : 'group-hover/row:invisible group-has-[input:focus-visible]/row:invisible pointer-coarse:visible!',
          )}
        />
        <Checkbox
          label={`Select the conversation with ${name}`}
          labelHidden
          checked={chosen}
          // `nativeEvent` of a checkbox is the click that changed it
          onChange={({ target, nativeEvent }) =>
            onChoose(target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
          className={clsx(
            // a finger taps the picture
            'absolute inset-0 z-1 items-center! justify-center pointer-coarse:[&_input]:size-9',
            chosen ? 'opacity-100' : 'opacity-0 group-hover/row:opacity-100 focus-within:opacity-100',
          )}
        />
      </span>
      <div className="grid min-w-0 gap-0.5">
        <div className="flex min-w-0 items-baseline gap-2">
          <Link
            from={INBOX}
            to="."
            activeOptions={exactly}
            resetScroll={false}
            search={opening(row.conversationId, row.hit?.itemId)}
            onClick={onOpen}
            aria-current={open ? 'page' : undefined}
            data-conversation={row.conversationId}
            className={clsx(
              'min-w-0 truncate after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent',
              row.unread ? 'font-bold' : 'font-medium',
            )}
          >
            {row.unread ? <span className="sr-only">Unread: </span> : null}
            {name}
          </Link>
          {row.rating === null ? null : <Stars rating={row.rating} />}
          <time dateTime={row.lastAt} className="tnum ml-auto shrink-0 text-xs text-ink-muted">
            {shortTimeOf(row.lastAt, now, zone)}
          </time>
        </div>
        <p className={clsx('flex min-w-0 items-center gap-1', row.unread ? 'text-ink' : 'text-ink-muted')}>
          {row.hit ? null : row.lastDirection === 'sent' ? (
            <>
              <Reply size={13} aria-hidden className="shrink-0 text-ink-faint" />
              <span className="sr-only">You: </span>
            </>
          ) : null}
          <span dir="auto" className="truncate">
            {row.hit || row.lastAuthor === null ? null : <b className="font-medium">{row.lastAuthor}: </b>}
            {row.hit ? <MarkedText {...foundInRow(row.hit)} /> : preview}
          </span>
        </p>
        <div className="mt-0.5 flex min-w-0 items-center gap-2 text-xs text-ink-muted">
          <span className="flex min-w-0 items-center gap-1">
            <kind.icon size={12} aria-hidden className="shrink-0" />
            <span dir="auto" className="truncate">
              {kind.word}
              <span className={apart === undefined ? 'sr-only' : ''}>
                {' '}
                on {apart ?? platformName(row.channel.platformName)}
              </span>
              , {row.channel.channelName}
            </span>
          </span>
          <Marks row={row} now={now} />
        </div>
      </div>
    </div>
  )
}

/** At the right of the last line: a reply that wasn't sent, how long it waits, its follow-up, notes, labels, mood and who takes care of it. */
function Marks({
  row: { status, followUpOn, waitingSince, held, unsent, labels, sentiment, assignee, notes },
  now,
}: {
  row: Row
  now: Date
}) {
  const mood = sentiment && sentiment !== 'neutral' ? sentimentLook[sentiment] : undefined
  const closed = status === 'CLOSED' ? statusLook.CLOSED : undefined
  const trouble = unsent && unsentLook[unsent]
  return (
    <span className="tnum ml-auto flex shrink-0 items-center gap-1.5">
      {trouble ? (
        <span
          className={clsx('flex items-center gap-1 font-medium', inkTone[trouble.tone])}
          title={`Reply: ${trouble.word}`}
        >
          <trouble.icon size={12} aria-hidden />
          <span className="sr-only">Your team's reply: </span>
          {trouble.word}
        </span>
      ) : null}
      {status === 'FOLLOWUP' && followUpOn ? (
        <span className="flex items-center gap-1 text-wait">
          <CalendarClock size={12} aria-hidden />
          <span className="sr-only">Follow up on </span>
          {dayText(followUpOn).slice(0, -5)}
        </span>
      ) : null}
      {held > 0 ? (
        <span className="flex items-center gap-1 text-wait" title="Held for review">
          <ShieldQuestion size={12} aria-hidden />
          <span className="sr-only">Held for review: </span>
          {held}
        </span>
      ) : null}
      {status === 'OPEN' && waitingSince ? (
        <span className="flex items-center gap-1" title="Waiting for a reply">
          <Hourglass size={11} aria-hidden />
          <span className="sr-only">Waiting for </span>
          {waitOf(waitingSince, now)}
        </span>
      ) : null}
      {closed ? (
        <span className={clsx('flex items-center gap-1', inkTone[closed.tone])}>
          <closed.icon size={12} aria-hidden />
          {closed.word}
        </span>
      ) : null}
      {notes > 0 ? (
        <span className="flex items-center gap-1" title={count(notes, 'note')}>
          <StickyNote size={12} aria-hidden />
          <span className="sr-only">Notes: </span>
          {notes}
        </span>
      ) : null}
      {labels.length > 0 ? (
        <span className="flex items-center -space-x-0.5" title={labels.map(({ labelName }) => labelName).join(', ')}>
          <span className="sr-only">Labels: {labels.map(({ labelName }) => labelName).join(', ')}</span>
          {labels.slice(0, 3).map(({ labelId, color }) => (
            <LabelDot key={labelId} color={color} className="size-2!" />
          ))}
        </span>
      ) : null}
      {mood ? (
        <span role="img" aria-label={mood.word} title={mood.word} className={inkTone[mood.tone]}>
          <mood.icon size={13} aria-hidden />
        </span>
      ) : null}
      {assignee ? (
        <span title={`Assigned to ${assignee.name}`}>
          <span className="sr-only">Assigned to {assignee.name}</span>
          <Avatar name={assignee.name} src={assignee.profileUrl} size={16} />
        </span>
      ) : null}
    </span>
  )
}

/** One to five stars of a review. */
export function Stars({ rating }: { rating: number }) {
  return (
    <span role="img" aria-label={`${rating} of 5 stars`} className="flex shrink-0 text-wait">
      {[1, 2, 3, 4, 5].map((star) => (
        <Star key={star} size={12} aria-hidden fill={star <= rating ? 'currentColor' : 'none'} />
      ))}
    </span>
  )
}
