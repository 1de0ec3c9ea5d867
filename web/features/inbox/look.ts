import type { LucideIcon } from 'lucide-react'
import AtSign from 'lucide-react/icons/at-sign'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import CircleDot from 'lucide-react/icons/circle-dot'
import Frown from 'lucide-react/icons/frown'
import Meh from 'lucide-react/icons/meh'
import MessageCircle from 'lucide-react/icons/message-circle'
import MessageSquareWarning from 'lucide-react/icons/message-square-warning'
import MessagesSquare from 'lucide-react/icons/messages-square'
import Smile from 'lucide-react/icons/smile'
import Star from 'lucide-react/icons/star'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { getConversation, InboxItem, SearchHit } from '#contract/inbox/conversations.ts'
import type { ConversationKind, ConversationStatus, Sentiment, UnsentState } from '#contract/inbox/terms.ts'
import type { ReplyRules } from '#contract/platforms/inboxRules.ts'
import { answeredAgain, type Answered } from '#contract/platforms/replyText.ts'
import type { TextLimit } from '#contract/platforms/rules.ts'
import { wallOf } from '#web/lib/dates.ts'
import { dateOf, timeOf } from '#web/lib/format.ts'
import type { Tone } from '#web/ui/tones.ts'
import type { ConversationRow } from './heldConversations.ts'

export type CanReply = ReplyOf<typeof getConversation>['can']['reply']

export const kindLook: Record<ConversationKind, { word: string; many: string; icon: LucideIcon }> = {
  comment: { word: 'Comment', many: 'Comments', icon: MessageCircle },
  message: { word: 'Message', many: 'Messages', icon: MessagesSquare },
  mention: { word: 'Mention', many: 'Mentions', icon: AtSign },
  review: { word: 'Review', many: 'Reviews', icon: Star },
}

export const statusLook: Record<ConversationStatus, { word: string; tone: Tone; icon: LucideIcon }> = {
  OPEN: { word: 'Open', tone: 'info', icon: CircleDot },
  FOLLOWUP: { word: 'Follow up', tone: 'wait', icon: CalendarClock },
  CLOSED: { word: 'Closed', tone: 'ok', icon: CircleCheck },
}

export const sentimentLook: Record<Sentiment | 'unknown', { word: string; tone: Tone; icon: LucideIcon }> = {
  positive: { word: 'Positive', tone: 'ok', icon: Smile },
  neutral: { word: 'Neutral', tone: 'neutral', icon: Meh },
  negative: { word: 'Negative', tone: 'bad', icon: Frown },
  unknown: { word: 'Not rated', tone: 'neutral', icon: CircleDashed },
}

/** A reply that a person has to do something about. */
export const unsentLook: Record<UnsentState, { word: string; tone: Tone; icon: LucideIcon }> = {
  FAILED: { word: 'Not sent', tone: 'bad', icon: MessageSquareWarning },
  UNCONFIRMED: { word: 'Unconfirmed', tone: 'wait', icon: MessageSquareWarning },
}

/** Whom the conversation is with, as lists name them. */
export const nameOf = ({ person }: { person: { name: string; handle: string } | null }): string =>
  person?.name || person?.handle || 'Unknown person'

/** So many characters before what was found can be read in a row. */
const BEFORE_FOUND = 18

/** Where a search found something, cut at a word so that a row shows it. */
export function foundInRow({ text, marks }: Pick<SearchHit, 'text' | 'marks'>): Pick<SearchHit, 'text' | 'marks'> {
  const first = marks[0]?.[0] ?? 0
  if (first <= BEFORE_FOUND) return { text, marks }
  const space = text.indexOf(' ', first - BEFORE_FOUND)
  const cut = space < 0 || space >= first ? first : space + 1
  const move = (at: number) => at - cut + 1
  return { text: `…${text.slice(cut)}`, marks: marks.map(([from, to]) => [move(from), move(to)]) }
}

/** "09:30 AM" today, else "20 Nov", else "20 Nov 2025". */
export function shortTimeOf(instant: string, now: Date, zone: string): string {
  const [then, today] = [wallOf(new Date(instant), zone).day, wallOf(now, zone).day]
  if (then === today) return timeOf(instant, zone)
  const date = dateOf(instant, zone)
  return then.slice(0, 4) === today.slice(0, 4) ? date.slice(0, -5) : date
}

/** How long ago, in the one unit that matters: "12 min", "3 h", "5 days". */
export function waitOf(since: string, now: Date): string {
  return lengthText(now.getTime() - Date.parse(since))
}

/** How much time is left, in the one unit that matters; undefined when there is none. */
export function leftOf(until: string, now: Date): string | undefined {
  const left = Date.parse(until) - now.getTime()
  return left > 0 ? lengthText(left) : undefined
}

/**
 * How much longer the platform takes an answer. `asPersonFrom`: from then on, it takes only what a person wrote, which every
 * answer from here is.
 */
export function answeringText(until: string | null, asPersonFrom: string | null, now: Date): string | undefined {
  const left = (instant: string | null) => {
    if (instant === null) return undefined
    const minutes = Math.floor((Date.parse(instant) - now.getTime()) / 60_000)
    const hours = Math.floor(minutes / 60)
    return hours > 0 && hours < 24 && minutes % 60 > 0 ? `${hours} h ${minutes % 60} min` : leftOf(instant, now)
  }
  const [all, free] = [left(until), left(asPersonFrom)]
  if (all === undefined) return undefined
  if (free !== undefined) return `Reply within ${free}; up to ${all} as a human agent`
  return `Reply within ${all}${asPersonFrom === null ? '' : ' as a human agent'}`
}

function lengthText(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

/** How long a reply can be: as the platform counts, and as much as the channel's server takes. */
export const limitOf = (
  { limit }: Pick<ReplyRules, 'limit'>,
  { most, addressLength }: Pick<CanReply, 'most' | 'addressLength'>,
): TextLimit => ({ ...limit, max: most ?? limit.max, ...(addressLength !== null && { addressLength }) })

/** What a reply that is edited answers; of an item that isn't shown, only who the other side is. */
export function editedIn(
  items: readonly InboxItem[],
  row: Pick<ConversationRow, 'kind' | 'person'>,
  item: Pick<InboxItem, 'reply' | 'text' | 'warning'>,
): Answered {
  const target = items.find(({ itemId }) => itemId === item.reply?.itemId)
  return answeredAgain(answeredIn([], row, target), ownText(item))
}

/** What we wrote, without the content warning that the platform shows in front of it. */
export function ownText({ text, warning }: Pick<InboxItem, 'text' | 'warning'>): string {
  const before = `${warning ?? ''}\n\n`
  return warning !== null && text?.startsWith(before) ? text.slice(before.length) : (text ?? '')
}

/**
 * What a reply answers: the chosen item, or the last one that was received; in a conversation of messages, the other
 * side.
 */
export function answeredIn(
  items: readonly InboxItem[],
  row: Pick<ConversationRow, 'kind' | 'person'>,
  target?: InboxItem,
): Answered | undefined {
  const last = items.findLast(({ direction, deletedAt }) => direction === 'received' && deletedAt === null)
  const item = target ?? (row.kind === 'message' ? undefined : last)
  if (item) return { handle: item.person?.handle ?? null, text: item.text ?? '', warning: item.warning }
  return row.person ? { handle: row.person.handle, text: '' } : undefined
}
