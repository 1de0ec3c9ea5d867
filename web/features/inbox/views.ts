import type { LucideIcon } from 'lucide-react'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleUser from 'lucide-react/icons/circle-user'
import Hourglass from 'lucide-react/icons/hourglass'
import Inbox from 'lucide-react/icons/inbox'
import Mail from 'lucide-react/icons/mail'
import MessageSquareWarning from 'lucide-react/icons/message-square-warning'
import MessagesSquare from 'lucide-react/icons/messages-square'
import UserX from 'lucide-react/icons/user-x'
import type { inboxCounts } from '#contract/inbox/counts.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { InboxView } from './inboxViews.ts'

type Counts = ReplyOf<typeof inboxCounts>
type Look = {
  label: string
  icon: LucideIcon
  /** What is counted beside it. */
  count?: keyof Omit<Counts, 'channels'>
  /** What is said where it holds nothing. */
  empty: { title: string; words: string }
}

export const viewLook: Record<InboxView, Look> = {
  open: {
    label: 'Open',
    icon: Inbox,
    count: 'open',
    empty: { title: "You're all caught up", words: 'New comments, messages, mentions and reviews appear here.' },
  },
  unread: {
    label: 'Unread',
    icon: Mail,
    count: 'unread',
    empty: { title: 'Nothing unread', words: "Open conversations with something you haven't seen appear here." },
  },
  mine: {
    label: 'Assigned to you',
    icon: CircleUser,
    count: 'mine',
    empty: { title: 'Nothing assigned to you', words: 'Open conversations that are assigned to you appear here.' },
  },
  unassigned: {
    label: 'Unassigned',
    icon: UserX,
    count: 'unassigned',
    empty: { title: 'Nothing unassigned', words: 'Every open conversation has someone who takes care of it.' },
  },
  waiting: {
    label: 'Waiting',
    icon: Hourglass,
    count: 'waiting',
    empty: { title: 'Nobody is waiting', words: 'People who wait for a reply appear here, the longest wait first.' },
  },
  'follow-up': {
    label: 'Follow up',
    icon: CalendarClock,
    count: 'followUp',
    empty: {
      title: 'Nothing to follow up',
      words: 'Conversations set to a later day appear here until they open again.',
    },
  },
  'not-sent': {
    label: 'Not sent',
    icon: MessageSquareWarning,
    count: 'unsent',
    empty: { title: 'Every reply was sent', words: "Conversations with a reply that wasn't sent appear here." },
  },
  closed: {
    label: 'Closed',
    icon: CircleCheck,
    empty: { title: 'Nothing closed yet', words: 'Closed conversations appear here. A new message opens them again.' },
  },
  all: {
    label: 'All',
    icon: MessagesSquare,
    empty: { title: 'No conversations yet', words: 'Comments, messages, mentions and reviews appear here.' },
  },
}
