import type { LucideIcon } from 'lucide-react'
import MessagesSquare from 'lucide-react/icons/messages-square'
import BadgeCheck from 'lucide-react/icons/badge-check'
import ChartLine from 'lucide-react/icons/chart-line'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CreditCard from 'lucide-react/icons/credit-card'
import FileChartColumn from 'lucide-react/icons/file-chart-column'
import Inbox from 'lucide-react/icons/inbox'
import Mail from 'lucide-react/icons/mail'
import RadioTower from 'lucide-react/icons/radio-tower'
import MessageSquare from 'lucide-react/icons/message-square'
import MessageCircle from 'lucide-react/icons/message-circle'
import MessageCircleQuestionMark from 'lucide-react/icons/message-circle-question-mark'
import StarOff from 'lucide-react/icons/star-off'
import Send from 'lucide-react/icons/send'
import type { NoticeTopic } from '#contract/notices.ts'
import type { Tone } from '#web/ui/tones.ts'

/** The icon of a topic next to its notifications; its name is in the contract. */
export const topicLook: Record<NoticeTopic, { icon: LucideIcon; tone: Tone }> = {
  failed_posts: { icon: CircleAlert, tone: 'bad' },
  channels: { icon: RadioTower, tone: 'wait' },
  approvals: { icon: BadgeCheck, tone: 'accent' },
  invitations: { icon: Mail, tone: 'accent' },
  publishing: { icon: Send, tone: 'info' },
  inbox: { icon: Inbox, tone: 'accent' },
  inbox_assigned: { icon: MessageCircle, tone: 'accent' },
  inbox_unassigned: { icon: MessageCircleQuestionMark, tone: 'info' },
  low_reviews: { icon: StarOff, tone: 'bad' },
  insights: { icon: ChartLine, tone: 'info' },
  reports: { icon: FileChartColumn, tone: 'wait' },
  discussions: { icon: MessagesSquare, tone: 'accent' },
  notes: { icon: MessageSquare, tone: 'accent' },
  plan: { icon: CreditCard, tone: 'neutral' },
}
