import { momentText } from '#contract/format.ts'
import type { Mail } from '../mail/mailer.ts'
import { mail } from '../mail/template.ts'
import { quoted } from './ask.ts'

/** Days that a link for somebody outside works. */
export const LINK_DAYS = 14

export type AskedPost = { token: string; excerpt: string; channel: string; dueAt: Date | null; zone: string }
export type OutsideLetter = {
  email: string
  name: string
  sender: string
  orgName: string
  projectName: string
  again: boolean
  posts: readonly AskedPost[]
}

/** Asks somebody outside for approval: a link for each post, theirs alone. */
export function approvalMail(
  { email, name, sender, orgName, projectName, again, posts }: OutsideLetter,
  publicUrl: string,
): Mail {
  const what = posts.length === 1 ? 'a post' : `${posts.length} posts`
  const subject = again ? `Reminder: ${sender} asks for your approval` : `${sender} asks for your approval`
  return mail(email, subject, [
    `Hello ${name},`,
    `${sender} of ${orgName} asks you to approve ${what} of the project "${projectName}".`,
    ...posts.map(({ token, excerpt, channel, dueAt, zone }) => ({
      title: quoted(excerpt),
      about: [channel, dueAt ? `${momentText(dueAt, zone)} (${zone})` : undefined]
        .filter((part) => part !== undefined)
        .join(', '),
      text: '',
      link: `${publicUrl}/approve/${token}`,
      label: 'Look at the post',
    })),
    {
      small: `You need no account. Opening a link decides nothing. It is for you alone and works for ${LINK_DAYS} days, until the post is decided on or changed.`,
    },
  ])
}
