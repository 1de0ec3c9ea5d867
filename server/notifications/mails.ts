import { mailMomentText } from '#contract/format.ts'
import { noticeTopics, topicWords, type NoticeTopic } from '#contract/notices.ts'
import { describeNotification, topicOf } from '#contract/notifications/catalog.ts'
import type { Wording } from '#contract/notifications/define.ts'
import { webLinks } from '#contract/webLinks.ts'
import type { Mail } from '../mail/mailer.ts'
import { mail, type Block, type Item } from '../mail/template.ts'
import type { TakenMail, TakenNotice } from './takeMail.ts'
import { signUnsubscribe } from './unsubscribe.ts'

export type MailFacts = { publicUrl: string; /** Signs unsubscribe links. */ secret: string }

/** More than this is counted, not listed: the rest is in the app. */
const LISTED = 20

/** One email for all notifications of a person in one organization; each links to its subject. */
export function notificationMail(taken: TakenMail, { publicUrl, secret }: MailFacts): Mail {
  const { orgName, personId, mailId } = taken
  const topics = noticeTopics.filter((topic) => taken.notices.some(({ kind }) => topicOf(kind) === topic))
  // the most important one comes first, and is the email's subject
  const notices = topics
    .flatMap((topic) => taken.notices.filter(({ kind }) => topicOf(kind) === topic))
    .map((notice) => ({ ...notice, ...describe(taken.orgId, notice) }))
  const blocks: Block[] = [
    taken.firstName ? `Hello ${taken.firstName},` : 'Hello,',
    notices.length === 1 ? `Here's an update from ${orgName}:` : `Here are ${notices.length} updates from ${orgName}:`,
    ...notices.slice(0, LISTED).map((notice) => itemOf(notice, publicUrl)),
    ...(notices.length > LISTED
      ? [`You'll find ${notices.length - LISTED} more in your notifications in Rookery.`]
      : []),
    ...whomToAsk(taken),
    {
      small: `You get this email because you asked to hear about ${listed(topics)}. Change that in your profile: ${publicUrl}${webLinks.notificationSettings()}`,
    },
  ]
  return {
    ...mail(taken.to, subjectOf(notices), blocks),
    messageId: `<${mailId}@${new URL(publicUrl).hostname}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...unsubscribeHeaders(
        `${publicUrl}/api/public/notices/unsubscribe?token=${signUnsubscribe(secret, { personId, topics })}`,
      ),
    },
  }
}

/** RFC 2369, and RFC 8058 for one-click unsubscribing, which requires HTTPS. */
function unsubscribeHeaders(address: string): Record<string, string> {
  return {
    'List-Unsubscribe': `<${address}>`,
    ...(address.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  }
}

type Described = TakenNotice & Wording

const describe = (orgId: string, { kind, params, project }: TakenNotice): Wording =>
  describeNotification(kind, params, { orgId, projectId: project?.id ?? null })

function subjectOf(notices: readonly Described[]): string {
  const [first] = notices
  return `${first?.title ?? 'Notifications'}${notices.length > 1 ? ` (and ${notices.length - 1} more)` : ''}`
}

function itemOf({ title, body, quote, link, count, at, project }: Described, publicUrl: string): Item {
  const zone = project?.zone ?? 'UTC'
  const about = [project?.name, mailMomentText(at, zone), count > 1 ? `${count} times so far` : undefined]
    .filter((part) => part !== undefined)
    .join(' · ')
  return {
    title,
    about,
    text: body,
    ...(quote !== null && { quote }),
    ...(link === null ? {} : { link: `${publicUrl}${link}`, label: labelOf(link) }),
  }
}

const labels: readonly [part: string, label: string][] = [
  ['/post/', 'View post'],
  ['/channels', 'View channels'],
  ['/calendar', 'View calendar'],
]
const labelOf = (link: string): string => labels.find(([part]) => link.includes(part))?.[1] ?? 'Open in Rookery'

/** Organization admins who can help; nothing for its only admin. */
function whomToAsk({ orgName, isAdmin, admins }: TakenMail): Block[] {
  if (admins.length === 0) return []
  const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(
    admins.map(({ name, email }) => `${name || email} (${email})`),
  )
  const role = `${admins.length > 1 ? 'admins' : 'an admin'} of ${orgName}`
  return [
    { small: isAdmin ? `Want to talk it over? Ask ${names}, also ${role}.` : `Questions? Ask ${names}, ${role}.` },
  ]
}

function listed(topics: readonly NoticeTopic[]): string {
  const words = topics.map((topic) => topicWords[topic].label.toLowerCase())
  const last = words.pop() ?? ''
  return words.length > 0 ? `${words.join(', ')} and ${last}` : last
}
