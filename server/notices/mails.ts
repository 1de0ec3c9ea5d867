import { momentText } from '#contract/format.ts'
import { noticeTopics, topicWords, type NoticeTopic } from '#contract/notices.ts'
import type { Mail } from '../mail/mailer.ts'
import { mail, type Block, type Item } from '../mail/template.ts'
import { topicOf } from './kinds.ts'
import type { TakenMail, TakenNotice } from './takeMail.ts'
import { signUnsubscribe } from './unsubscribe.ts'

export type MailFacts = { publicUrl: string; /** Signs the links that stop mails. */ secret: string }

/** More than this is counted, not told: the rest stands in the app. */
const TOLD = 20

/** One mail for everything that a person is to hear of from one organisation; each part opens the very thing. */
export function noticeMail(taken: TakenMail, { publicUrl, secret }: MailFacts): Mail {
  const { orgName, personId, mailId } = taken
  const topics = noticeTopics.filter((topic) => taken.notices.some(({ kind }) => topicOf(kind) === topic))
  // what weighs most comes first, and names the mail
  const notices = topics.flatMap((topic) => taken.notices.filter(({ kind }) => topicOf(kind) === topic))
  const blocks: Block[] = [
    taken.firstName ? `Hello ${taken.firstName},` : 'Hello,',
    notices.length === 1
      ? `There is something to know in ${orgName}.`
      : `There are ${notices.length} things to know in ${orgName}.`,
    ...notices.slice(0, TOLD).map((notice) => itemOf(notice, publicUrl)),
    ...(notices.length > TOLD ? [`And ${notices.length - TOLD} more, in your notices in Rookery.`] : []),
    { small: whomToAsk(taken) },
    {
      small: `You get this mail because you hear of ${listed(topics)} by mail. Change that in your profile: ${publicUrl}/profile#notices`,
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

/** RFC 2369, and RFC 8058 for the one click, which is for https alone. */
function unsubscribeHeaders(address: string): Record<string, string> {
  return {
    'List-Unsubscribe': `<${address}>`,
    ...(address.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  }
}

function subjectOf(notices: readonly TakenNotice[]): string {
  const [first] = notices
  return `${first?.title ?? 'Notices'}${notices.length > 1 ? `, and ${notices.length - 1} more` : ''}`
}

function itemOf({ title, body, link, count, at, project }: TakenNotice, publicUrl: string): Item {
  const zone = project?.zone ?? 'UTC'
  const about = [project?.name, `${momentText(at, zone)} (${zone})`, count > 1 ? `${count} times so far` : undefined]
    .filter((part) => part !== undefined)
    .join(', ')
  return { title, about, text: body, ...(link === null ? {} : { link: `${publicUrl}${link}`, label: labelOf(link) }) }
}

const labels: readonly [part: string, label: string][] = [
  ['/post/', 'Open the post'],
  ['/channels', 'Open the channels'],
  ['/calendar', 'Open the calendar'],
]
const labelOf = (link: string): string => labels.find(([part]) => link.includes(part))?.[1] ?? 'Open in Rookery'

function whomToAsk({ orgName, isAdmin, admins }: TakenMail): string {
  const names = admins.map(({ name, email }) => `${name || email} (${email})`)
  if (isAdmin)
    return names.length > 0
      ? `You are an admin of ${orgName}, with ${names.join(', ')}.`
      : `You are the admin of ${orgName}.`
  return `Questions? Ask ${names.join(' or ')}, ${names.length > 1 ? 'admins' : 'admin'} of ${orgName}.`
}

function listed(topics: readonly NoticeTopic[]): string {
  const words = topics.map((topic) => topicWords[topic].label.toLowerCase())
  const last = words.pop() ?? ''
  return words.length > 0 ? `${words.join(', ')} and ${last}` : last
}
